import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printBlueprint } from './blueprints.js';

export function render({ blueprint, warnings, file }: AnswerOf<'blueprint.generate'>, screen: Screen): void {
  const { colour } = screen;
  printBlueprint(blueprint, screen);
  for (const { message } of warnings) screen.aside(`${colour.yellow('warning:')} ${inert(message)}`);
  screen.aside(
    file === undefined
      ? `Nothing was written. Keep it with ${colour.cyan('--out FILE')}, which ${colour.cyan('troupe blueprint apply --file FILE')} takes.`
      : `Written to ${inert(file)}. Next: ${colour.cyan(`troupe blueprint apply --file ${inert(file)}`)}`,
  );
}
