import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

interface Output {
  readonly settings: readonly { readonly key: string; readonly value?: string | number | boolean }[];
  readonly file: string;
  readonly comments_kept: boolean;
  readonly warnings: readonly string[];
}

export const render: Renderer<Output> = ({ settings, file, comments_kept, warnings }, screen) => {
  for (const { key, value } of settings) screen.line(`${key} = ${inert(String(value))}`);
  if (!comments_kept) screen.aside(`${file} was written anew: its comments could not be kept.`);
  for (const warning of warnings) screen.aside(`${screen.colour.yellow('warning:')} ${inert(warning)}`);
};
