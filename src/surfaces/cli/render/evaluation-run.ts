import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { render as recorded } from './evaluation-recorded.js';

export const render: Renderer<'evaluation.run'> = (output, screen) => {
  const { task_id, score, source = '', path = '', notes, warnings = [], flip, flip_failed, prompt } = output;
  if (prompt !== undefined) screen.line(inert(prompt, true));
  if (score !== undefined) recorded({ task_id, score, source, path, warnings }, screen);
  if (notes) screen.line(inert(notes));
  if (flip) recorded(flip, screen);
  if (flip_failed !== undefined)
    screen.aside(`The second look failed, and the score stands without it: ${inert(flip_failed)}`);
};
