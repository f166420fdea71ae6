import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

/** What was put back, and how to go on from where it was. */
export function render(output: AnswerOf<'runs.restore'>, screen: Screen): void {
  if (output.snapshot_id === null) {
    screen.line(`The graph is what it was at ${inert(output.run_id)} already.`);
    return;
  }
  const removed = output.removed_tasks.length === 0 ? '' : `, ${output.removed_tasks.length} added since removed`;
  screen.line(`${plural(output.restored_tasks.length, 'task')} put back to ${inert(output.run_id)}${removed}.`);
  screen.line(
    screen.colour.dim(`What was there before is kept: \`troupe runs restore ${inert(output.snapshot_id)}\`.`),
  );
}
