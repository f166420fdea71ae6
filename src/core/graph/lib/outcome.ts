import { isTerminal, type Task } from '#core/graph/task.js';

/** Whether a failed or paused cycle member may hold the tasks around it. */
export function mayHoldOthers(task: Task | undefined): boolean {
  return task?.status === 'failed' || task?.paused === true;
}

/** State of a predecessor as far as it matters to a dependent: missing, not finished, done, or ended otherwise. */
export function outcomeOf(task: Task | undefined): 'missing' | 'going' | 'done' | 'other' {
  if (!task) return 'missing';
  if (!isTerminal(task.status)) return 'going';
  return task.status === 'done' ? 'done' : 'other';
}
