import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'session.delete'> = ({ id, name }, screen) => {
  screen.line(`Session ${id} (${inert(name)}) is gone; its tasks belong to the rest.`);
};
