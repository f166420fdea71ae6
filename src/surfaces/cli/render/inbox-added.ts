import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

const WORDS: Readonly<Record<string, string>> = { added: 'waits', changed: 'says this now', same: 'was there before' };

export const render: Renderer<'inbox.add'> = ({ number, title, filed }, screen) => {
  screen.line(`Entry ${number} ${WORDS[filed] ?? filed}: ${screen.colour.bold(inert(title))}`);
  screen.aside(`See what waits: ${screen.colour.cyan('troupe decision inbox')}`);
};
