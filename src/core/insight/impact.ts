import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { LIMITS } from '#kernel/limits.js';
import { type Brief, briefOf, hoursTogether, isUnfinished } from './brief.js';
import { Neighbours } from './neighbours.js';

export interface Impact {
  readonly task: Brief;
  readonly direct_dependents: readonly Brief[];
  /** The direct ones among them. */
  readonly transitive_dependents: readonly Brief[];
  /** Ways from the task to an end, as ids; the first of them, and of a very long one the beginning. */
  readonly dependency_chains: readonly (readonly string[])[];
  /** What is not finished yet: that is what a delay can hurt. */
  readonly impact_summary: { readonly total_tasks_affected: number; readonly total_hours_at_risk: number };
}

/** What depends on a task, directly and by whatever way. */
export function impactOf(view: GraphView, id: string): Impact {
  const task = taskOf(view, id);
  const around = new Neighbours(view);
  const step = (other: string) => around.dependents(other);
  const all = around.from(task.id, step);
  const affected = all.filter(isUnfinished);
  return {
    task: briefOf(task),
    direct_dependents: step(task.id).map(briefOf),
    transitive_dependents: all.map(briefOf),
    dependency_chains: chainsFrom(task.id, step),
    impact_summary: { total_tasks_affected: affected.length, total_hours_at_risk: hoursTogether(affected) },
  };
}

/** Goes each way to its end, or to where it would come back to itself, in the order of ids. */
function chainsFrom(start: string, step: (id: string) => readonly Task[]): string[][] {
  const chains: string[][] = [];
  const way = [start];
  const onWay = new Set(way);
  const pending: Iterator<Task>[] = [step(start).values()];
  let went = false;
  while (pending.length > 0 && chains.length < LIMITS.impactChains) {
    const next = pending.at(-1)?.next();
    if (next && next.done !== true) {
      const { id } = next.value;
      if (onWay.has(id)) continue;
      way.push(id);
      onWay.add(id);
      pending.push((way.length < LIMITS.impactChainTasks ? step(id) : []).values());
      went = true;
      continue;
    }
    if (went) chains.push([...way]);
    went = false;
    pending.pop();
    onWay.delete(way.pop() ?? '');
  }
  return chains;
}
