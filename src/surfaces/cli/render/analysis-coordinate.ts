import type { Coordinated } from '#core/insight/coordinate.js';
import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';
import { firstRows, idColumn, someIds, titleColumn } from './analysis-words.js';

const ROWS = 10;

type Row = Coordinated['ready'][number] & { readonly waits_for?: readonly string[] };

/** What can start, what is under way, what that sets free. */
export function render(output: AnswerOf<'analysis.coordinate'>, screen: Screen): void {
  const waiting = plural(output.waiting_count, 'task');
  section('Needs a person', output.needs_person, output.needs_person.length, screen);
  section('In progress', output.in_progress, output.in_progress_count, screen);
  section('Can start side by side', output.ready, output.ready_count, screen);
  section('Next, once those are finished', output.next, output.next.length, screen);
  if (output.ready_count + output.in_progress_count + output.waiting_count + output.needs_person.length === 0)
    screen.line('Nothing is left to coordinate. Add a task with `troupe add "Title"`.');
  else if (output.ready_count === 0 && output.in_progress_count === 0)
    screen.line(`Nothing moves: ${waiting} held up. Look for the reason with \`troupe check\` and \`troupe status\`.`);
}

function section(title: string, rows: readonly Row[], total: number, screen: Screen): void {
  if (rows.length === 0) return;
  screen.line(`${screen.colour.bold(title)}  ${total}`);
  const { shown } = firstRows(rows, ROWS);
  printTable(screen, shown, [
    idColumn(),
    ...(rows.some((row) => row.member ?? row.assigned)
      ? [{ title: 'WHO', text: (row: Row) => inert(row.member ?? row.assigned ?? '') }]
      : []),
    ...(rows.some((row) => row.waits_for !== undefined)
      ? [{ title: 'WAITS FOR', text: (row: Row) => someIds(row.waits_for ?? [], 3) }]
      : []),
    titleColumn(),
  ]);
  if (total > ROWS) screen.line(screen.colour.dim(`  and ${total - ROWS} more`));
  screen.line();
}
