import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<{ proposal_id: string }> = (_rejected, screen) => {
  screen.line('The proposal is gone. The team is as it was.');
};
