import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

export const render: Renderer<
  | 'role.edit'
  | 'role.remove'
  | 'role.restore'
  | 'tradeoff.edit'
  | 'tradeoff.remove'
  | 'tradeoff.restore'
  | 'identity.edit'
  | 'identity.remove'
  | 'identity.restore'
  | 'role.add'
  | 'tradeoff.add'
  | 'identity.create'
> = ({ id, kind, name, changed, warnings, entity }, screen) => {
  const state = entity.retired ? 'is out of use' : changed ? 'is kept' : 'stays as it is';
  screen.line(`${screen.colour.bold(id.slice(0, 8))} ${kind} ${inert(name)} ${state}.`);
  for (const warning of warnings) screen.aside(`${screen.colour.yellow('note:')} ${inert(warning)}`);
};
