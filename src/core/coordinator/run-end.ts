import { tokensOf } from '#core/coordinator/budget.js';
import { troubleOf } from '#core/coordinator/client-holds.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import type { Tick } from '#core/coordinator/tick.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import { lastRunField } from '#core/graph/last-run.js';
import { withLastWords } from '#core/graph/last-words.js';
import type { NodeFields, Status, Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import { TOKEN_USAGE } from '#core/graph/token-usage.js';

export const SILENT_RUNS = taskField('silent_runs', anything);

/**
 * What an attempt used is added to what the task used before, and what it said last to its log; a run that did something
 * ends the silence. With `goesOn` the
 * next attempt may take up its session.
 */
export function used(
  tick: Tick,
  plan: Plan<unknown> | undefined,
  task: Task | undefined,
  run: RunFact,
  goesOn = true,
): Plan<unknown> | undefined {
  const usage = run.result?.usage ?? run.usage;
  const isClient = run.executor !== undefined && run.executor !== 'shell';
  if (!plan || !task || (!usage && !isClient)) return plan;
  const before = (TOKEN_USAGE.of(task) ?? {}) as Record<string, number>;
  const sum: Record<string, number> = { ...before };
  for (const [field, value] of Object.entries(usage ?? {})) sum[field] = (before[field] ?? 0) + value;
  const spoke = run.progressAt !== undefined && SILENT_RUNS.of(task) !== undefined ? ['silent_runs'] : [];
  const [first, ...rest] = plan.events;
  if (!first) return plan;
  const set: NodeFields = {
    ...(Object.keys(sum).length > 0 ? { token_usage: sum } : {}),
    ...(run.result?.sessionId === undefined ? {} : { session_id: run.result.sessionId }),
    ...(isClient && run.started && goesOn ? lastRunField(task, run.id, statusAfter(first, task)) : {}),
  };
  const patch = first.patch.map((item) => {
    if (item.id !== task.id || 'put' in item || 'del' in item) return item;
    const unset = [...(item.unset ?? []), ...spoke].filter((field) => !(field in set));
    return { ...item, set: { ...item.set, ...set }, ...(unset.length > 0 ? { unset } : {}) };
  });
  const spent = { ...plan, events: [{ ...first, patch }, ...rest] };
  return withLastWords(spent, task, run.id, run.result?.lastWords, tick.now);
}

/** Where an event leaves a task. */
function statusAfter({ patch }: EventDraft, task: Task): Status {
  const status = patch.flatMap((item) => (item.id === task.id && 'set' in item ? (item.set?.['status'] ?? []) : []));
  return (status.at(-1) as Status | undefined) ?? task.status;
}

/** The task an attempt ended by itself, when there is something to be said of what that took. */
export function spender(task: Task | undefined, run: RunFact): Task | undefined {
  const known = (run.result?.usage ?? run.usage ?? run.result?.lastWords) !== undefined;
  return known && task?.assigned === run.id && task.fence === run.fence ? task : undefined;
}

/** How a run ended whose task we do not move: as it left its task itself, else as it exited. */
export function endedAs(task: Task | undefined, run: RunFact): 'done' | 'failed' | 'parked' {
  const own = task?.assigned === run.id && task.fence === run.fence;
  if (own && (task.status === 'done' || task.status === 'pending-validation')) return 'done';
  if (own && task.status === 'waiting') return 'parked';
  if (own && task.status !== 'in-progress') return 'failed';
  return run.exit?.code === 0 && run.ended === undefined ? 'done' : 'failed';
}

/** With a `task`, the event says of it what the run used. */
export function complete(run: RunFact, outcome: string, task?: Task): Plan<undefined> {
  const known = run.result?.usage ?? run.usage;
  // A provider that refused the first request already was paid nothing.
  const isFree = troubleOf(run) !== undefined && (known === undefined || tokensOf(known) === 0);
  const usage = isFree ? { cost_usd: 0, ...known } : known;
  const detail: NodeFields = {
    run: run.id,
    outcome,
    ...(run.started ? {} : { started: false }),
    ...(run.executor === undefined ? {} : { executor: run.executor }),
    ...(usage === undefined ? {} : { usage: { ...usage } as NodeFields }),
  };
  return {
    events: [
      {
        op: 'agent_complete',
        task_id: run.taskId,
        actor: run.id,
        detail,
        patch: task ? [{ id: task.id, set: {} }] : [],
      },
    ],
    result: undefined,
  };
}
