import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

interface Output {
  readonly number: number;
  readonly task?: { readonly id: string; readonly status: string; readonly assigned?: string };
  readonly events: readonly { op: string; task_id?: string }[];
}

/** That it is kept, and whether somebody wakes for it. */
export const render: Renderer<Output> = ({ number, task, events }, screen) => {
  if (!task) return;
  const id = inert(task.id);
  const woken = events.some((event) => event.op === 'wake' && event.task_id === task.id);
  const who =
    task.assigned === undefined ? 'whoever works at it next reads it' : `${inert(task.assigned)} can read it now`;
  screen.line(`Message ${number} about ${id} is kept; ${woken ? 'the task waited for it and goes on' : who}.`);
};
