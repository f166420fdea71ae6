import { shellWord } from '#kernel/text.js';
import { allowsAnother } from './attempts.js';
import type { Plan } from './event.js';
import { isTerminal, type Task } from './task.js';
import { record, taskField } from './task-field.js';
import type { GraphView } from './view.js';

/** What a step of code misses: a file that another task had handed in. The fence tells that attempt from later ones. */
const MISSES = taskField('misses', (value) => {
  const { task, fence } = record(value) ?? {};
  return typeof task === 'string' ? { task, fence: typeof fence === 'number' ? fence : 0 } : undefined;
});

/** Keeps which task has to hand in its file again before a step of code can succeed. */
export function missesFileOf(view: GraphView, id: string, task: string, actor: string): Plan<undefined> {
  const misses = { task, fence: view.task(task)?.fence ?? 0 };
  return { events: [{ op: 'misses', task_id: id, actor, patch: [{ id, set: { misses } }] }], result: undefined };
}

/** The task that has to hand in its file again first; undefined where there is none, or once it was begun again. */
export function missedBy(view: GraphView, task: Task): Task | undefined {
  const misses = MISSES.of(task);
  const other = misses && view.task(misses.task);
  return other && isTerminal(other.status) && (other.fence ?? 0) === misses.fence ? other : undefined;
}

/** The command by which a failed task is taken up again: a person may do it however often it failed. */
export function againCommand(view: GraphView, task: Task): string {
  const other = missedBy(view, task);
  if (other) return `troupe reopen ${shellWord(other.id)}`;
  return `troupe ${allowsAnother(task) ? 'retry' : 'reopen'} ${shellWord(task.id)}`;
}
