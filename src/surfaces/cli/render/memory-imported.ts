import { inert, plural } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printLeftAlone } from './memory-words.js';

export const render: Renderer<'memory.import'> = ({ imported, skipped }, screen) => {
  const { colour } = screen;
  for (const { file, number, filed } of imported)
    screen.line(`${colour.green(filed.padEnd(8))} ${inert(file)} as entry ${number}`);
  printLeftAlone(skipped, screen);
  if (imported.length > 0)
    screen.aside(
      `${plural(imported.length, 'file')} taken in. See what waits: ${colour.cyan('troupe decision inbox')}`,
    );
  else screen.aside(skipped.length > 0 ? 'Nothing was taken in.' : 'Nothing new lies in .squad/decisions/inbox.');
};
