import { useMemo, useState } from 'react';
import { formatCost, formatTokens, inert, plural } from '#kernel/text.js';
import type { TracedRun } from '#surfaces/http/contract.js';
import { resourceOf, useResource } from '../data/resource.js';
import { addressOf } from '../data/route.js';
import { absolute, clockTime, elapsed, useNow } from '../data/time.js';
import { stateOfRun } from '../status/runs.js';
import { StatusWord } from '../status/Status.js';

const WORDS_BYTES = 16_384;

/** Attempts at the task: time, duration, outcome, usage and final output. Loaded on demand. */
export function Attempts({ id }: { readonly id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-label="Attempts">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Attempts: time, tokens, cost</summary>
        {isOpen ? <Timeline id={id} /> : null}
      </details>
    </section>
  );
}

function Timeline({ id }: { readonly id: string }) {
  const resource = useMemo(() => resourceOf('task.attempts', { id }), [id]);
  const { answer, error } = useResource(resource);
  const now = useNow();
  if (answer === undefined) return <p className="muted">{error === undefined ? 'Loading …' : inert(error.message)}</p>;
  const { runs } = answer;
  if (runs.length === 0) return <p className="muted">No runs yet.</p>;
  const [from, to] = spanOf(runs, now);
  return (
    <ol className="attempts">
      {runs.map((run) => (
        <Attempt key={run.run} id={id} run={run} from={from} to={to} now={now} />
      ))}
    </ol>
  );
}

function Attempt({
  id,
  run,
  from,
  to,
  now,
}: {
  readonly id: string;
  readonly run: TracedRun;
  readonly from: number;
  readonly to: number;
  readonly now: number;
}) {
  const end = endOf(run, now);
  const share = (at: number) => `${(100 * (at - from)) / Math.max(1, to - from)}%`;
  const begin = Date.parse(run.timestamp);
  return (
    <li>
      <p className="attempt-head">
        <span className="mono">{inert(run.run)}</span>
        {run.executor === undefined ? null : <span className="muted">{inert(run.executor)}</span>}
        <StatusWord state={stateOfRun(run)} live={run.ended_at === undefined} />
      </p>
      <div className="attempt-track" aria-hidden="true">
        <span
          className={`attempt-bar is-${stateOfRun(run)}`}
          style={{ left: share(begin), width: share(from + end - begin) }}
        />
      </div>
      <p className="muted attempt-facts">
        <time dateTime={run.timestamp} title={absolute(run.timestamp)}>
          {clockTime(begin)}
        </time>
        , {elapsed(run.timestamp, end)}
        {factsOf(run).map((fact) => (
          <span key={fact}> · {fact}</span>
        ))}
      </p>
      {run.reason === undefined || run.reason === '' ? null : <p className="reason">{inert(run.reason)}</p>}
      <a className="link" href={addressOf({ place: 'runs', view: 'attempt', item: run.run })}>
        Timeline<span className="unseen"> of {inert(run.run)}</span>
      </a>
      <Said id={id} run={run.run} />
    </li>
  );
}

/** Output and actions of a run as text. */
function Said({ id, run }: { readonly id: string; readonly run: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What {inert(run)} did</summary>
      {isOpen ? <Words id={id} run={run} /> : null}
    </details>
  );
}

function Words({ id, run }: { readonly id: string; readonly run: string }) {
  const resource = useMemo(() => resourceOf('task.output', { id, run, bytes: WORDS_BYTES }), [id, run]);
  const { answer, error } = useResource(resource);
  if (answer === undefined) return <p className="muted">{error === undefined ? 'Loading …' : inert(error.message)}</p>;
  if (answer.text === '') return <p className="muted">No output, or its folder was removed.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="output" tabIndex={0} aria-label={`Output of ${inert(run)}`}>
      <pre>{answer.text}</pre>
    </section>
  );
}

/** Facts of an attempt; unknown ones are left out. */
function factsOf({
  turns,
  tool_calls: calls,
  tokens,
  cost_usd: cost,
  estimated_usd: estimated,
}: TracedRun): readonly string[] {
  return [
    ...(turns === null || turns === 0 ? [] : [plural(turns, 'turn')]),
    ...(calls === null || calls === 0 ? [] : [plural(calls, 'tool call')]),
    ...(tokens === null ? [] : [`${formatTokens(tokens)} tokens`]),
    ...(cost === null ? [] : [formatCost(cost, estimated)]),
  ];
}

function endOf({ ended_at: ended }: TracedRun, now: number): number {
  return ended === undefined ? now : Date.parse(ended);
}

function spanOf(runs: readonly TracedRun[], now: number): readonly [number, number] {
  const from = Math.min(...runs.map(({ timestamp }) => Date.parse(timestamp)));
  return [from, Math.max(from + 1, ...runs.map((run) => endOf(run, now)))];
}
