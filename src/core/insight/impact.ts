import { isTask, type Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { LIMITS } from '#kernel/limits.js';
import { byId } from '#kernel/order.js';
import { type Brief, briefOf, isUnfinished, totalHours } from './brief.js';

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
    impact_summary: { total_tasks_affected: affected.length, total_hours_at_risk: totalHours(affected) },
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

/** Who comes after whom, read once for walks over many tasks; itself left out, by id. */
export class Neighbours {
  private readonly after = new Map<string, Task[]>();
  private readonly byId = new Map<string, Task>();

  constructor(view: GraphView) {
    for (const node of view.nodes()) {
      if (!isTask(node)) continue;
      this.byId.set(node.id, node);
      for (const id of new Set(node.after ?? [])) {
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

  /** Everything that can be come to from this task, each once, itself left out; by id. */
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
