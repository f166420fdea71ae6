import { inert, plural } from '#kernel/text.js';
import { bar } from '../chart.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';
import { numberText } from './analysis-words.js';

const BAR = 16;

/** A row for each who has something before them, and what belongs to nobody. */
export function render({ people, unassigned }: AnswerOf<'analysis.workload'>, screen: Screen): void {
  const free = unassigned.task_ids.length;
  if (people.length === 0) {
    screen.line(
      free === 0
        ? 'Nothing is unfinished. Add a task with `troupe add "Title"`.'
        : `Nobody has anything: ${plural(free, 'unfinished task')} without a member. Give one away with \`troupe edit ID --member NAME\`.`,
    );
    return;
  }
  const rows = free > 0 ? [...people, { ...unassigned, name: '–' }] : people;
  const most = Math.max(...rows.map((row) => row.task_ids.length));
  printTable(screen, rows, [
    { title: 'WHO', text: (row) => inert(row.name) },
    { title: 'TASKS', text: (row) => String(row.task_ids.length), right: true },
    { title: ' '.repeat(BAR), text: (row) => bar(row.task_ids.length, most, BAR, screen) },
    { title: 'IN PROGRESS', text: (row) => String(row.in_progress), right: true },
    { title: 'READY', text: (row) => String(row.ready), right: true },
    { title: 'WAITING', text: (row) => String(row.waiting), right: true },
    { title: 'HOURS', text: (row) => numberText(row.hours), right: true },
  ]);
}
