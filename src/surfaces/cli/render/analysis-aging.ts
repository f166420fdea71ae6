import type { Aged } from '#core/insight/aging.js';
import { formatDuration } from '#kernel/duration.js';
import { inert, plural } from '#kernel/text.js';
import { bar } from '../chart.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';
import { firstRows, idColumn, statusColumn, titleColumn } from './analysis-words.js';

const BAR = 24;
const ROWS = 10;

/** How old the unfinished work is, the oldest of it, and what is held too long. */
export function render(
  { buckets, oldest, stale, tasks_without_timestamp: unknown }: AnswerOf<'analysis.aging'>,
  screen: Screen,
): void {
  const { colour } = screen;
  const total = buckets.reduce((sum, bucket) => sum + bucket.tasks, 0);
  if (total === 0 && unknown === 0) {
    screen.line('Nothing is unfinished. Add a task with `troupe add "Title"`.');
    return;
  }
  printTable(screen, buckets, [
    { title: 'AGE', text: (row) => row.name },
    { title: 'TASKS', text: (row) => String(row.tasks), right: true },
    { title: ' '.repeat(BAR), text: (row) => bar(row.tasks, total, BAR, screen) },
  ]);
  section('Oldest', oldest, screen);
  section('Held for more than a day', stale, screen);
  const [first] = stale;
  if (first) screen.line(`Take one back with \`troupe unclaim ${inert(first.id)}\`.`);
  if (unknown > 0) screen.line(colour.dim(`${plural(unknown, 'task')} without a time`));
}

function section(title: string, rows: readonly Aged[], screen: Screen): void {
  if (rows.length === 0) return;
  screen.line();
  screen.line(screen.colour.bold(title));
  const { shown, more } = firstRows(rows, ROWS);
  printTable(screen, shown, [
    idColumn(),
    statusColumn(screen),
    { title: 'FOR', text: (row) => formatDuration(row.age_seconds * 1_000), right: true },
    ...(rows.some((row) => row.assigned !== null)
      ? [{ title: 'WHO', text: (row: Aged) => inert(row.assigned ?? '') }]
      : []),
    titleColumn(),
  ]);
  if (more) screen.line(screen.colour.dim(`  ${more}`));
}
