import { shellWord } from '#kernel/text.js';
import { allowsAnother } from './attempts.js';
import type { Plan } from './event.js';
import { isTerminal, type Task } from './task.js';
import { record, taskField } from './task-field.js';
import type { GraphView } from './view.js';

/** A file that a code step misses, by the task that submitted it. The fence tells that attempt from later ones. */
const MISSES = taskField('misses', (value) => {
  const { task, fence } = record(value) ?? {};
  return typeof task === 'string' ? { task, fence: typeof fence === 'number' ? fence : 0 } : undefined;
});

/** Records which task has to submit its file again before a code step can succeed. */
export function missesFileOf(view: GraphView, id: string, task: string, actor: string): Plan<undefined> {
  const misses = { task, fence: view.task(task)?.fence ?? 0 };
  return { events: [{ op: 'misses', task_id: id, actor, patch: [{ id, set: { misses } }] }], result: undefined };
}

/** The task that has to submit its file again first; undefined if there is none, or once it was restarted. */
export function missedBy(view: GraphView, task: Task): Task | undefined {
  const misses = MISSES.of(task);
  const other = misses && view.task(misses.task);
  return other && isTerminal(other.status) && (other.fence ?? 0) === misses.fence ? other : undefined;
}

/** Command that restarts a failed task; a person may do so regardless of the number of failures. */
export function againCommand(view: GraphView, task: Task): string {
  const other = missedBy(view, task);
  if (other) return `troupe reopen ${shellWord(other.id)}`;
  return `troupe ${allowsAnother(task) ? 'retry' : 'reopen'} ${shellWord(task.id)}`;
}
