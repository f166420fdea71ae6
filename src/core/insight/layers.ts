/** What the layout needs of a task. */
export interface LayoutTask {
  readonly id: string;
  readonly after: readonly string[];
}

export interface LayoutEdge {
  readonly from: string;
  readonly to: string;
  /** Closes a cycle: drawn as a return, and without a say in the layers. */
  readonly back: boolean;
}

export interface Layers {
  /** Layer of each task: one more than the highest of those before it. */
  readonly layerOf: ReadonlyMap<string, number>;
  readonly edges: readonly LayoutEdge[];
}

/**
 * Longest-path layers. Edges that close a cycle are set aside, so that every shape ends with correct layers: first those
 * that are known as returns, then whatever still closes one. Nothing recurses: chains may be thousands long.
 */
export function layersOf(
  tasks: readonly LayoutTask[],
  isReturn: (from: string, to: string) => boolean = () => false,
): Layers {
  const known = new Set(tasks.map((task) => task.id));
  const before = new Map(tasks.map((task) => [task.id, [...new Set(task.after)].filter((id) => known.has(id))]));
  const forward = new Map([...before].map(([to, ids]) => [to, ids.filter((from) => !isReturn(from, to))]));
  const returns = closingEdges(tasks, forward);
  const edges: LayoutEdge[] = [];
  for (const { id: to } of tasks) {
    for (const from of before.get(to) ?? []) {
      edges.push({ from, to, back: isReturn(from, to) || returns.get(to)?.has(from) === true });
    }
  }
  return { layerOf: longestPaths(tasks, edges), edges };
}

/**
 * For each task the predecessors whose edge closes a cycle. One depth-first walk along the edges, from tasks that wait
 * for nothing: so a cycle is entered where work enters it, and what leads back to there is the return.
 */
function closingEdges(
  tasks: readonly LayoutTask[],
  before: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const after = new Map<string, string[]>(tasks.map((task) => [task.id, []]));
  for (const [id, predecessors] of before) for (const predecessor of predecessors) after.get(predecessor)?.push(id);
  const found = new Map<string, Set<string>>();
  const state = new Map<string, 'open' | 'closed'>();
  const starts = [...tasks.filter((task) => before.get(task.id)?.length === 0), ...tasks];
  for (const start of starts) {
    if (state.has(start.id)) continue;
    const path: { id: string; next: number }[] = [{ id: start.id, next: 0 }];
    state.set(start.id, 'open');
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = after.get(top.id)?.[top.next++];
      if (next === undefined) {
        state.set(top.id, 'closed');
        path.pop();
      } else if (state.get(next) === 'open') {
        const closing = found.get(next) ?? new Set();
        found.set(next, closing.add(top.id));
      } else if (!state.has(next)) {
        state.set(next, 'open');
        path.push({ id: next, next: 0 });
      }
    }
  }
  return found;
}

function longestPaths(tasks: readonly LayoutTask[], edges: readonly LayoutEdge[]): ReadonlyMap<string, number> {
  const layerOf = new Map(tasks.map((task) => [task.id, 0]));
  const after = new Map<string, string[]>(tasks.map((task) => [task.id, []]));
  const open = new Map(tasks.map((task) => [task.id, 0]));
  for (const { from, to, back } of edges) {
    if (back) continue;
    after.get(from)?.push(to);
    open.set(to, (open.get(to) ?? 0) + 1);
  }
  const queue = tasks.filter((task) => open.get(task.id) === 0).map((task) => task.id);
  for (let index = 0; index < queue.length; index++) {
    const id = queue[index] as string;
    for (const next of after.get(id) ?? []) {
      layerOf.set(next, Math.max(layerOf.get(next) ?? 0, (layerOf.get(id) ?? 0) + 1));
      const left = (open.get(next) ?? 1) - 1;
      open.set(next, left);
      if (left === 0) queue.push(next);
    }
  }
  return layerOf;
}
