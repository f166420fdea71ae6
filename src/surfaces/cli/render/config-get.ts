import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

/** The bare value, for scripts. */
export const render: Renderer<'config.get'> = ({ key, value }, screen) => {
  if (value === undefined) screen.aside(`${key} is not set. Set it with \`troupe config set ${key} VALUE\`.`);
  else screen.line(inert(String(value)));
};
