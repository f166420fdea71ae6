import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

interface Changed {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly changed: boolean;
  readonly warnings: readonly string[];
  readonly entity: { readonly retired: boolean };
}

export const render: Renderer<Changed> = ({ id, kind, name, changed, warnings, entity }, screen) => {
  const state = entity.retired ? 'is out of use' : changed ? 'is kept' : 'stays as it is';
  screen.line(`${screen.colour.bold(id.slice(0, 8))} ${kind} ${inert(name)} ${state}.`);
  for (const warning of warnings) screen.aside(`${screen.colour.yellow('note:')} ${inert(warning)}`);
};
