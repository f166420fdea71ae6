import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

/** What was said, or that something was. */
export const render: Renderer<'session.chat'> = ({ id, name, task, number, messages }, screen) => {
  if (number !== null) {
    screen.line(`Said to session ${id} (${inert(name)}). Read the answer with \`troupe chat --coordinator ${id}\`.`);
    screen.aside(`It works at \`troupe show ${inert(task)}\` while a service runs.`);
    return;
  }
  for (const message of messages)
    screen.line(`${screen.colour.dim(inert(message.from))}  ${inert(message.text, true)}`);
  if (messages.length === 0) screen.line('Nothing was said yet: `troupe chat "…"` begins.');
};
