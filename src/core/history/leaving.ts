import { endOf } from '#core/graph/archived.js';
import { isTask, isTerminal, type Status, type Task, type WaitSpec } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

/** Why a task has to stay: its own status or age, those that still count on it, or others of its cycle that have to. */
export interface Obstacle {
  readonly why: 'status' | 'young' | 'needed' | 'cycle';
  /** Whom it is about; empty when it is about the task itself. */
  readonly ids: readonly string[];
}

export interface LeavingRule {
  readonly statuses: ReadonlySet<Status>;
  /** Only those that ended before this moment, in milliseconds. */
  readonly endedBefore?: number | undefined;
}

/**
 * Who may leave the graph: ended as the rule says, and nothing active counts on it, be it by an edge, a wait or the guard of
 * a cycle that still goes round. A cycle leaves whole or stays whole. Looks at the whole graph once.
 */
export class Leaving {
  private readonly view: GraphView;
  private readonly rule: LeavingRule;
  private readonly watchers: ReadonlyMap<string, readonly string[]>;

  constructor(view: GraphView, rule: LeavingRule) {
    this.view = view;
    this.rule = rule;
    this.watchers = watchersOf(view);
  }

  /** All that may leave, by id. */
  all(): Task[] {
    const found: Task[] = [];
    for (const node of this.view.nodes()) if (isTask(node) && this.obstacle(node) === undefined) found.push(node);
    return found.sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  /** What keeps this task; undefined when nothing does. */
  obstacle(task: Task): Obstacle | undefined {
    const alone = this.own(task);
    if (alone) return alone;
    const staying = this.companions(task).filter((other) => other.paused === true || this.own(other) !== undefined);
    return staying.length === 0 ? undefined : { why: 'cycle', ids: staying.map(({ id }) => id) };
  }

  /** The members of its outermost cycle, itself among them; nobody for a task in no cycle. */
  companions(task: Task): Task[] {
    const [cycle] = this.view.cyclesOf(task.id);
    return (cycle?.members ?? []).flatMap((id) => this.view.task(id) ?? []);
  }

  /** Who still counts on it, by id. */
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
    return needed.length === 0 ? undefined : { why: 'needed', ids: needed };
  }
}

/** Who looks at the status of which task, without an edge: waits, and guards of cycles that may still go round. */
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
