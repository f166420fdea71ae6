/**
 * From a goal or a playbook to a plan that is shown, edited and started. The operations are those of `troupe run`.
 * @packageDocumentation
 */
import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { formatMoney, formatTokens, inert, plural } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { useAction } from '../../data/action.js';
import { change } from '../../data/api.js';
import { notice } from '../../data/notices.js';
import { nowResource, resourceOf, UNASKED, useResource } from '../../data/resource.js';
import { goTo } from '../../data/route.js';
import { useRefusal } from '../../data/visitor.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Dialog } from '../../shell/Dialog.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { type Asked, choiceOf, chosen } from './asked.js';
import './do.css';
import { InputField, inputsOf } from './InputField.js';
import { BlueprintPlan, FunctionPlan } from './OtherPlans.js';
import { PlanSteps } from './PlanSteps.js';
import { commandOf, type Plan, type PlanEdit, preview, start, startBack, type Wish } from './plan.js';

const playbooksResource = resourceOf('playbook.list', {});
type Playbook = Answer<'playbook.list'>['playbooks'][number];

export default function DoDialog({ asked, onClose }: { readonly asked: Asked; onClose(): void }) {
  const [goal, setGoal] = useState(asked.goal ?? '');
  const [choice, setChoice] = useState(asked.playbook ?? '');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [planned, setPlanned] = useState<{ readonly wish: Wish; readonly plan: Plan }>();
  const { answer } = useResource(playbooksResource);
  const { kind, name: playbook } = chosen(choice);
  const shown = useShown(playbook, kind);
  const fields = inputsOf(shown);
  const { busy, trouble, run } = useAction();
  const refusal = useRefusal();
  const goalField = useId();
  const inputs = fields
    .filter(({ name }) => (values[name] ?? '') !== '')
    .map(({ name }) => `${name}=${values[name] ?? ''}`);
  const plan = (edits: readonly PlanEdit[]) =>
    run(async () => {
      const wish = { goal: goal.trim(), playbook, inputs, edits };
      setPlanned({ wish, plan: await preview(wish) });
    });
  // A goal that was typed before is planned at once.
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) return;
    first.current = false;
    if ((asked.goal ?? '') !== '') void plan([]);
  });
  const isFormation = kind === 'formation';
  const isOther = kind === 'function' || kind === 'blueprint';
  const may = refusal === undefined && (goal.trim() !== '' || (playbook !== '' && !isFormation));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!may || busy || isOther) return;
    if (isFormation)
      void run(async () => {
        const proposed = await change<{ run: string }>('POST', `formation/${playbook}`, { goal: goal.trim() });
        onClose();
        goTo({ place: 'runs', view: 'list', item: proposed.run });
      });
    else void plan([]);
  };
  const again = (set: () => void) => {
    set();
    setPlanned(undefined); // another goal has another plan
  };
  return (
    <Dialog label="What should be done?" className="form-dialog do-dialog" onClose={onClose}>
      <form onSubmit={submit} className="do-form">
        <h2>What should be done?</h2>
        <label className="unseen" htmlFor={goalField}>
          Goal
        </label>
        {kind === 'function' ? null : (
          <textarea
            id={goalField}
            className="do-goal"
            rows={2}
            maxLength={2_000}
            autoFocus
            placeholder="A goal in your own words, such as: add a version flag"
            value={goal}
            onChange={({ target }) => again(() => setGoal(target.value))}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey) submit(event);
            }}
          />
        )}
        <div className="do-choices">
          <label className="field">
            Playbook
            <select value={choice} onChange={({ target }) => again(() => setChoice(target.value))}>
              <option value="">The project’s default</option>
              {answer === undefined && playbook !== '' ? <option value={choice}>{inert(playbook)}</option> : null}
              <Choices title="Steps that you can edit" rows={answer?.playbooks} kind="workflow" />
              <Choices title="A line-up that you accept first" rows={answer?.playbooks} kind="formation" />
              <Choices title="Tasks from earlier work" rows={answer?.playbooks} kind="function" />
              <Choices title="A team that is cast for it" rows={answer?.playbooks} kind="blueprint" />
            </select>
          </label>
          {fields.map((input) => (
            <InputField
              key={input.name}
              input={input}
              value={values[input.name] ?? ''}
              onChange={(value) => again(() => setValues({ ...values, [input.name]: value }))}
            />
          ))}
        </div>
        {planned === undefined && !isOther ? (
          <>
            {busy ? <Skeleton rows={4} /> : null}
            {trouble === undefined ? null : <Failure error={trouble} />}
            <div className="buttons">
              <button type="submit" className="primary" disabled={busy || !may}>
                {isFormation ? 'Propose a line-up' : 'Show the plan'}
              </button>
              <button type="button" onClick={onClose}>
                Cancel
              </button>
              <span className="muted">{refusal ?? 'Nothing runs before you start it.'}</span>
            </div>
          </>
        ) : null}
      </form>
      {kind === 'function' ? (
        <FunctionPlan
          key={playbook}
          id={playbook}
          inputs={inputs}
          missing={fields.find(({ name, required }) => required && (values[name] ?? '') === '')?.name}
          refusal={refusal}
          onClose={onClose}
        />
      ) : null}
      {kind === 'blueprint' && shown?.blueprint !== undefined ? (
        <BlueprintPlan
          id={playbook}
          blueprint={shown.blueprint}
          goal={goal.trim()}
          refusal={refusal}
          onClose={onClose}
        />
      ) : null}
      {planned === undefined ? null : (
        <Planned
          wish={planned.wish}
          plan={planned.plan}
          busy={busy}
          trouble={trouble}
          onEdits={(edits) => void plan(edits)}
          onStart={() =>
            void run(async () => {
              const { wish, plan: seen } = planned;
              let begun: Plan;
              try {
                begun = await start(wish, seen.plan);
              } catch (error) {
                // What is agreed to next is what is there now.
                setPlanned({ wish, plan: await preview(wish) });
                throw error;
              }
              const { run: name, task_ids: ids } = begun;
              notice.set({
                text: `Started ${name}: ${plural(ids.length, 'task')}.`,
                back: startBack(begun, `Closed ${name}.`),
              });
              onClose();
            })
          }
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function useShown(playbook: string, kind: Playbook['kind']) {
  const resource = useMemo(
    () => (playbook === '' ? UNASKED : resourceOf('playbook.show', { name: playbook, kind })),
    [playbook, kind],
  );
  return useResource<Answer<'playbook.show'>>(resource).answer;
}

function Choices(props: {
  readonly title: string;
  readonly rows: readonly Playbook[] | undefined;
  readonly kind: Playbook['kind'];
}) {
  const { title, rows = [], kind } = props;
  const usable = rows.filter((row) => row.kind === kind && row.problem === undefined);
  if (usable.length === 0) return null;
  return (
    <optgroup label={title}>
      {usable.map(({ name, description }) => (
        <option key={name} value={choiceOf({ kind, name })} title={description}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}

function Planned(props: {
  readonly wish: Wish;
  readonly plan: Plan;
  readonly busy: boolean;
  readonly trouble: Parameters<typeof Failure>[0]['error'] | undefined;
  onEdits(edits: readonly PlanEdit[]): void;
  onStart(): void;
  onClose(): void;
}) {
  const { wish, plan, busy, trouble, onEdits, onStart, onClose } = props;
  const { edits } = wish;
  const steps = plan.tasks ?? [];
  const members = plan.members ?? [];
  const command = commandOf(wish);
  const waits = plan.workflow === 'repository-review';
  return (
    <section className="do-plan" aria-label="Plan" aria-busy={busy}>
      <div className="do-plan-head">
        <h3>
          {inert(plan.workflow)}, {plural(steps.length, 'step')}
        </h3>
        <Terms plan={plan} />
      </div>
      <PlanSteps
        steps={steps}
        members={members}
        fixed={waits}
        onEdit={(edit) => {
          if (!busy) onEdits([...edits, edit]);
        }}
      />
      {plan.warnings.length === 0 ? null : (
        <ul className="do-warnings">
          {plan.warnings.map((warning) => (
            <li key={warning}>{inert(warning)}</li>
          ))}
        </ul>
      )}
      {trouble === undefined ? null : <Failure error={trouble} />}
      <div className="buttons">
        <button type="button" className="primary" disabled={busy || steps.length === 0} onClick={onStart}>
          Start
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        {edits.length === 0 ? null : (
          <button type="button" className="quiet" disabled={busy} onClick={() => onEdits(edits.slice(0, -1))}>
            Undo the last change
          </button>
        )}
        {command === undefined ? null : <CopyIcon text={command} />}
      </div>
    </section>
  );
}

/** Team, client and expected cost of a plan. */
function Terms({ plan: { members = [], casts, estimate } }: { readonly plan: Plan }) {
  const { answer } = useResource(nowResource);
  const client = answer?.client;
  const facts = [
    members.length === 0
      ? undefined
      : `${plural(members.length, 'member')}${casts === true ? ', cast when you start' : ''}`,
    client === undefined
      ? undefined
      : client.missing === null
        ? `by ${client.executor ?? 'a client'}`
        : 'no client yet: its steps wait for one',
    estimate
      ? `about ${[
          estimate.usd === null ? undefined : formatMoney(estimate.usd),
          `${formatTokens(estimate.tokens)} tokens`,
        ]
          .filter((part) => part !== undefined)
          .join(', ')}, by ${plural(estimate.tasks, 'earlier task')}`
      : 'no estimate: nothing like it has run here',
  ];
  return (
    <p className="muted">
      {facts
        .filter((fact) => fact !== undefined)
        .map((fact) => inert(fact))
        .join(' · ')}
    </p>
  );
}
