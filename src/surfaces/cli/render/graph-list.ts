import { inert } from '#kernel/text.js';
import type { Screen } from '../screen.js';
import { paintState, shownState, stateMark } from '../status-mark.js';
import { printTable } from '../table.js';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly status?: string;
  readonly ready?: boolean;
  readonly assigned?: string;
  readonly live?: boolean;
  readonly member?: string;
}

/** `list` and `ready`: a row a task. */
export function render(output: { tasks: readonly Row[]; total?: number }, screen: Screen): void {
  const { tasks, total } = output;
  if (tasks.length === 0) {
    screen.line(
      total === undefined
        ? 'Nothing is ready. See what it waits for with `troupe status`.'
        : total === 0
          ? 'No tasks yet. Add one with `troupe add "Title"`, or run a review with `troupe run`.'
          : `None of the ${total} tasks match.`,
    );
    return;
  }
  const stateOf = (row: Row) => shownState(row.status ?? 'open', row.ready ?? row.status === undefined);
  const wordOf = (row: Row) => (row.status === 'in-progress' ? (row.live ? 'running' : 'claimed') : undefined);
  const anyone = tasks.some((row) => row.member ?? row.assigned);
  printTable(screen, tasks, [
    { title: 'ID', text: (row) => inert(row.id) },
    {
      title: 'STATUS',
      text: (row) => stateMark(stateOf(row), screen, wordOf(row)),
      paint: (text, row) => paintState(text, stateOf(row), screen),
    },
    ...(anyone ? [{ title: 'WHO', text: (row: Row) => inert(row.member ?? row.assigned ?? '') }] : []),
    { title: 'TITLE', text: (row) => inert(row.title), flexible: true },
  ]);
}
