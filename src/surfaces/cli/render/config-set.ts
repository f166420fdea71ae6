import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'config.set'> = ({ key, value, from, file, comments_kept, warnings }, screen) => {
  if (from === 'unset') screen.line(`${key} is not set any more.`);
  else screen.line(`${key} = ${inert(String(value))}${from === 'default' ? ' (default)' : ''}`);
  if (!comments_kept) screen.aside(`${file} was written anew: its comments could not be kept.`);
  for (const warning of warnings) screen.aside(`${screen.colour.yellow('warning:')} ${inert(warning)}`);
};
