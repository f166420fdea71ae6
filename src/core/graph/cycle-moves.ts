import { CONVERGED, CYCLE_REASONS, type CycleDecision, iterationsOf } from '#core/graph/cycle-decision.js';
import type { Cycle } from '#core/graph/cycles.js';
import type { EventDraft, Patch } from '#core/graph/event.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import { timeOf } from '#core/graph/time.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { parseDuration } from '#kernel/duration.js';
import { fieldsOf } from './task-field.js';

/** Fields that an attempt leaves on a task; a new iteration starts without them. */
const OF_THE_PASS = [
  ...['assigned', 'started_at', 'completed_at', 'failure_reason', 'wait_condition', 'session_id'],
  ...['checkpoint', 'deaths', 'failed_starts', 'ready_after', 'converge_on_done'],
];
const COUNTS_OF_THE_PASS = ['retry_count', 'rejection_count', 'cycle_failure_restarts'];

/**
 * Returns the event that carries out a decision about a cycle; undefined for decisions that change nothing. `now` in
 * milliseconds.
 */
export function cycleEvent(
  view: GraphView,
  cycle: Cycle,
  decision: CycleDecision,
  now: number,
): EventDraft | undefined {
  if (decision.do === 'iterate') return iterate(view, cycle, now);
  if (decision.do === 'restart') return restart(view, cycle, now);
  if (decision.do === 'end') return end(view, cycle, decision, now);
  return undefined;
}

function iterate(view: GraphView, cycle: Cycle, now: number): EventDraft {
  const iteration = (view.task(cycle.header)?.loop_iteration ?? 0) + 1;
  const most = iterationsOf(cycle.config?.max_iterations);
  const message = `Re-activated by cycle iteration (iteration ${iteration}/${most})`;
  const within = innerMembers(view, cycle);
  const patch = openMembers(view, cycle, now, message, (task) => {
    const at = pauseBefore(cycle, now);
    return {
      set: {
        loop_iteration: within.has(task.id) ? 0 : iteration,
        ...(task.id === cycle.header && at !== undefined ? { ready_after: at } : {}),
        ...(within.has(task.id) ? withoutTag(task) : {}),
      },
      unset: COUNTS_OF_THE_PASS,
    };
  });
  return {
    op: 'cycle_iterate',
    task_id: cycle.header,
    actor: 'coordinator',
    detail: { iteration, max_iterations: most, members: [...cycle.members] },
    patch,
  };
}

function restart(view: GraphView, cycle: Cycle, now: number): EventDraft {
  const restarts = (view.task(cycle.header)?.cycle_failure_restarts ?? 0) + 1;
  const failed = cycle.members.filter((id) => view.task(id)?.status === 'failed');
  const message = `Re-activated because ${failed.join(', ')} failed (restart ${restarts} of the cycle)`;
  const within = innerMembers(view, cycle);
  const patch = openMembers(view, cycle, now, message, (task) => ({
    set: {
      ...(task.id === cycle.header ? { cycle_failure_restarts: restarts } : {}),
      ...(within.has(task.id) ? { loop_iteration: 0 } : {}),
      ...withoutTag(task),
    },
    unset: within.has(task.id) ? COUNTS_OF_THE_PASS : [],
  }));
  return {
    op: 'cycle_restart',
    task_id: cycle.header,
    actor: 'coordinator',
    detail: { restarts, failed, members: [...cycle.members] },
    patch,
  };
}

/** Records on the header that the cycle has ended and why, so it is decided only once. */
function end(view: GraphView, cycle: Cycle, decision: CycleDecision, now: number): EventDraft {
  const header = view.task(cycle.header);
  const iteration = header?.loop_iteration ?? 0;
  // Not before any member end: the local clock may be behind the clock that recorded the end of a member.
  const ends = cycle.members.map((id) => timeOf(view.task(id)?.completed_at)).filter(Number.isFinite);
  const at = timestamp(Math.max(now, ...ends));
  const message = `The cycle ended after ${iteration + 1} ${iteration === 0 ? 'iteration' : 'iterations'}: ${CYCLE_REASONS[decision.why]}`;
  return {
    op: 'cycle_end',
    task_id: cycle.header,
    actor: 'coordinator',
    detail: { reason: decision.why, iteration, members: [...cycle.members] },
    patch: [
      {
        id: cycle.header,
        set: { cycle_ended: { reason: decision.why, at } },
        log_at: header?.log?.length ?? 0,
        log: [{ timestamp: at, actor: 'coordinator', message }],
      },
    ],
  };
}

/** Reopens every member that was not abandoned, with the fields that `change` returns for each. */
function openMembers(
  view: GraphView,
  cycle: Cycle,
  now: number,
  message: string,
  change: (task: Task) => { set: NodeFields; unset: readonly string[] },
): Patch[] {
  const patch: Patch[] = [];
  for (const id of cycle.members) {
    const task = view.task(id);
    if (!task || task.status === 'abandoned') continue;
    const { set, unset } = change(task);
    const fields: NodeFields = {
      status: 'open',
      ...(task.completed_at === undefined ? {} : { last_iteration_completed_at: task.completed_at }),
      ...set,
    };
    const unsetFields = ['cycle_ended', ...OF_THE_PASS, ...unset].filter(
      (field) => fieldsOf(task)[field] !== undefined && !(field in fields),
    );
    patch.push({
      id,
      set: fields,
      ...(unsetFields.length > 0 ? { unset: unsetFields } : {}),
      log_at: task.log?.length ?? 0,
      log: [{ timestamp: timestamp(now), actor: 'coordinator', message }],
    });
  }
  return patch;
}

/** Members of inner cycles: their iteration count restarts with each iteration of this cycle. */
function innerMembers(view: GraphView, cycle: Cycle): ReadonlySet<string> {
  const within = new Set<string>();
  for (const header of cycle.inner) for (const id of view.cycle(header)?.members ?? []) within.add(id);
  return within;
}

/** Fields that remove the `converged` tag; empty if the task does not have it. */
function withoutTag(task: Task): NodeFields {
  return task.tags?.includes(CONVERGED) ? { tags: task.tags.filter((tag) => tag !== CONVERGED) } : {};
}

function pauseBefore(cycle: Cycle, now: number): string | undefined {
  const { delay } = cycle.config ?? {};
  if (delay === undefined) return undefined;
  try {
    return timestamp(now + parseDuration(delay));
  } catch {
    return undefined; // unreadable after a hand edit: no pause; `check` reports it
  }
}

/**
 * Effect of a new attempt at a member on the cycles around it: they have not ended and have not converged. Returns
 * patches for the headers; changes to the member itself are returned as fields for the caller that reopens it.
 */
export function cycleOpensAgain(
  view: GraphView,
  id: string,
): { patch: Patch[]; own: { set: NodeFields; unset: string[] } } {
  const own = { set: {} as NodeFields, unset: [] as string[] };
  const patch: Patch[] = [];
  if (!view.mayIterate()) return { patch, own };
  for (const cycle of view.cyclesOf(id)) {
    const header = view.task(cycle.header);
    if (!header) continue;
    const set = withoutTag(header);
    const unset = header.cycle_ended === undefined ? [] : ['cycle_ended'];
    if (header.id === id) {
      Object.assign(own.set, set);
      own.unset.push(...unset);
    } else if (unset.length > 0 || Object.keys(set).length > 0) {
      patch.push({
        id: header.id,
        ...(Object.keys(set).length > 0 ? { set } : {}),
        ...(unset.length > 0 ? { unset } : {}),
      });
    }
  }
  return { patch, own };
}

interface Convergence {
  /** For the header, if it is another task. */
  readonly patch: readonly Patch[];
  /** For the task itself. */
  readonly tags?: readonly string[];
  readonly warning?: string;
}

/**
 * Effect of `--converged` on a member: tags the header of the innermost configured cycle around it, unless that has
 * `no_converge`.
 */
export function convergedPatch(view: GraphView, task: Task): Convergence {
  const cycle = view.mayIterate() ? view.cyclesOf(task.id).findLast((around) => around.configured) : undefined;
  if (!cycle) return { patch: [], warning: `${task.id} is not in a cycle: --converged has no effect.` };
  if (cycle.config?.no_converge === true) {
    return {
      patch: [],
      warning: `The cycle of ${cycle.header} does not end early (no_converge): --converged has no effect.`,
    };
  }
  const tags = view.task(cycle.header)?.tags ?? [];
  if (tags.includes(CONVERGED)) return { patch: [] };
  if (cycle.header === task.id) return { patch: [], tags: [...tags, CONVERGED] };
  return { patch: [{ id: cycle.header, set: { tags: [...tags, CONVERGED] } }] };
}
