import { plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

/** Git shows it between its own lines. */
export function render({ tasks, lost }: AnswerOf<'project.git-merge'>, screen: Screen): void {
  const gave = lost === 0 ? '' : `; ${plural(lost, 'value')} gave way and stand in the task logs`;
  screen.line(`Merged the task graph: ${plural(tasks, 'node')}${gave}.`);
}
