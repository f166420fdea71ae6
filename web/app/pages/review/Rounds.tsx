import { formatCost, formatTokens, inert, plural } from '#kernel/text.js';
import type { TracedRun } from '#surfaces/http/contract.js';
import { addressOf } from '../../data/route.js';
import { absolute, elapsed, useNow } from '../../data/time.js';

/** Attempts at the task, the latest first: how each ended, its check, the decision about it, and what it used. */
export function Rounds({
  task,
  runs,
  left,
  shown,
}: {
  readonly task: string;
  readonly runs: readonly TracedRun[];
  /** Numbers of the attempts whose changes are still there. */
  readonly left: readonly number[];
  readonly shown: { readonly attempt: number | undefined; readonly since: number | undefined };
}) {
  const now = useNow();
  if (runs.length === 0) return null;
  return (
    <section aria-label="Attempts">
      <h2>
        Attempts <span className="count">{runs.length}</span>
      </h2>
      <ol className="rounds">
        {[...runs].reverse().map((run) => (
          <Round key={run.run} task={task} run={run} left={left} shown={shown} now={now} />
        ))}
      </ol>
    </section>
  );
}

function Round({
  task,
  run,
  left,
  shown,
  now,
}: Omit<Parameters<typeof Rounds>[0], 'runs'> & { readonly run: TracedRun; readonly now: number }) {
  const { attempt, check, verdict, reason } = run;
  const end = run.ended_at === undefined ? now : Date.parse(run.ended_at);
  const isShown = attempt !== undefined && attempt === shown.attempt;
  const earlier = attempt === undefined ? [] : left.filter((other) => other < attempt);
  const before = earlier.at(-1);
  const to = (since?: number) =>
    addressOf({
      ...{ place: 'tasks', view: 'task', item: task },
      filters: { attempt: String(attempt), ...(since === undefined ? {} : { since: String(since) }) },
    });
  return (
    <li className={isShown ? 'round is-shown' : 'round'}>
      <p className="round-head">
        <strong>{attempt === undefined ? inert(run.run) : `Attempt ${attempt}`}</strong>
        <span className="muted">
          {run.executor === undefined ? '' : `${inert(run.executor)} · `}
          <time dateTime={run.timestamp} title={absolute(run.timestamp)}>
            {elapsed(run.timestamp, end)}
          </time>
          {run.tokens === null ? '' : ` · ${formatTokens(run.tokens)} tokens`}
          {run.cost_usd === null ? '' : ` · ${formatCost(run.cost_usd, run.estimated_usd)}`}
        </span>
      </p>
      {check === undefined ? null : (
        <p className={check.passed ? 'check is-passed' : 'check is-not'}>
          {check.passed ? '✓' : '✕'} {inert(check.command)} {inert(check.text)}
        </p>
      )}
      {verdict === undefined ? (
        run.ended_at === undefined ? (
          <p className="muted">Running</p>
        ) : run.outcome === 'done' || reason === undefined ? null : (
          <p className="muted">{inert(reason)}</p>
        )
      ) : (
        <p className="round-verdict">
          <span className={verdict.approved ? 'check is-passed' : 'check is-not'}>
            {verdict.approved ? 'Approved' : 'Rejected'} by {inert(verdict.by)}
          </span>
          {verdict.reason === undefined ? null : <span className="round-reason">{inert(verdict.reason, true)}</span>}
        </p>
      )}
      <p className="round-links">
        {attempt === undefined || !left.includes(attempt) ? null : (
          <a className="link" href={to()} aria-current={isShown && shown.since === undefined ? 'true' : undefined}>
            Changes<span className="unseen"> of attempt {attempt}</span>
          </a>
        )}
        {attempt === undefined || before === undefined || !left.includes(attempt) ? null : (
          <a className="link" href={to(before)} aria-current={isShown && shown.since === before ? 'true' : undefined}>
            Since attempt {before}
            <span className="unseen"> in attempt {attempt}</span>
          </a>
        )}
        <a className="link" href={addressOf({ place: 'runs', view: 'attempt', item: run.run })}>
          Timeline<span className="unseen"> of {inert(run.run)}</span>
        </a>
        {run.turns === null || run.turns === 0 ? null : (
          <span className="muted">
            {plural(run.turns, 'turn')}, {plural(run.tool_calls ?? 0, 'tool call')}
          </span>
        )}
      </p>
    </li>
  );
}
