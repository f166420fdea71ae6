import { graphlib, layout as place } from '@dagrejs/dagre';
import { type LayoutEdge, type LayoutTask, layersOf } from '#core/insight/layout.js';
import { withoutImplied } from './relations.js';

/** Size of a box in pixels. */
export const NODE = { width: 184, height: 64 } as const;
const GAPS = { ranksep: 56, nodesep: 12, edgesep: 10 } as const;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge extends LayoutEdge {
  /** Points at which the edge passes the layers between its ends, left to right. */
  readonly bends: readonly Point[];
}

export interface Layout {
  /** Top left corners. */
  readonly places: ReadonlyMap<string, Point>;
  /** Ids layer by layer, top to bottom: the order for reading and for keyboard navigation. */
  readonly order: readonly string[];
  readonly edges: readonly PlacedEdge[];
}

/**
 * Lays out layers from left to right with dagre: few crossings, related boxes close together. Back edges are determined
 * by the same walk as in the terminal and are not passed to dagre. The result is deterministic. Suitable for hundreds
 * of boxes, not thousands: `core/insight/boxes.ts` limits their number.
 */
export function layOut(boxes: readonly LayoutTask[]): Layout {
  const { layerOf, edges: all } = layersOf(boxes);
  const edges = withoutImplied(all, layerOf);
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', ...GAPS });
  for (const { id } of boxes) graph.setNode(id, { ...NODE });
  for (const { from, to, back } of edges) if (!back) graph.setEdge(from, to, {});
  place(graph);
  const places = new Map(
    boxes.map(({ id }): [string, Point] => {
      const { x, y } = graph.node(id) as Point;
      return [id, { x: Math.round(x - NODE.width / 2), y: Math.round(y - NODE.height / 2) }];
    }),
  );
  const at = (id: string): Point => places.get(id) ?? { x: 0, y: 0 };
  const order = boxes.map(({ id }) => id).sort((left, right) => at(left).x - at(right).x || at(left).y - at(right).y);
  const layers = new Set([...places.values()].map(({ x }) => x + NODE.width / 2));
  return {
    places,
    order,
    edges: edges.map((edge) => ({ ...edge, bends: edge.back ? [] : bendsOf(graph, edge, layers) })),
  };
}

/**
 * Points at which dagre leads an edge past the layers between its ends. Its points halfway between layers (for labels)
 * and at the boxes are left out.
 */
function bendsOf(graph: graphlib.Graph, { from, to }: LayoutEdge, layers: ReadonlySet<number>): readonly Point[] {
  const { points } = graph.edge(from, to) as { readonly points: readonly Point[] };
  return points
    .slice(1, -1)
    .map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }))
    .filter(({ x }) => layers.has(x));
}
