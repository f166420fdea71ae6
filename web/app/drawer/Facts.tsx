import type { ReactNode } from 'react';
import { formatCost, formatTokens, inert } from '#kernel/text.js';
import type { ShowAnswer } from '#surfaces/http/contract.js';
import { absolute, clockTime, elapsed, useNow } from '../data/time.js';

/** Holder, attempt and times. Unknown facts are left out. */
export function Facts({ answer: { task, worker } }: { readonly answer: ShowAnswer }) {
  const now = useNow();
  const started = text(task['started_at']);
  const completed = text(task['completed_at']);
  const end = completed === undefined ? now : Date.parse(completed);
  const lines: [string, ReactNode][] = [];
  const member = text(task['member']);
  const holder = text(task['assigned']);
  if (member !== undefined) lines.push(['Member', inert(member)]);
  if (holder !== undefined)
    lines.push([
      'Held by',
      <span key="holder" className="mono">
        {inert(holder)}
      </span>,
    ]);
  if (worker !== undefined) lines.push(['Worker', inert(worker)]);
  if (typeof task['fence'] === 'number') lines.push(['Attempt', task['fence']]);
  lines.push(...ofCheck(task));
  lines.push(...ofRuns(task));
  if (started !== undefined) {
    lines.push([
      'Started',
      <time key="started" dateTime={started} title={absolute(started)}>
        {clockTime(Date.parse(started))}
      </time>,
    ]);
    if (completed !== undefined) lines.push(['Duration', elapsed(started, end)]);
    else if (task.status === 'in-progress') lines.push(['Running for', elapsed(started, end)]);
  }
  if (completed !== undefined) lines.push(['Finished', <Ago key="completed" time={completed} now={now} />]);
  const created = text(task['created_at']);
  if (created !== undefined && started === undefined) {
    lines.push(['Created', <Ago key="created" time={created} now={now} />]);
  }
  if (lines.length === 0) return null;
  return (
    <dl className="facts">
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Outcome of the check, and the commit that was checked. */
function ofCheck(task: ShowAnswer['task']): [string, ReactNode][] {
  const { evidence } = task as {
    evidence?: { verify_cmd?: unknown; exit?: unknown; unchecked?: unknown; commit?: unknown };
  };
  const lines: [string, ReactNode][] = [];
  if (typeof evidence?.verify_cmd === 'string') {
    const end = typeof evidence.unchecked === 'string' ? evidence.unchecked : `exited with ${String(evidence.exit)}`;
    lines.push(['Check', inert(`${evidence.verify_cmd}: ${end}`)]);
  }
  if (typeof evidence?.commit === 'string')
    lines.push([
      'Commit',
      <span key="commit" className="mono">
        {inert(evidence.commit.slice(0, 12))}
      </span>,
    ]);
  return lines;
}

/** Iteration, wait condition, usage and location of the work. */
function ofRuns(task: ShowAnswer['task']): [string, ReactNode][] {
  const lines: [string, ReactNode][] = [];
  const {
    cycle_config: cycle,
    wait_condition: wait,
    token_usage: usage,
  } = task as {
    cycle_config?: { max_iterations?: unknown };
    wait_condition?: { mode?: unknown; conditions?: { type?: unknown }[] };
    token_usage?: { cost_usd?: number; estimated_usd?: number; input_tokens?: number; output_tokens?: number };
  };
  if (typeof cycle?.max_iterations === 'number')
    lines.push(['Cycle', `iteration ${Number(task['loop_iteration'] ?? 0)} of ${cycle.max_iterations}`]);
  if (Array.isArray(wait?.conditions))
    lines.push([
      'Waits for',
      wait.conditions.map(({ type }) => inert(String(type))).join(wait.mode === 'any' ? ' or ' : ', '),
    ]);
  if (usage !== undefined) {
    const tokens = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
    lines.push(['Used', `${formatTokens(tokens)} tokens, ${formatCost(usage.cost_usd, usage.estimated_usd)}`]);
  }
  return lines;
}

function Ago({ time, now }: { readonly time: string; readonly now: number }) {
  return (
    <time dateTime={time} title={absolute(time)}>
      {elapsed(time, now)} ago
    </time>
  );
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
