import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

interface Talk {
  readonly id: number;
  readonly name: string;
  readonly task: string;
  readonly number: number | null;
  readonly messages: readonly { readonly from: string; readonly text: string; readonly number: number }[];
}

/** What was said, or that something was. */
export const render: Renderer<Talk> = ({ id, name, task, number, messages }, screen) => {
  if (number !== null) {
    screen.line(`Said to session ${id} (${inert(name)}). Read the answer with \`troupe chat --coordinator ${id}\`.`);
    screen.aside(`It works at \`troupe show ${inert(task)}\` while a service runs.`);
    return;
  }
  for (const message of messages)
    screen.line(`${screen.colour.dim(inert(message.from))}  ${inert(message.text, true)}`);
  if (messages.length === 0) screen.line('Nothing was said yet: `troupe chat "…"` begins.');
};
