import { WORK_LIMITS } from '#kernel/limits/work.js';
import { plural, shellWord } from '#kernel/text.js';
import type { Task } from './task.js';

/**
 * Returns the tasks that would wait for one another for ever once `id` depends on `after`; undefined if there are none
 * or one of them has a `cycle_config`. `waiting` are the dependents of the task: without any, nothing is searched.
 */
export function closedDeadlock(
  taskOf: (id: string) => Task | undefined,
  id: string,
  { after, waiting }: { readonly after: readonly string[]; readonly waiting: readonly string[] },
): readonly string[] | undefined {
  if (waiting.length === 0) return undefined;
  const cameBy = new Map(after.filter((before) => before !== id).map((before) => [before, id]));
  const queue = [...cameBy.keys()];
  for (let current = queue.pop(); current !== undefined; current = queue.pop()) {
    if (waiting.includes(current)) {
      const members = [id];
      for (let member = current; member !== id; member = cameBy.get(member) ?? id) members.push(member);
      return members.some((member) => taskOf(member)?.cycle_config !== undefined) ? undefined : members;
    }
    for (const before of taskOf(current)?.after ?? []) {
      if (cameBy.has(before) || before === id) continue;
      cameBy.set(before, current);
      queue.push(before);
    }
  }
  return undefined;
}

/** Warning for the caller that created the edge. */
export function deadlockWarning(members: readonly string[]): string {
  const [first = ''] = members;
  const named = [...members].sort().slice(0, WORK_LIMITS.cycleMembersTold).join(', ');
  return `${plural(members.length, 'task')} now wait for one another, so none can start (${named}): \`troupe edit ${shellWord(first)} --max-iterations 3\` makes it a cycle, or remove a dependency.`;
}
