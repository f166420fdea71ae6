import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

interface Changed {
  readonly number: number;
  readonly title: string;
  readonly status: string;
}

export const render: Renderer<Changed> = ({ number, title, status }, screen) => {
  screen.line(`Decision ${number} is ${status}: ${screen.colour.bold(inert(title))}`);
  screen.aside(`To the files: ${screen.colour.cyan('troupe memory export')}`);
};
