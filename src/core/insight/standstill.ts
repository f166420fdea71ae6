import type { Task } from '#core/graph/task.js';
import type { TaskTable } from '#core/graph/task-table.js';
import type { GraphView } from '#core/graph/view.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { shellWord } from '#kernel/text.js';
import { isDeadlock } from './check.js';
import { type AwaitedAnswer, waitingCircles } from './waiting-circle.js';

/** Tasks that wait for ever, for one another or for a person, reported for one of them, with the command that helps. */
export interface Standstill {
  readonly task: Task;
  readonly kind: 'blocked' | 'person' | 'executor' | 'service';
  readonly text: string;
  readonly since: string | undefined;
  readonly command: string;
}

/** All standstills of a graph: cycles that cannot start, and runs that wait for one another's answers. */
export function standstills(table: TaskTable, awaited: readonly AwaitedAnswer[]): readonly Standstill[] {
  return [...deadlocks(table), ...circles(table.view, awaited)];
}

/** Deadlocks, which only a person can end. Cycles are computed only if there is one. */
function deadlocks(table: TaskTable): readonly Standstill[] {
  const { view } = table;
  if (!table.hasLoop()) return [];
  return [...view.cycles()].flatMap((cycle): Standstill[] => {
    const task = view.task(cycle.header);
    if (cycle.parent !== undefined || task === undefined || !isDeadlock(view, cycle)) return [];
    const { header, members } = cycle;
    const id = shellWord(header);
    const [text, command] =
      members.length === 1
        ? ['It waits for itself and can never start', `troupe edit ${id} --remove-after ${id}`]
        : [
            `${members.length} tasks wait for one another, so none can start: ${members.slice(0, WORK_LIMITS.cycleMembersTold).join(', ')}`,
            `troupe edit ${id} --max-iterations 3`,
          ];
    return [{ task, kind: 'blocked', text, since: task.created_at, command }];
  });
}

function circles(view: GraphView, awaited: readonly AwaitedAnswer[]): readonly Standstill[] {
  return waitingCircles(view, awaited).flatMap(([first = '', ...others]): Standstill[] => {
    const task = view.task(first);
    if (!task) return [];
    const text = `It and ${others.slice(0, WORK_LIMITS.cycleMembersTold).join(', ')} wait for one another's answers`;
    const command = `troupe answer ${shellWord(first)} "Answer the question you were asked, then go on."`;
    return [{ task, kind: 'person', text, since: task.wait_condition?.since, command }];
  });
}
