import { useState } from 'react';
import { inert, plural, shellWord } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { useAction } from '../../data/action.js';
import { additionBack } from '../../data/acts.js';
import { change } from '../../data/api.js';
import { notice } from '../../data/notices.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure } from '../../shell/Skeleton.js';
import { type Plan, startBack } from './plan.js';

type Applied = Answer<'func.apply'>;

/** Tasks that a function would add, shown before they are added. */
export function FunctionPlan(props: {
  readonly id: string;
  readonly inputs: readonly string[];
  /** Name of an input without a value that needs one. */
  readonly missing: string | undefined;
  readonly refusal: string | undefined;
  onClose(): void;
}) {
  const { id, inputs, missing, refusal, onClose } = props;
  const asked = JSON.stringify(inputs);
  const [shown, setShown] = useState<{ readonly asked: string; readonly answer: Applied }>();
  const plan = shown?.asked === asked ? shown.answer : undefined;
  const { busy, trouble, run } = useAction();
  const apply = (dry: boolean) =>
    change<Applied>('POST', 'func/apply', { id, input: [...inputs], ...(dry ? { dry_run: true } : {}) });
  const act = () =>
    run(async () => {
      if (plan === undefined) setShown({ asked, answer: await apply(true) });
      else {
        const { task_ids: ids, held = [] } = await apply(false);
        const waiting = held.length === 0 ? '' : ` ${plural(held.length, 'command')} wait for your trust.`;
        notice.set({
          text: `Added ${plural(ids.length, 'task')} of ${inert(id)}.${waiting}`,
          back: additionBack(ids),
        });
        onClose();
      }
    });
  const word = (text: string) => shellWord(inert(text, true));
  return (
    <section className="do-plan" aria-label="Plan" aria-busy={busy}>
      {plan?.tasks === undefined ? null : (
        <>
          <h3>
            {inert(id)}, {plural(plan.tasks.length, 'task')}
          </h3>
          <ol className="plan-steps">
            {plan.tasks.map(({ id: task, title, after, paused }, index) => (
              <li key={task} className="plan-step">
                <span className="plan-number number" aria-hidden="true">
                  {index + 1}
                </span>
                <div className="plan-words">
                  <p className="plan-title">{inert(title)}</p>
                  <p className="muted">
                    {after.length === 0 ? 'begins at once' : `after ${after.map((one) => inert(one)).join(', ')}`}
                    {paused ? ', waits for your trust' : ''}
                  </p>
                </div>
              </li>
            ))}
          </ol>
        </>
      )}
      {trouble === undefined ? null : <Failure error={trouble} />}
      <div className="buttons">
        <button
          type="button"
          className="primary"
          disabled={busy || refusal !== undefined || missing !== undefined}
          onClick={() => void act()}
        >
          {plan === undefined ? 'Show the tasks' : 'Add the tasks'}
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <CopyIcon
          text={['troupe func apply', word(id), ...inputs.map((value) => `--input ${word(value)}`)].join(' ')}
        />
        <span className="muted">
          {refusal ??
            (missing === undefined ? 'Nothing is added before you say so.' : `${inert(missing)} is required.`)}
        </span>
      </div>
    </section>
  );
}

/** Team and workflow of a blueprint. Members get their names when the team is cast, so steps cannot be shown before. */
export function BlueprintPlan(props: {
  readonly id: string;
  readonly blueprint: NonNullable<Answer<'playbook.show'>['blueprint']>;
  readonly goal: string;
  readonly refusal: string | undefined;
  onClose(): void;
}) {
  const { id, blueprint, goal, refusal, onClose } = props;
  const { roster, workflows } = blueprint;
  const [replaces, setReplaces] = useState(false);
  const { busy, trouble, run } = useAction();
  const intent = replaces ? { intent: 'new' } : {};
  const start = () =>
    run(async () => {
      const begun = await change<Plan>('POST', 'work/start', { blueprint: id, goal, override: true, ...intent });
      notice.set({
        text: `Cast the team and started ${begun.run}: ${plural(begun.task_ids.length, 'task')}.`,
        back: startBack(begun, `Closed ${begun.run}. The team stays.`),
      });
      onClose();
    });
  return (
    <section className="do-plan" aria-label="Plan" aria-busy={busy}>
      <h3>{plural(roster.length, 'member')} and a workflow</h3>
      <p>
        Casts {inert(roster.join(', ').replaceAll('-', ' '))}, and starts its workflow {inert(workflows[0] ?? '')} for
        your goal.
      </p>
      <label className="field is-check">
        <input type="checkbox" checked={replaces} onChange={({ target }) => setReplaces(target.checked)} />
        Replace the present team, if there is one
      </label>
      {trouble === undefined ? null : <Failure error={trouble} />}
      <div className="buttons">
        <button
          type="button"
          className="primary"
          disabled={busy || refusal !== undefined || goal === ''}
          onClick={() => void start()}
        >
          Cast and start
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <CopyIcon
          text={`troupe run --blueprint ${shellWord(inert(id))} ${goal === '' ? '"…"' : shellWord(inert(goal, true))}${replaces ? ' --intent new' : ''}`}
        />
        <span className="muted">{refusal ?? (goal === '' ? 'Say the goal first.' : '')}</span>
      </div>
    </section>
  );
}
