import { type ReactNode, useState } from 'react';
import type { ShownState } from '#core/graph/status-look.js';
import { formatCost, formatTokens, inert, plural } from '#kernel/text.js';
import type { ShowAnswer, TracedRun } from '#surfaces/http/contract.js';
import { elapsed, useNow } from '../../data/time.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { StatusWord } from '../../status/Status.js';
import type { ShownChanges } from './changes.js';

/** Characters of a text that are shown before one has to ask for the rest. */
const SHORT = 420;

/** Title, who did it at which cost, and what to judge it by. */
export function Head({
  answer,
  state,
  run,
  changes,
}: {
  readonly answer: ShowAnswer;
  readonly state: ShownState;
  /** The run whose work is shown. */
  readonly run: TracedRun | undefined;
  readonly changes: ShownChanges | undefined;
}) {
  const { task } = answer;
  const now = useNow();
  const member = textOf(task['member']);
  const duration =
    run === undefined ? '' : elapsed(run.timestamp, run.ended_at === undefined ? now : Date.parse(run.ended_at));
  const { tokens, cost } = usageOf(task);
  const facts = [
    run?.attempt === undefined ? undefined : `attempt ${run.attempt}`,
    member,
    answer.agent_name === member ? undefined : answer.agent_name,
    run?.executor,
    answer.worker === undefined ? undefined : `at ${answer.worker}`,
    duration === '' ? undefined : duration,
    tokens,
    cost,
  ].filter((fact) => fact !== undefined);
  return (
    <header className="review-head">
      <p className="review-state">
        <StatusWord state={state} live={answer.live} check={answer.check} />
        <span className="mono muted">{inert(task.id)}</span>
        <CopyIcon text={`troupe show ${inert(task.id)}`} />
      </p>
      <h1>{inert(task.title)}</h1>
      <p className="muted number">{facts.map((fact) => inert(fact)).join(' · ')}</p>
      <Evidence answer={answer} run={run} changes={changes} state={state} />
    </header>
  );
}

/** Basis of the decision: the wish, the criterion, the outcome of the check, the commits and the last words. */
function Evidence({ answer, run, changes, state }: Parameters<typeof Head>[0]) {
  const { task } = answer;
  const criterion = textOf(task['verify']);
  const description = textOf(task['description']);
  const failure = textOf(task['failure_reason']);
  const command = textOf(task['verify_cmd']);
  const why = failure ?? (state === 'done' ? undefined : answer.reasons[0]);
  return (
    <dl className="evidence">
      {description === undefined ? null : <Fact title="Asked">{<Long text={description} />}</Fact>}
      <Fact title="Criterion">
        {criterion === undefined ? <span className="muted">None was set.</span> : <Long text={criterion} />}
      </Fact>
      <Fact title="Check">
        {run?.check === undefined ? (
          <span className="muted">
            {command === undefined ? 'No command checks it.' : `${inert(command)}: not run`}
          </span>
        ) : (
          <>
            <span className={run.check.passed ? 'check is-passed' : 'check is-not'}>
              {run.check.passed ? '✓' : '✕'} <span className="mono">{inert(run.check.command)}</span>{' '}
              {inert(run.check.text)}
            </span>
            {run.check.output === undefined ? null : (
              <details>
                <summary>Its last lines</summary>
                <pre className="check-output">{inert(run.check.output, true)}</pre>
              </details>
            )}
          </>
        )}
      </Fact>
      {changes === undefined ? null : (
        <Fact title="Work">
          {plural(changes.total, 'file')}, <span className="is-plus">+{changes.added}</span>{' '}
          <span className="is-minus">−{changes.deleted}</span> in {plural(changes.answer.ahead, 'commit')} on{' '}
          <span className="mono">{inert(changes.answer.branch)}</span> at{' '}
          <span className="mono">{changes.answer.head.slice(0, 10)}</span>
          {changes.answer.clean ? null : <span className="muted">, and files that are not committed yet</span>}
        </Fact>
      )}
      {answer.last_words === undefined ? null : (
        <Fact title="Its last words">
          <Long text={answer.last_words} />
        </Fact>
      )}
      {why === undefined ? null : (
        <Fact
          title={
            state === 'failed'
              ? 'Why it failed'
              : state === 'pending-validation'
                ? 'Why it needs review'
                : 'Why it is not running'
          }
        >
          <Long text={why} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A text as it is, its end on request. */
function Long({ text }: { readonly text: string }) {
  const [all, setAll] = useState(false);
  const isLong = text.length > SHORT;
  return (
    <>
      <span className="long-text">{inert(all || !isLong ? text : `${text.slice(0, SHORT)}…`, true)}</span>
      {isLong ? (
        <button type="button" className="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Less' : 'All of it'}
        </button>
      ) : null}
    </>
  );
}

function usageOf(task: ShowAnswer['task']): { readonly tokens?: string; readonly cost?: string } {
  const usage: unknown = task['token_usage'];
  if (typeof usage !== 'object' || usage === null) return {};
  const figures: Readonly<Record<string, unknown>> = { ...usage };
  const of = (field: string) => (typeof figures[field] === 'number' ? figures[field] : undefined);
  const cost = of('cost_usd');
  return {
    tokens: `${formatTokens((of('input_tokens') ?? 0) + (of('output_tokens') ?? 0))} tokens`,
    ...(cost === undefined ? {} : { cost: formatCost(cost, of('estimated_usd')) }),
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
