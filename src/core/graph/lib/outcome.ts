import { isTerminal, type Task } from '#core/graph/task.js';

/** A failed or paused member may hold those around it. */
export function isRestless(task: Task | undefined): boolean {
  return task?.status === 'failed' || task?.paused === true;
}

/** What a dependent can notice of a predecessor: nothing there, still going, ended well or ended otherwise. */
export function outcomeOf(task: Task | undefined): 'missing' | 'going' | 'done' | 'other' {
  if (!task) return 'missing';
  if (!isTerminal(task.status)) return 'going';
  return task.status === 'done' ? 'done' : 'other';
}
