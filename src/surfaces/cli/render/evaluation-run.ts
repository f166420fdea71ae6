import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { render as recorded } from './evaluation-recorded.js';

interface Kept {
  readonly task_id: string;
  readonly score: number;
  readonly source: string;
  readonly path: string;
  readonly notes?: string;
  readonly warnings?: readonly string[];
}

interface Output extends Partial<Kept> {
  readonly task_id: string;
  readonly flip?: Kept;
  readonly flip_failed?: string;
  readonly prompt?: string;
}

export const render: Renderer<Output> = (output, screen) => {
  const { task_id, score, source = '', path = '', notes, warnings = [], flip, flip_failed, prompt } = output;
  if (prompt !== undefined) screen.line(inert(prompt, true));
  if (score !== undefined) recorded({ task_id, score, source, path, warnings }, screen);
  if (notes) screen.line(inert(notes));
  if (flip) recorded(flip, screen);
  if (flip_failed !== undefined)
    screen.aside(`The second look failed, and the score stands without it: ${inert(flip_failed)}`);
};
