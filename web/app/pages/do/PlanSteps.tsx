import { useState } from 'react';
import { inert } from '#kernel/text.js';
import type { Plan, PlanEdit, PlanStep } from './plan.js';

const PERSON = '\0person';
const NOBODY = '\0nobody';

/** The steps of a plan in order, each with its title, its owner or reviewer, and its place. */
export function PlanSteps(props: {
  readonly steps: readonly PlanStep[];
  readonly members: NonNullable<Plan['members']>;
  readonly fixed: boolean;
  onEdit(edit: PlanEdit): void;
}) {
  const { steps, members, fixed, onEdit } = props;
  const numbers = new Map(steps.map(({ id }, index) => [id, index + 1]));
  return (
    <ol className="plan-steps">
      {steps.map((step, index) => (
        <li key={step.id} className={step.role === 'gate' ? 'plan-step is-gate' : 'plan-step'}>
          <span className="plan-number number" aria-hidden="true">
            {index + 1}
          </span>
          <div className="plan-words">
            <Title key={step.title} step={step} fixed={fixed} onEdit={onEdit} />
            <p className="muted">{factsOf(step, index + 1, numbers)}</p>
          </div>
          {step.exec !== undefined || step.held !== undefined || fixed ? (
            <span className="plan-owner muted">{ownerText(step)}</span>
          ) : (
            <Owner step={step} members={members} onEdit={onEdit} />
          )}
          {fixed ? null : (
            <span className="plan-acts">
              <Icon
                label={`Move up: ${step.title}`}
                path="M10 15.5v-11M5.5 9l4.5-4.5L14.5 9"
                disabled={index === 0}
                onClick={() => onEdit({ step: step.node, before: steps[index - 1]?.node })}
              />
              <Icon
                label={`Move down: ${step.title}`}
                path="M10 4.5v11M5.5 11l4.5 4.5L14.5 11"
                disabled={index === steps.length - 1}
                onClick={() => onEdit({ step: steps[index + 1]?.node ?? '', before: step.node })}
              />
              <Icon
                label={`Leave out: ${step.title}`}
                path="M5.5 5.5l9 9M14.5 5.5l-9 9"
                disabled={steps.length === 1}
                onClick={() => onEdit({ step: step.node, drop: true })}
              />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

function Icon(props: { readonly label: string; readonly path: string; readonly disabled: boolean; onClick(): void }) {
  const { label, path, disabled, onClick } = props;
  return (
    <button
      type="button"
      className="plan-act"
      aria-label={inert(label)}
      title={label.split(':')[0]}
      disabled={disabled}
      onClick={onClick}
    >
      <svg viewBox="0 0 20 20" className="icon" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  );
}

/** A title that is edited in place; what is typed counts when the field is left. */
function Title({
  step,
  fixed,
  onEdit,
}: {
  readonly step: PlanStep;
  readonly fixed: boolean;
  onEdit(edit: PlanEdit): void;
}) {
  const [title, setTitle] = useState(step.title);
  if (fixed) return <p className="plan-title">{inert(step.title)}</p>;
  const say = () => {
    const said = title.trim();
    if (said === '') setTitle(step.title);
    else if (said !== step.title) onEdit({ step: step.node, title: said });
  };
  return (
    <input
      type="text"
      className="plan-title"
      aria-label={`Title of step ${step.node}`}
      maxLength={300}
      value={title}
      onChange={({ target }) => setTitle(target.value)}
      onBlur={say}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        say();
      }}
    />
  );
}

function Owner(props: {
  readonly step: PlanStep;
  readonly members: NonNullable<Plan['members']>;
  onEdit(edit: PlanEdit): void;
}) {
  const { step, members, onEdit } = props;
  const value = step.human === true ? PERSON : (step.member ?? NOBODY);
  const choose = (name: string) => {
    if (name === PERSON) onEdit({ step: step.node, human: true });
    else if (name !== NOBODY) onEdit({ step: step.node, member: name });
  };
  return (
    <select
      className="plan-owner"
      aria-label={`${step.role === 'gate' ? 'Reviewer' : 'Owner'} of ${inert(step.title)}`}
      value={value}
      onChange={({ target }) => choose(target.value)}
    >
      {value === NOBODY ? <option value={NOBODY}>Anybody</option> : null}
      {members.map(({ name, archetype }) => (
        <option key={name} value={name}>
          {inert(name)}, {inert(archetype).replaceAll('-', ' ')}
        </option>
      ))}
      <option value={PERSON}>You, or another person</option>
    </select>
  );
}

function ownerText({ exec, held, human, member }: PlanStep): string {
  if (held !== undefined) return 'a command that is not trusted';
  if (exec !== undefined) return 'a command';
  return human === true ? 'a person' : inert(member ?? 'anybody');
}

/** The steps before a step, and whether it repeats. */
function factsOf(
  { role, after = [], max_iterations: most, skills }: PlanStep,
  own: number,
  numbers: ReadonlyMap<string, number>,
): string {
  const all = after.flatMap((id) => numbers.get(id) ?? []).sort((left, right) => left - right);
  const before = all.filter((number) => number < own);
  const back = all.filter((number) => number >= own);
  return [
    role === 'gate' ? 'review' : undefined,
    before.length === 0 ? 'begins at once' : `after ${before.join(', ')}`,
    most === undefined ? undefined : `again if ${back.join(', ')} sends it back, up to ${most} rounds`,
    skills === undefined ? undefined : `needs ${skills.join(', ')}`,
  ]
    .filter((fact) => fact !== undefined)
    .join(' · ');
}
