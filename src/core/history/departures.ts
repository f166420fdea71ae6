import { endOf } from '#core/graph/archived.js';
import type { Departed } from '#core/graph/departed.js';
import { partsOf } from '#core/graph/epic.js';
import type { EventDraft, Exit, Patch, Plan } from '#core/graph/event.js';
import { metaTasksOf } from '#core/graph/meta.js';
import { isTask, isTerminal, type Status, type Task, type WaitSpec } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { byId } from '#kernel/order.js';
import { withoutExecution } from './replay.js';

export interface Selection {
  /** Only these tasks, together with the rest of their cycles. Undefined: all that may leave. */
  readonly ids?: readonly string[] | undefined;
  readonly endedBefore?: number | undefined;
}

const ARCHIVED: ReadonlySet<Status> = new Set(['done', 'abandoned']);
const REMOVED: ReadonlySet<Status> = new Set(['failed', 'abandoned']);
const REMOVED_WITH_DONE: ReadonlySet<Status> = new Set(['failed', 'abandoned', 'done']);

/** Tasks that `archive` takes: done and abandoned ones that nothing active depends on. */
export function forArchive(view: GraphView, selection: Selection): Task[] {
  return select(view, new Leaving(view, { statuses: ARCHIVED, endedBefore: selection.endedBefore }), selection.ids, {
    verb: 'archived',
    statuses: 'Only done and abandoned tasks are archived.',
  });
}

/**
 * Tasks that `gc` removes: failed and abandoned ones, with `includeDone` also done ones, and their finished internal
 * tasks.
 */
export function forRemoval(view: GraphView, selection: Selection & { includeDone: boolean }): Task[] {
  const statuses = selection.includeDone ? REMOVED_WITH_DONE : REMOVED;
  const leaving = new Leaving(view, { statuses, endedBefore: selection.endedBefore });
  const removable = new Map<string, Task>();
  const wording = {
    verb: 'removed',
    statuses: 'Done tasks need --include-done; others must end first.',
  };
  for (const task of select(view, leaving, selection.ids, wording)) removable.set(task.id, task);
  for (const task of [...removable.values()]) {
    for (const meta of metaTasksOf(view, task.id)) {
      if (isTerminal(meta.status) && leaving.neededBy(meta).length === 0) removable.set(meta.id, meta);
    }
  }
  return [...removable.values()].sort(byId);
}

function select(
  view: GraphView,
  leaving: Leaving,
  ids: readonly string[] | undefined,
  wording: { verb: string; statuses: string },
): Task[] {
  if (ids === undefined) return leaving.all();
  const tasks = new Map<string, Task>();
  for (const id of ids) {
    const task = taskOf(view, id);
    const obstacle = leaving.obstacle(task);
    if (obstacle) throw staysBecause(task, obstacle, wording);
    for (const other of [task, ...leaving.companions(task)]) tasks.set(other.id, other);
  }
  return [...tasks.values()].sort(byId);
}

function staysBecause(task: Task, { why, ids }: Obstacle, wording: { verb: string; statuses: string }): TroupeError {
  const what = `${task.id} cannot be ${wording.verb}:`;
  const details = { id: task.id, status: task.status, ids };
  if (why === 'status')
    return new TroupeError('wrong_status', { what: `${what} it is ${task.status}.`, hint: wording.statuses, details });
  const names = ids.slice(0, 5).join(', ') + (ids.length > 5 ? ` and ${ids.length - 5} more` : '');
  const because = {
    young: 'it ended too recently for --older.',
    needed: `${names} still depend${ids.length === 1 ? 's' : ''} on it.`,
    parts: `${names} ${ids.length === 1 ? 'is a part' : 'are parts'} of it and not finished.`,
    cycle: `it is in a cycle with ${names}, which must stay.`,
  }[why];
  return new TroupeError('still_needed', { what: `${what} ${because}`, details });
}

/** Removes tasks from the graph. The events store them whole for a later restore. */
export function removeTasks(tasks: readonly Task[], to: Exit, by: string): Plan<{ ids: string[] }> {
  const ids = tasks.map(({ id }) => id);
  const patches = tasks.map((task): Patch => ({ id: task.id, del: true, to, kept: task }));
  const events = splitPatches(patches).map(
    (patch): EventDraft => ({
      op: to,
      ...(patch.length === 1 && patch[0] ? { task_id: patch[0].id } : {}),
      actor: by,
      detail: { tasks: patch.map(({ id }) => id) },
      patch,
    }),
  );
  return { events, result: { ids } };
}

/** Splits patches into parts that each fit one event. */
export function splitPatches(patches: readonly Patch[]): Patch[][] {
  const parts: Patch[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const patch of patches) {
    const length = JSON.stringify(patch).length;
    if (size + length > WORK_LIMITS.eventBytes) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(patch);
    size += length;
  }
  return parts;
}

/** The tasks of the latest departure that are still away, by id. */
export function lastBatch(view: GraphView, to: Exit): Departed[] {
  const away = [...view.departures()].filter((departed) => departed.to === to);
  const latest = away.reduce((most, { batch }) => Math.max(most, batch), Number.NEGATIVE_INFINITY);
  return away.filter(({ batch }) => batch === latest).sort(byId);
}

/** Returns the departure record of a task. Errors: `wrong_status` for a task in the graph, `unknown_task`. */
export function departedOf(view: GraphView, id: string): Departed {
  const departed = view.departed(id);
  if (departed) return departed;
  if (view.task(id)) {
    throw new TroupeError('wrong_status', {
      what: `${id} is in the graph: there is nothing to restore.`,
      details: { id },
    });
  }
  throw new TroupeError('unknown_task', {
    what: `No task ${JSON.stringify(id.slice(0, 120))} was archived or removed.`,
    hint: 'Run `troupe archive --list` or `troupe gc --list`.',
    details: { id: id.slice(0, 120) },
  });
}

/** Restores removed tasks; with `reopen` they become open, without the fields of their last attempt. */
export function restoreTasks(
  view: GraphView,
  tasks: readonly Task[],
  options: { now: number; by: string; reopen: boolean },
): Plan<{ ids: string[] }> {
  const events = tasks.map((task): EventDraft => {
    const departed = departedOf(view, task.id);
    if (departed.seq !== task.rev) {
      throw new TroupeError('wrong_status', {
        what: `${task.id} was restored and removed again meanwhile.`,
        hint: 'Try again.',
      });
    }
    const { rev: _rev, ...fields } = task;
    const entry = {
      timestamp: timestamp(options.now),
      actor: options.by,
      message: departed.to === 'archive' ? 'Brought back from the archive' : 'Brought back after gc',
    };
    const node = { ...(options.reopen ? withoutExecution(fields as Task) : fields), log: [...(task.log ?? []), entry] };
    return {
      op: 'archive_restore',
      task_id: task.id,
      actor: options.by,
      patch: [{ id: task.id, put: node }],
    };
  });
  return { events, result: { ids: tasks.map(({ id }) => id) } };
}

/**
 * Reason why a task must stay: its own status or age, active tasks that depend on it or are parts of it, or members of
 * its cycle that must stay.
 */
interface Obstacle {
  readonly why: 'status' | 'young' | 'needed' | 'parts' | 'cycle';
  /** The other tasks concerned; empty if the reason is the task itself. */
  readonly ids: readonly string[];
}

interface LeavingRule {
  readonly statuses: ReadonlySet<Status>;
  /** Only tasks that ended before this time, in milliseconds. */
  readonly endedBefore?: number | undefined;
}

/**
 * Decides which tasks may leave the graph: those whose status fits the rule and which nothing active depends on, by an
 * edge, a wait, or the guard of a cycle that may still iterate. A cycle leaves or stays as a whole. Reads the whole
 * graph once.
 */
class Leaving {
  private readonly view: GraphView;
  private readonly rule: LeavingRule;
  private readonly watchers: ReadonlyMap<string, readonly string[]>;

  constructor(view: GraphView, rule: LeavingRule) {
    this.view = view;
    this.rule = rule;
    this.watchers = watchersOf(view);
  }

  all(): Task[] {
    const tasks: Task[] = [];
    for (const node of this.view.nodes()) if (isTask(node) && this.obstacle(node) === undefined) tasks.push(node);
    return tasks.sort(byId);
  }

  /** Reason why a task must stay; undefined if it may leave. */
  obstacle(task: Task): Obstacle | undefined {
    const alone = this.own(task);
    if (alone) return alone;
    const staying = this.companions(task).filter((other) => other.paused === true || this.own(other) !== undefined);
    return staying.length === 0 ? undefined : { why: 'cycle', ids: staying.map(({ id }) => id) };
  }

  /** Members of its outermost cycle, including itself; empty for a task outside cycles. */
  companions(task: Task): Task[] {
    const [cycle] = this.view.cyclesOf(task.id);
    return (cycle?.members ?? []).flatMap((id) => this.view.task(id) ?? []);
  }

  /** Active tasks that depend on it, by id. */
  neededBy(task: Task): string[] {
    const active = this.view.dependents(task.id).filter((id) => {
      const dependent = this.view.task(id);
      return dependent !== undefined && !isTerminal(dependent.status);
    });
    return [...new Set([...active, ...(this.watchers.get(task.id) ?? [])])].sort();
  }

  private own(task: Task): Obstacle | undefined {
    if (!this.rule.statuses.has(task.status)) return { why: 'status', ids: [] };
    if (this.rule.endedBefore !== undefined && endOf(task) >= this.rule.endedBefore) return { why: 'young', ids: [] };
    const needed = this.neededBy(task);
    if (needed.length > 0) return { why: 'needed', ids: needed };
    const parts = partsOf(this.view, task).filter(({ status }) => !isTerminal(status));
    return parts.length === 0 ? undefined : { why: 'parts', ids: parts.map(({ id }) => id).sort() };
  }
}

/** Maps each task to those that watch its status without an edge: waits, and guards of cycles still active. */
function watchersOf(view: GraphView): Map<string, string[]> {
  const watchers = new Map<string, string[]>();
  const watch = (watched: string, by: string) => watchers.set(watched, [...(watchers.get(watched) ?? []), by]);
  for (const id of view.waiting()) {
    const spec = view.task(id)?.['wait_condition'] as WaitSpec | undefined;
    for (const condition of spec?.conditions ?? []) if (condition.type === 'task-status') watch(condition.task_id, id);
  }
  if (!view.mayIterate()) return watchers;
  for (const cycle of view.cycles()) {
    const guard = cycle.config?.guard;
    if (typeof guard !== 'object' || guard === null || !('TaskStatus' in guard)) continue;
    const goesOn = cycle.members.some((id) => {
      const member = view.task(id);
      return member !== undefined && (!isTerminal(member.status) || member.paused === true);
    });
    if (goesOn && !cycle.members.includes(guard.TaskStatus.task)) watch(guard.TaskStatus.task, cycle.header);
  }
  return watchers;
}
