import type { Fact } from '#core/analysis/why.js';
import { inert } from '#kernel/text.js';
import type { Screen } from '../screen.js';

/** The one fact, and quietly what else there is. */
export function render(facts: readonly Fact[], screen: Screen): void {
  const [first, ...others] = facts;
  screen.line(inert(first?.text ?? 'Nothing keeps it from running.'));
  for (const fact of others) screen.line(screen.colour.dim(`  also: ${inert(fact.text)}`));
}
