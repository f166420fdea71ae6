import type { Output } from '#operations/map.js';

export type Stored = Output<'graph.stored'>;
export type StoredTask = Stored['tasks'][number];

/** Priority of a task that has none. */
const PRIORITY = 10;

/** Fields of `show` that are printed only if they say something, in the order of the original. */
const SHOWN = [
  ...['description', 'assigned', 'hours', 'cost', 'tags', 'skills', 'inputs', 'deliverables', 'artifacts', 'exec'],
  ...['created_at', 'started_at', 'completed_at', 'last_interaction_at', 'not_before', 'log', 'retry_count'],
  ...['max_retries', 'failure_reason', 'failure_class', 'model', 'verify', 'agent', 'loop_iteration'],
  ...['last_iteration_completed_at', 'cycle_failure_restarts', 'cycle_config', 'ready_after', 'paused'],
  ...['visibility', 'context_scope', 'exec_mode', 'token_usage', 'session_id', 'wait_condition', 'checkpoint'],
  ...['verify_failures', 'resurrection_count', 'last_resurrected_at', 'superseded_by', 'supersedes', 'independent'],
  ...['iteration_round', 'iteration_anchor', 'iteration_parent', 'iteration_config', 'rescued', 'meta_eval_attempts'],
];
const LISTED = ['tags', 'not_before', 'ready_after', 'paused', 'verify_failures'];
const SCHEDULED = ['cron_enabled', 'cron_schedule', 'next_cron_fire'];

/** A row of `list`. */
export function listedTask(task: StoredTask): object {
  return {
    ...{ id: task.id, title: task.title, status: task.status, priority: priorityOf(task) },
    ...{ assigned: task['assigned'] ?? null, after: task['after'] ?? [] },
    ...saying(task, LISTED),
    ...(task['cron_enabled'] === true ? saying(task, SCHEDULED) : {}),
  };
}

/** A row of `ready`; one that only waits for its time says when it comes. */
export function readyTask(task: StoredTask, ready: boolean): object {
  return {
    ...{ id: task.id, title: task.title, assigned: task['assigned'] ?? null, estimate: task['estimate'] ?? null },
    ...{ priority: priorityOf(task), ready },
    ...(ready ? {} : { ready_after: task['ready_after'] }),
  };
}

/** Open tasks that wait for nothing but their time. */
export function waitingForTime({ at, tasks }: Stored): readonly StoredTask[] {
  const ended = new Set(tasks.filter(({ status }) => ENDED.includes(status)).map(({ id }) => id));
  const known = new Set(tasks.map(({ id }) => id));
  return tasks.filter((task) => {
    const { status, ready_after: until, after } = task;
    if (status !== 'open' || typeof until !== 'string' || !(Date.parse(until) > Date.parse(at))) return false;
    return !Array.isArray(after) || after.every((id) => ended.has(id) || !known.has(id));
  });
}

const ENDED = ['done', 'failed', 'abandoned'];

/** The answer of `show`. */
export function shownTask({ task, hours, cost, after, before }: Output<'task.show'>): object {
  const state = ({ id, status }: { readonly id: string; readonly status: string }) => ({
    ...{ id, status: status === 'missing' ? 'open' : status },
  });
  return {
    ...{ id: task.id, title: task.title, status: task.status, priority: priorityOf(task) },
    ...saying({ ...task, hours, cost }, SHOWN),
    ...{ after: after.map(state), before: before.map(state) },
  };
}

const priorityOf = (task: StoredTask): unknown => task['priority'] ?? PRIORITY;

/** The fields of these names that the original prints: no empty list, no zero, and no visibility that all have. */
function saying(task: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  const said = names.map((name) => [name, task[name]] as const);
  return Object.fromEntries(said.filter(([name, value]) => says(value) && !(name === 'visibility' && value === USUAL)));
}

const USUAL = 'internal';

const says = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== 0 &&
  !(Array.isArray(value) && value.length === 0);
