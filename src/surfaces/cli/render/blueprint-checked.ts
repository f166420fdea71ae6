import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

export function render({ valid, errors }: AnswerOf<'blueprint.validate'>, screen: Screen): void {
  if (valid) screen.line('Nothing is wrong with it.');
  for (const error of errors) screen.line(screen.colour.red(inert(error)));
}
