import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'squad.render'> = (result, screen) => {
  if (result.written.length + result.removed.length === 0)
    screen.line('Nothing to write: all files are as they should be');
  for (const file of result.written) screen.line(`wrote    ${inert(file)}`);
  for (const file of result.removed) screen.line(`removed  ${inert(file)}`);
};
