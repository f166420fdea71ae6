import { inert } from '#kernel/text.js';
import type { Screen } from '../screen.js';

export function render({ valid, errors }: { valid: boolean; errors: readonly string[] }, screen: Screen): void {
  if (valid) screen.line('Nothing is wrong with it.');
  for (const error of errors) screen.line(screen.colour.red(inert(error)));
}
