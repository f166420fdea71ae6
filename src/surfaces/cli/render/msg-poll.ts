import { inert, plural } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'msg.poll'> = ({ task_id, unread }, screen) => {
  const id = inert(task_id);
  if (unread === 0) screen.line(`Nothing new about ${id}.`);
  else screen.line(`${plural(unread, 'new message')} about ${id}. Read with \`troupe msg read ${id}\`.`);
};
