import type { Renderer, Renderers } from '#surfaces/cli/screen.js';
import { NO_LIMIT } from '#surfaces/cli/terminal.js';
import { topFrame } from '#surfaces/cli/top/frame.js';

const WITHOUT_TERMINAL = 100;

/** Prints one frame of the live view. */
export const renderStatusWork: Renderer<'status.work'> = (work, screen) => {
  const width = screen.width === NO_LIMIT ? WITHOUT_TERMINAL : screen.width;
  for (const line of topFrame(work, { screen, width })) screen.line(line);
};

export const renderers = {
  'status.work': renderStatusWork,
} satisfies Partial<Renderers>;
