import { inert } from '#kernel/text.js';
import type { Screen } from '../screen.js';

interface Output {
  readonly folder: string;
  readonly created: boolean;
  readonly trusted: boolean;
}

export function render({ folder, created, trusted }: Output, screen: Screen): void {
  screen.line(created ? `Made ${inert(folder)}.` : `${inert(folder)} is there already.`);
  if (!trusted) {
    const why = created
      ? 'Your own settings cannot be written, so this machine does not remember that you made it.'
      : 'It was not made on this machine: its commands do not run before you trust it.';
    screen.aside(`${screen.colour.yellow('warning:')} ${why} See \`troupe trust --show\`.`);
  }
  screen.line('Next: `troupe add "Title"`, or `troupe run` to have a team review this repository.');
}
