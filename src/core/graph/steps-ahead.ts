import { isTerminal } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

/**
 * For each task, how many tasks have to end one after another before it can begin: its longest way back. One that failed
 * and is needed as done counts too: it has to be tried again. On a cycle the edge that closes it counts for nothing.
 * Costs each task and edge on the way once.
 */
export function stepsAhead(view: GraphView, ids: Iterable<string>): ReadonlyMap<string, number> {
  const steps = new Map<string, number>();
  const entered = new Set<string>();
  for (const start of ids) {
    const pending = [start];
    for (let id = pending.at(-1); id !== undefined; id = pending.at(-1)) {
      const before = unfinishedBefore(view, id);
      const unknown = entered.has(id) ? [] : before.filter((other) => !entered.has(other));
      entered.add(id);
      if (unknown.length > 0) {
        pending.push(...unknown);
        continue;
      }
      pending.pop();
      if (!steps.has(id)) steps.set(id, Math.max(0, ...before.map((other) => (steps.get(other) ?? 0) + 1)));
    }
  }
  return steps;
}

function unfinishedBefore(view: GraphView, id: string): string[] {
  const task = view.task(id);
  return (task?.after ?? []).filter((other) => {
    const status = view.task(other)?.status;
    if (status === undefined || status === 'done') return false;
    return !isTerminal(status) || task?.after_success?.includes(other) === true;
  });
}
