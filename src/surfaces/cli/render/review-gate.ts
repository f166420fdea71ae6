import { STATUS_LOOK } from '#core/graph/status-look.js';
import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

interface Checked {
  readonly review: string;
  readonly steps: number;
  readonly findings: number;
}

export const render: Renderer<Checked> = (checked, screen) => {
  const look = STATUS_LOOK.done;
  const sign = screen.colour.green(screen.unicode ? look.glyph : look.ascii);
  screen.line(
    `${sign} Review “${inert(checked.review)}” is complete: ${checked.steps} steps, ${checked.findings} findings, and its files agree.`,
  );
};
