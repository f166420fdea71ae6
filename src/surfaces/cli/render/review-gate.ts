import { STATUS_LOOK } from '#core/graph/status-look.js';
import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'review.check'> = (checked, screen) => {
  const look = STATUS_LOOK.done;
  const sign = screen.colour.green(screen.unicode ? look.glyph : look.ascii);
  screen.line(
    `${sign} Review “${inert(checked.review)}” is complete: ${checked.steps} steps, ${checked.findings} findings, and its files agree.`,
  );
};
