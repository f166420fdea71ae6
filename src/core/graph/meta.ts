import { HUMAN } from './assignee.js';
import { needsOf } from './needs.js';
import type { Status, Task } from './task.js';
import { REVIEW_TASK } from './team-work.js';
import type { GraphView } from './view.js';

/** Those that come before the task they are about. */
const BEFORE = ['assign-', 'create-agent-'];
export const ABOUT = [...BEFORE, 'evaluate-', '.verify-flip-', '.place-'];

/** Would a task of this id speak about one that is there? Only the coordinator gives such ids: they judge and assign. */
export function isMetaId(view: GraphView, id: string): boolean {
  const about = ABOUT.find((prefix) => id.startsWith(prefix));
  return id.startsWith('.') || (about !== undefined && view.task(id.slice(about.length)) !== undefined);
}

/** Is this one of the tasks the coordinator makes about other tasks or about the graph, not work somebody asked for? */
export function isMeta(view: GraphView, task: Task): boolean {
  return task.id.startsWith('.') || ABOUT.some((prefix) => isAbout(view, task, prefix));
}

/** In these an internal task is nobody's business: it has not begun, or is over. */
const QUIET: ReadonlySet<Status> = new Set(['open', 'done', 'abandoned']);

/**
 * Whether lists, counts and drawings leave a task out unless they are asked for internal ones. One that is at work, has failed
 * or needs a person is shown like any other.
 */
export function isOutOfSight(view: GraphView, task: Task): boolean {
  return QUIET.has(task.status) && isMeta(view, task) && HUMAN.of(task) !== true;
}

/** `evaluate-X` is about X when X is there and comes before it; a task that is only called so is work like any other. */
function isAbout(view: GraphView, task: Task, prefix: string): boolean {
  if (!task.id.startsWith(prefix)) return false;
  const about = task.id.slice(prefix.length);
  return (
    view.task(about) !== undefined &&
    (task.after?.includes(about) === true || BEFORE.includes(prefix) || task.tags?.includes('evaluation') === true)
  );
}

/** The meta-tasks about one task, by id. */
export function metaTasksOf(view: GraphView, id: string): Task[] {
  const tasks: Task[] = [];
  for (const prefix of ABOUT) {
    const task = view.task(`${prefix}${id}`);
    if (task && isMeta(view, task)) tasks.push(task);
  }
  const review = view.task(REVIEW_TASK.of(view.task(id)) ?? '');
  if (review && isMeta(view, review)) tasks.push(review);
  return tasks;
}

/**
 * Does it work on files as they are committed: with what was merged before it, or at a worker, whose labels it asks for? Our own tasks about
 * others read the graph, not files.
 */
export function needsCommits(view: GraphView, task: Task): boolean {
  return (view.followsMerged(task.id) || needsOf(task).length > 0) && !isMeta(view, task);
}
