import * as z from 'zod/mini';
import { isTask, type Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { byId } from '#kernel/order.js';
import { briefOf, isUnfinished, totalHours } from './brief.js';
import { brief, briefs, ids, list } from './shapes.js';

export const impactShape = z.object({
  task: brief,
  direct_dependents: briefs,
  /** Includes the direct ones. */
  transitive_dependents: briefs,
  /** Paths of ids from the task to an end: the first ones, and only the beginning of a very long one. */
  dependency_chains: list(ids),
  /** Unfinished tasks only: those that a delay can affect. */
  impact_summary: z.object({ total_tasks_affected: z.number(), total_hours_at_risk: z.number() }),
});
export type Impact = z.infer<typeof impactShape>;

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
    impact_summary: { total_tasks_affected: affected.length, total_hours_at_risk: totalHours(affected) },
  };
}

/** Enumerates paths to their ends, or until they would revisit a task, in id order. */
function chainsFrom(start: string, step: (id: string) => readonly Task[]): string[][] {
  const chains: string[][] = [];
  const way = [start];
  const onWay = new Set(way);
  const pending: Iterator<Task>[] = [step(start).values()];
  let went = false;
  while (pending.length > 0 && chains.length < SURFACE_LIMITS.impactChains) {
    const next = pending.at(-1)?.next();
    if (next && next.done !== true) {
      const { id } = next.value;
      if (onWay.has(id)) continue;
      way.push(id);
      onWay.add(id);
      pending.push((way.length < SURFACE_LIMITS.impactChainTasks ? step(id) : []).values());
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

/** Dependents and predecessors of all tasks, read once for walks over many; self-edges excluded, sorted by id. */
export class Neighbours {
  private readonly after = new Map<string, Task[]>();
  private readonly byId = new Map<string, Task>();

  constructor(view: GraphView) {
    for (const node of view.nodes()) {
      if (!isTask(node)) continue;
      this.byId.set(node.id, node);
      for (const id of new Set(node.after)) {
        if (id === node.id) continue;
        const list = this.after.get(id);
        if (list) list.push(node);
        else this.after.set(id, [node]);
      }
    }
  }

  dependents(id: string): readonly Task[] {
    return (this.after.get(id) ?? []).sort(byId);
  }

  predecessors(id: string): readonly Task[] {
    const others = [...new Set(this.byId.get(id)?.after ?? [])].filter((other) => other !== id);
    return others.flatMap((other) => this.byId.get(other) ?? []).sort(byId);
  }

  /** All tasks reachable from this one, each once, without itself; sorted by id. */
  from(id: string, step: (id: string) => readonly Task[]): Task[] {
    const reached = new Map<string, Task>();
    const pending = [id];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const task of step(next)) {
        if (task.id === id || reached.has(task.id)) continue;
        reached.set(task.id, task);
        pending.push(task.id);
      }
    }
    return [...reached.values()].sort(byId);
  }
}
