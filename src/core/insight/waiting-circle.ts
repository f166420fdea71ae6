import type { GraphView } from '#core/graph/view.js';

/** A task whose run waits for an answer from another task. */
export interface AwaitedAnswer {
  readonly task: string;
  readonly from: string;
  /** The other task was asked back by a task it delegated work to, so it has to answer. */
  readonly askedBack: boolean;
}

/**
 * Circular waits for answers, each once, starting with the task that has to answer. The runs of all its tasks have
 * ended their turns, so only a message from outside can continue them.
 */
export function waitingCircles(view: GraphView, awaited: readonly AwaitedAnswer[]): readonly (readonly string[])[] {
  const edges = new Map<string, AwaitedAnswer[]>();
  for (const edge of awaited) {
    if (view.task(edge.task)?.status !== 'waiting' || view.task(edge.from)?.status !== 'waiting') continue;
    edges.set(edge.task, [...(edges.get(edge.task) ?? []), edge]);
  }
  const told = new Set<string>();
  const circles: (readonly string[])[] = [];
  for (const start of [...edges.keys()].sort()) {
    const circle = told.has(start) ? undefined : circleOf(start, edges);
    if (circle === undefined) continue;
    for (const id of circle) told.add(id);
    const asked = circle.findIndex((id) =>
      [...edges.values()].flat().some((edge) => edge.askedBack && edge.from === id && circle.includes(edge.task)),
    );
    circles.push(asked <= 0 ? circle : [...circle.slice(asked), ...circle.slice(0, asked)]);
  }
  return circles;
}

/** Path from a task back to itself; undefined if there is none. */
function circleOf(start: string, edges: ReadonlyMap<string, readonly AwaitedAnswer[]>): readonly string[] | undefined {
  const cameBy = new Map<string, string>();
  const queue = [start];
  for (let current = queue.pop(); current !== undefined; current = queue.pop()) {
    for (const { from } of edges.get(current) ?? []) {
      if (from === start) {
        const way = [current];
        for (let id = cameBy.get(current); id !== undefined; id = cameBy.get(id)) way.unshift(id);
        return way;
      }
      if (cameBy.has(from)) continue;
      cameBy.set(from, current);
      queue.push(from);
    }
  }
  return undefined;
}
