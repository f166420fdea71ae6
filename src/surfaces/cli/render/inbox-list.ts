import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { day, printText } from './memory-words.js';

/** Each entry whole: whoever settles one has to read it. */
export const render: Renderer<'inbox.list'> = ({ entries }, screen) => {
  const { colour } = screen;
  if (entries.length === 0) {
    screen.line('Nothing waits in the inbox. `troupe memory import` takes in what lies in .squad/decisions/inbox.');
    return;
  }
  for (const entry of entries) {
    const facts = [
      inert(entry.agent),
      entry.type,
      day(entry.created_at),
      entry.status === 'pending' ? '' : entry.status,
    ];
    const said = facts.filter((fact) => fact !== '').join(', ');
    screen.line(`${colour.dim(`#${entry.number}`)} ${colour.bold(inert(entry.title))}  ${colour.dim(said)}`);
    printText(entry.content, screen);
    if (entry.rationale !== '') printText(`Because: ${entry.rationale}`, screen);
    if (entry.reason !== undefined) printText(`Rejected: ${entry.reason}`, screen);
  }
  if (entries.some(({ status }) => status === 'pending'))
    screen.aside(`Settle one: ${colour.cyan('troupe decision merge N')} or ${colour.cyan('troupe decision reject N')}`);
};
