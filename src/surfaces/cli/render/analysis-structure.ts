import { inert, plural } from '#kernel/text.js';
import { bar } from '../chart.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';
import { firstRows, idColumn, someIds, statusColumn } from './analysis-words.js';

const ROWS = 15;
const IDS = 12;
const BAR = 16;

/** Where it begins, what matters most there, where it ends. */
export function render(
  { entry_points, dead_ends, high_impact_roots: roots }: AnswerOf<'analysis.structure'>,
  screen: Screen,
): void {
  const { colour } = screen;
  if (entry_points.length === 0 && dead_ends.length === 0) {
    screen.line('No tasks with a beginning or an end. Add one with `troupe add "Title"`, or look at `troupe cycles`.');
    return;
  }
  screen.line(`${colour.bold('Begins')}  ${plural(entry_points.length, 'task')}`);
  if (entry_points.length > 0) screen.line(`  ${someIds(entry_points, IDS)}`);
  if (roots.length > 0) {
    const most = Math.max(...roots.map((root) => root.transitive_dependents));
    screen.line();
    printTable(screen, roots, [
      { title: 'BEGINNING', text: (row) => inert(row.id) },
      { title: 'AFTER IT', text: (row) => String(row.transitive_dependents), right: true },
      { title: ' '.repeat(BAR), text: (row) => bar(row.transitive_dependents, most, BAR, screen) },
    ]);
  }
  screen.line();
  screen.line(`${colour.bold('Ends')}  ${plural(dead_ends.length, 'task')}`);
  const odd = dead_ends.filter((end) => !end.expected);
  const expected = dead_ends.filter((end) => end.expected).map((end) => end.id);
  if (expected.length > 0) screen.line(`  ${someIds(expected, IDS)}`);
  if (odd.length === 0) return;
  const { shown, more } = firstRows(odd, ROWS);
  screen.line();
  printTable(screen, shown, [
    idColumn(),
    statusColumn(screen),
    { title: 'ODD', text: (row) => inert(row.warning ?? ''), flexible: true },
  ]);
  if (more) screen.line(colour.dim(`  ${more}`));
}
