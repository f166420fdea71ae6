import { inert } from '#kernel/text.js';
import { bar } from '../chart.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';
import { idColumn, statusColumn } from './analysis-words.js';

const BAR = 16;

/** Who holds up most, with what to do about it. */
export function render(output: AnswerOf<'analysis.bottlenecks'>, screen: Screen): void {
  const { bottlenecks, total_tasks: total } = output;
  if (bottlenecks.length === 0) {
    screen.line(
      total === 0
        ? 'No tasks yet. Add one with `troupe add "Title"`.'
        : 'No unfinished task holds another one up. What can start is in `troupe ready`.',
    );
    return;
  }
  const most = Math.max(...bottlenecks.map((row) => row.transitive_before));
  printTable(screen, bottlenecks, [
    idColumn(),
    statusColumn(screen),
    { title: 'WAITING', text: (row) => String(row.transitive_before), right: true },
    { title: ' '.repeat(BAR), text: (row) => bar(row.transitive_before, most, BAR, screen) },
    { title: 'DIRECT', text: (row) => String(row.direct_blocks), right: true },
    { title: 'ADVICE', text: (row) => inert(row.recommendation), flexible: true },
  ]);
}
