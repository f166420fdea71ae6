import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { sayFilter } from './runs-list.js';

/** One run: when, what was asked for, what it opened. */
export function render(output: AnswerOf<'runs.show'>, screen: Screen): void {
  screen.line(`${screen.colour.bold(inert(output.id))}  ${inert(output.timestamp)}`);
  screen.line(`Asked for: ${inert(sayFilter(output.filter))}`);
  if (output.model !== null) screen.line(`Model: ${inert(output.model)}`);
  screen.line(`Opened again (${output.reset_tasks.length}):`);
  for (const id of output.reset_tasks) screen.line(`  ${inert(id)}`);
  screen.line(`Left as they were: ${output.preserved_tasks.length}`);
  screen.line(screen.colour.dim(`See what became of it with \`troupe runs diff ${inert(output.id)}\`.`));
}
