import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';

/** What became of the tasks since the run was kept. */
export function render(output: AnswerOf<'runs.diff'>, screen: Screen): void {
  if (output.changes.length === 0) {
    screen.line(`Every task stands where it stood at ${inert(output.run_id)}.`);
    return;
  }
  printTable(screen, output.changes, [
    { title: 'ID', text: (change) => inert(change.id), flexible: true },
    { title: 'THEN', text: (change) => inert(change.snapshot_status ?? '') },
    { title: 'NOW', text: (change) => inert(change.current_status ?? '') },
    { title: 'CHANGE', text: (change) => inert(change.change.replace('_', ' ')) },
  ]);
  screen.line(screen.colour.dim(`${plural(output.total_changes, 'change')} since ${inert(output.run_id)}.`));
}
