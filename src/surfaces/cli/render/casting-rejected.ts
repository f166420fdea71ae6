import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'casting.reject'> = (_rejected, screen) => {
  screen.line('The proposal is gone. The team is as it was.');
};
