import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

/** That it is kept, and whether somebody wakes for it. */
export const render: Renderer<'msg.send'> = ({ number, task, events }, screen) => {
  if (!task) return;
  const id = inert(task.id);
  const woken = events.some((event) => event.op === 'wake' && event.task_id === task.id);
  const { assigned } = task;
  const who = typeof assigned === 'string' ? `${inert(assigned)} can read it now` : 'whoever works at it next reads it';
  screen.line(`Message ${number} about ${id} is kept; ${woken ? 'the task waited for it and goes on' : who}.`);
};
