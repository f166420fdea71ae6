import { HUMAN } from './assignee.js';
import { needsOf } from './needs.js';
import type { Status, Task } from './task.js';
import { REVIEW_TASK } from './team-work.js';
import type { GraphView } from './view.js';

/** Prefixes of internal tasks that come before their subject. */
const BEFORE = ['assign-', 'create-agent-'];
export const ABOUT = [...BEFORE, 'evaluate-', '.verify-flip-', '.place-'];

/** Whether an id is that of an internal task. Only the coordinator may use such ids. */
export function isMetaId(view: GraphView, id: string): boolean {
  const about = ABOUT.find((prefix) => id.startsWith(prefix));
  return id.startsWith('.') || (about !== undefined && view.task(id.slice(about.length)) !== undefined);
}

/** Whether the coordinator made the task, about another task or the graph; false for requested work. */
export function isMeta(view: GraphView, task: Task): boolean {
  return task.id.startsWith('.') || ABOUT.some((prefix) => isAbout(view, task, prefix));
}

/** Statuses in which an internal task is hidden: not started, or over. */
const QUIET: ReadonlySet<Status> = new Set(['open', 'done', 'abandoned']);

/**
 * Whether lists, counts and drawings omit a task by default. Internal tasks that are running, have failed or need a
 * person are shown like any other.
 */
export function isHiddenTask(view: GraphView, task: Task): boolean {
  return QUIET.has(task.status) && isMeta(view, task) && HUMAN.of(task) !== true;
}

/** `evaluate-X` is about X if X exists and precedes it; otherwise the task is ordinary work with such a name. */
function isAbout(view: GraphView, task: Task, prefix: string): boolean {
  if (!task.id.startsWith(prefix)) return false;
  const about = task.id.slice(prefix.length);
  return (
    view.task(about) !== undefined &&
    (task.after?.includes(about) === true || BEFORE.includes(prefix) || task.tags?.includes('evaluation') === true)
  );
}

/** Returns the internal tasks about one task, by id. */
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
 * Whether a task works on committed files: it follows merged work, or needs a worker with labels. Internal tasks read
 * the graph, not files.
 */
export function needsCommits(view: GraphView, task: Task): boolean {
  return (view.followsMerged(task.id) || needsOf(task).length > 0) && !isMeta(view, task);
}
