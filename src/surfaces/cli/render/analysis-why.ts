import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

/** The one fact, and quietly what else there is. */
export function render(facts: AnswerOf<'task.why'>, screen: Screen): void {
  const [first, ...others] = facts;
  screen.line(inert(first?.text ?? 'Nothing keeps it from running.'));
  for (const fact of others) screen.line(screen.colour.dim(`  also: ${inert(fact.text)}`));
}
