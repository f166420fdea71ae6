import { plural } from '#kernel/text.js';
import { bar } from '../chart.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';
import { firstRows, hoursText, idColumn, numberText, statusColumn, titleColumn } from './analysis-words.js';

const ROWS = 30;
const SLACK_ROWS = 8;
const BAR = 12;

/** The chain from its beginning to its end, then what else has little room. */
export function render(output: AnswerOf<'analysis.critical-path'>, screen: Screen): void {
  const { critical_path: path, total_hours: total, cycles_skipped: skipped } = output;
  const { colour } = screen;
  if (path.length === 0) {
    screen.line(
      skipped > 0
        ? 'All that is unfinished is in cycles, which have no longest chain. See them with `troupe cycles`.'
        : 'Nothing is unfinished. Add a task with `troupe add "Title"`.',
    );
    return;
  }
  screen.line(`${colour.bold('Critical path')}  ${plural(path.length, 'task')}, ${hoursText(total)}`);
  const most = Math.max(...path.map((row) => row.hours ?? 0));
  const { shown, more } = firstRows(path, ROWS);
  printTable(screen, shown, [
    idColumn(),
    statusColumn(screen),
    { title: 'HOURS', text: (row) => (row.hours === null ? '–' : numberText(row.hours)), right: true },
    ...(most > 0
      ? [{ title: ' '.repeat(BAR), text: (row: (typeof path)[number]) => bar(row.hours ?? 0, most, BAR, screen) }]
      : []),
    titleColumn(),
  ]);
  if (more) screen.line(colour.dim(`  ${more}`));
  const onPath = new Set(path.map((row) => row.id));
  const others = output.slack_analysis.filter((row) => !onPath.has(row.id));
  if (others.length > 0 && total > 0) {
    screen.line();
    screen.line(colour.bold('Little room'));
    const rest = firstRows(others, SLACK_ROWS);
    printTable(screen, rest.shown, [
      idColumn(),
      { title: 'SLACK', text: (row) => hoursText(row.slack_hours), right: true },
      titleColumn(),
    ]);
    if (rest.more) screen.line(colour.dim(`  ${rest.more}`));
  }
  if (total === 0) screen.aside('No task says how long it takes: `troupe add "Title" --hours N` says it.');
  if (skipped > 0) screen.aside(`${plural(skipped, 'cycle')} left out: a cycle has no longest chain.`);
}
