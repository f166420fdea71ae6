/** A task of a picture, with the edges that lead to other tasks of it. */
export interface Linked {
  readonly id: string;
  readonly after?: readonly string[];
}

/**
 * The layer of each task: one more than the highest of those it comes after. Edges out of the picture count for nothing.
 * On a cycle the first task in the given order goes first and its edge back counts for nothing. Costs tasks + edges.
 */
export function layersOf(tasks: readonly Linked[]): ReadonlyMap<string, number> {
  const known = new Set(tasks.map((task) => task.id));
  const waits = new Map<string, number>();
  const dependents = new Map<string, string[]>();
  for (const task of tasks) {
    const before = new Set((task.after ?? []).filter((id) => known.has(id) && id !== task.id));
    waits.set(task.id, before.size);
    for (const id of before) {
      const list = dependents.get(id);
      if (list) list.push(task.id);
      else dependents.set(id, [task.id]);
    }
  }
  const layers = new Map<string, number>();
  const placed = new Set<string>();
  const free = tasks.filter((task) => waits.get(task.id) === 0).map((task) => task.id);
  let unplaced = 0;
  for (let taken = 0; placed.size < known.size; taken++) {
    let id = free[taken];
    if (id === undefined) {
      while (placed.has(tasks[unplaced]?.id ?? '')) unplaced++;
      id = tasks[unplaced]?.id ?? '';
      free.push(id);
    }
    if (placed.has(id)) continue;
    placed.add(id);
    const layer = layers.get(id) ?? 0;
    layers.set(id, layer);
    for (const dependent of dependents.get(id) ?? []) {
      if (placed.has(dependent)) continue;
      layers.set(dependent, Math.max(layers.get(dependent) ?? 0, layer + 1));
      const left = (waits.get(dependent) ?? 0) - 1;
      waits.set(dependent, left);
      if (left === 0) free.push(dependent);
    }
  }
  return layers;
}
