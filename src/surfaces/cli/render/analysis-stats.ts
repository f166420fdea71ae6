import { STATUSES } from '#core/graph/task.js';
import { formatDuration } from '#kernel/duration.js';
import { inert, plural } from '#kernel/text.js';
import { bar } from '../chart.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';
import { hoursText, numberText, statusColumn } from './analysis-words.js';

const BAR = 24;
const TAGS = 8;

/** Statuses as bars, then the sums. */
export function render(stats: AnswerOf<'analysis.stats'>, screen: Screen): void {
  const { colour } = screen;
  if (stats.total_tasks === 0) {
    screen.line('No tasks yet. Add one with `troupe add "Title"`, or run a review with `troupe run`.');
    return;
  }
  screen.line(
    `${colour.bold(plural(stats.total_tasks, 'task'))}, ${plural(stats.edges, 'edge')}, ${plural(stats.cycles, 'cycle')}`,
  );
  const rows = STATUSES.map((status) => ({ status, count: stats.by_status[status] })).filter((row) => row.count > 0);
  printTable(screen, rows, [
    statusColumn(screen),
    { title: 'TASKS', text: (row) => String(row.count), right: true },
    { title: ' '.repeat(BAR), text: (row) => bar(row.count, stats.total_tasks, BAR, screen) },
  ]);
  const facts: [string, string][] = [];
  if (stats.estimated_hours > 0)
    facts.push(['hours', `${hoursText(stats.remaining_hours)} of ${hoursText(stats.estimated_hours)} left`]);
  if (stats.estimated_cost > 0) facts.push(['cost', numberText(stats.estimated_cost)]);
  if (stats.average_seconds !== null)
    facts.push(['took', `${formatDuration(stats.average_seconds * 1_000)} on average`]);
  if (stats.retries > 0) facts.push(['failures', String(stats.retries)]);
  if (stats.tokens > 0)
    facts.push(['tokens', `${stats.tokens}${stats.spent_usd > 0 ? `, $${stats.spent_usd.toFixed(2)}` : ''}`]);
  if (stats.tags.length > 0)
    facts.push([
      'tags',
      stats.tags
        .slice(0, TAGS)
        .map(({ tag, tasks }) => `${inert(tag)} ${tasks}`)
        .join(', '),
    ]);
  if (facts.length > 0) screen.line();
  for (const [name, value] of facts) screen.line(`${colour.dim(name.padEnd(8))}  ${value}`);
}
