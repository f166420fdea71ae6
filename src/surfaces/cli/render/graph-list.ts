import { inert } from '#kernel/text.js';
import type { AnswerOf, EitherOf, Screen } from '../screen.js';
import { paintState, shownState, stateMark } from '../status-mark.js';
import { printTable } from '../table.js';

type Answer = AnswerOf<'task.list' | 'task.ready'>;
type Row = EitherOf<AnswerOf<'task.list' | 'task.ready'>['tasks'][number]>;

/** `list` and `ready`: a row a task. */
export function render(output: Answer, screen: Screen): void {
  const { total } = output;
  const tasks: readonly Row[] = output.tasks;
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
