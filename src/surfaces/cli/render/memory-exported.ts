import { inert, plural } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printLeftAlone } from './memory-words.js';

export const render: Renderer<'memory.export'> = ({ exported, kept }, screen) => {
  const { colour } = screen;
  for (const { file, change } of exported)
    screen.line(`${change === 'written' ? colour.green('written') : colour.dim('removed')}  ${inert(file)}`);
  printLeftAlone(kept, screen);
  screen.aside(
    exported.length > 0 ? `${plural(exported.length, 'file')} changed.` : 'The files say what is remembered.',
  );
};
