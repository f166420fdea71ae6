import type { GraphView } from '#core/graph/view.js';

/** A task whose run waits for the answer that another task owes it. */
export interface AwaitedAnswer {
  readonly task: string;
  readonly from: string;
  /** The other was asked back by somebody it gave work to: it is the one who has to answer. */
  readonly askedBack: boolean;
}

/**
 * Tasks that wait for one another's answers, each circle once, beginning with the one who has to answer. All of their runs have ended
 * their turns, so nothing but a word from outside goes on with them.
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

/** The way from a task back to itself; undefined where none leads there. */
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
