import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'decision.add' | 'decision.archive'> = ({ number, title, status }, screen) => {
  screen.line(`Decision ${number} is ${status}: ${screen.colour.bold(inert(title))}`);
  screen.aside(`To the files: ${screen.colour.cyan('troupe memory export')}`);
};
