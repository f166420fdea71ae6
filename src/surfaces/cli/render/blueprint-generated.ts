import { inert } from '#kernel/text.js';
import type { Screen } from '../screen.js';
import { type Blueprint, printBlueprint } from './blueprints.js';

interface Generated {
  readonly blueprint: Blueprint;
  readonly warnings: readonly { readonly message: string }[];
  readonly file?: string;
}

export function render({ blueprint, warnings, file }: Generated, screen: Screen): void {
  const { colour } = screen;
  printBlueprint(blueprint, screen);
  for (const { message } of warnings) screen.aside(`${colour.yellow('warning:')} ${inert(message)}`);
  screen.aside(
    file === undefined
      ? `Nothing was written. Keep it with ${colour.cyan('--out FILE')}, which ${colour.cyan('troupe blueprint apply --file FILE')} takes.`
      : `Written to ${inert(file)}. Next: ${colour.cyan(`troupe blueprint apply --file ${inert(file)}`)}`,
  );
}
