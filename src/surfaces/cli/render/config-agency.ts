import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<'config.agency'> = ({ settings, file, comments_kept, warnings }, screen) => {
  for (const { key, value } of settings) screen.line(`${key} = ${inert(String(value))}`);
  if (!comments_kept) screen.aside(`${file} was written anew: its comments could not be kept.`);
  for (const warning of warnings) screen.aside(`${screen.colour.yellow('warning:')} ${inert(warning)}`);
};
