import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { byId } from './brief.js';

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
    const known = [...new Set(this.byId.get(id)?.after ?? [])].filter((other) => other !== id);
    return known.flatMap((other) => this.byId.get(other) ?? []).sort(byId);
  }

  /** Everything that can be come to from this task, each once, itself left out; by id. */
  from(id: string, step: (id: string) => readonly Task[]): Task[] {
    const seen = new Map<string, Task>();
    const pending = [id];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const task of step(next)) {
        if (task.id === id || seen.has(task.id)) continue;
        seen.set(task.id, task);
        pending.push(task.id);
      }
    }
    return [...seen.values()].sort(byId);
  }
}
