import type { Renderers } from '#surfaces/cli/screen.js';
import { NO_LIMIT } from '#surfaces/cli/terminal.js';
import { topFrame } from '#surfaces/cli/top/frame.js';

const WITHOUT_TERMINAL = 100;

export const renderers = {
  /** Prints one frame of the live view. */
  'status.work': (work, screen) => {
    const width = screen.width === NO_LIMIT ? WITHOUT_TERMINAL : screen.width;
    for (const line of topFrame(work, { screen, width })) screen.line(line);
  },
} satisfies Partial<Renderers>;
