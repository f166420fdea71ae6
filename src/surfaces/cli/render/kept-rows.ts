import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { paintState, shownState, stateMark } from '../status-mark.js';
import { printTable } from '../table.js';

/** What commands answer that take tasks out of the graph or list those outside. */
export type MovedOut = AnswerOf<'archive.move' | 'archive.search' | 'archive.restore' | 'gc.remove'>;
type KeptRow = MovedOut['tasks'][number];

/** A row a task, with the day it ended. */
export function printKept(rows: readonly KeptRow[], screen: Screen): void {
  const stateOf = (row: KeptRow) => shownState(row.status, false);
  printTable(screen, rows, [
    { title: 'ID', text: (row) => inert(row.id) },
    {
      title: 'STATUS',
      text: (row) => stateMark(stateOf(row), screen),
      paint: (text, row) => paintState(text, stateOf(row), screen),
    },
    { title: 'ENDED', text: (row) => inert(row.completed_at?.slice(0, 10) ?? '') },
    { title: 'TITLE', text: (row) => inert(row.title), flexible: true },
  ]);
}
