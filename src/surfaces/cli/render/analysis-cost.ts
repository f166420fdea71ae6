import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { hoursText, numberText, someIds } from './analysis-words.js';

/** Two sums, and what they leave out. */
export function render(
  { task_id, total_cost, total_hours, missing_estimates: missing }: AnswerOf<'analysis.cost'>,
  screen: Screen,
): void {
  const { colour } = screen;
  screen.line(`${colour.bold(inert(task_id))} with everything before it`);
  screen.line(`  ${colour.dim('cost ')}  ${numberText(total_cost)}`);
  screen.line(`  ${colour.dim('hours')}  ${hoursText(total_hours)}`);
  if (missing.length === 0) return;
  const verb = missing.length === 1 ? 'says' : 'say';
  screen.line(`  ${colour.dim(`${plural(missing.length, 'task')} ${verb} neither: ${someIds(missing)}`)}`);
}
