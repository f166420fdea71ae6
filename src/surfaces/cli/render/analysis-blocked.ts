import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';
import { firstRows, idColumn, statusColumn, titleColumn } from './analysis-words.js';

const ROWS = 50;

/** A row for each task it waits for. */
export function render({ task, blockers }: AnswerOf<'task.blocked'>, screen: Screen): void {
  if (blockers.length === 0) {
    screen.line(`No task holds ${inert(task.id)} up. What else may keep it: \`troupe why ${inert(task.id)}\`.`);
    return;
  }
  const { shown, more } = firstRows(blockers, ROWS);
  printTable(screen, shown, [
    idColumn(),
    statusColumn(screen),
    ...(blockers.some((row) => row.assigned !== null)
      ? [{ title: 'WHO', text: (row: (typeof blockers)[number]) => inert(row.assigned ?? '') }]
      : []),
    titleColumn(),
  ]);
  if (more) screen.line(screen.colour.dim(`  ${more}`));
}
