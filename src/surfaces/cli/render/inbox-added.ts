import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

interface Added {
  readonly number: number;
  readonly title: string;
  readonly status: string;
  readonly filed: string;
}

const WORDS: Readonly<Record<string, string>> = { added: 'waits', changed: 'says this now', same: 'was there before' };

export const render: Renderer<Added> = ({ number, title, filed }, screen) => {
  screen.line(`Entry ${number} ${WORDS[filed] ?? filed}: ${screen.colour.bold(inert(title))}`);
  screen.aside(`See what waits: ${screen.colour.cyan('troupe decision inbox')}`);
};
