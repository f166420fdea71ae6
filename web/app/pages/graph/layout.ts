import { type LayoutEdge, type LayoutTask, layersOf, spread, untangle } from '#core/insight/layout.js';
import { withoutImplied } from './relations.js';

/** Pixels. */
export const NODE = { width: 184, height: 64 } as const;
const COLUMN = NODE.width + 56;
const ROW_GAP = 12;
const LANE_GAP = 10;
const SWEEPS = 12;
/** What stands alone makes room for what has neighbours. */
const LONELY = 0.001;
/** Above this many bends long edges run straight: the picture is an overview then. */
const BENDS_MOST = 6_000;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge extends LayoutEdge {
  /** Where the edge passes the layers between its ends: middle points, left to right. */
  readonly bends: readonly Point[];
}

export interface Layout {
  /** Top left corners. */
  readonly places: ReadonlyMap<string, Point>;
  /** Ids layer by layer, top to bottom: the order for reading and for keys. */
  readonly order: readonly string[];
  readonly edges: readonly PlacedEdge[];
}

/** A task, or the place where a long edge passes a layer. */
interface Item {
  readonly key: string;
  readonly layer: number;
  readonly height: number;
  readonly left: Item[];
  readonly right: Item[];
  rank: number;
  y: number;
}

/** Layers left to right, few crossings, everything near its neighbours. The same tasks give the same picture. */
export function layOut(tasks: readonly LayoutTask[]): Layout {
  const { layerOf, edges: all } = layersOf(tasks);
  const edges = withoutImplied(all, layerOf);
  const items = new Map<string, Item>();
  const layers: Item[][] = [];
  const add = (key: string, layer: number, height: number): Item => {
    const column = layers[layer] ?? [];
    layers[layer] = column;
    const item: Item = { key, layer, height, left: [], right: [], rank: column.length, y: 0 };
    column.push(item);
    items.set(key, item);
    return item;
  };
  for (const task of tasks) add(task.id, layerOf.get(task.id) ?? 0, NODE.height);
  const span = (edge: LayoutEdge) => (layerOf.get(edge.to) ?? 0) - (layerOf.get(edge.from) ?? 0);
  const bends = edges.reduce((sum, edge) => sum + (edge.back ? 0 : Math.max(0, span(edge) - 1)), 0);
  const paths = edges.map((edge) => {
    const path: Item[] = [];
    let previous = items.get(edge.from);
    const target = items.get(edge.to);
    if (edge.back || previous === undefined || target === undefined) return path;
    for (let layer = previous.layer + 1; bends <= BENDS_MOST && layer < target.layer; layer++) {
      const bend = add(`${edge.from}\n${edge.to}\n${layer}`, layer, 0);
      connect(previous, bend);
      path.push(bend);
      previous = bend;
    }
    connect(previous, target);
    return path;
  });
  untangle(layers);
  place(layers);
  const places = new Map<string, Point>();
  const order: string[] = [];
  for (const column of layers) {
    for (const item of column) {
      if (item.height === 0) continue;
      places.set(item.key, { x: item.layer * COLUMN, y: Math.round(item.y - NODE.height / 2) });
      order.push(item.key);
    }
  }
  const middle = (item: Item): Point => ({ x: item.layer * COLUMN + NODE.width / 2, y: Math.round(item.y) });
  return { places, order, edges: edges.map((edge, index) => ({ ...edge, bends: (paths[index] ?? []).map(middle) })) };
}

function connect(left: Item, right: Item): void {
  left.right.push(right);
  right.left.push(left);
}

/** Heights: everything as near to the mean of its neighbours as the order and the gaps allow. */
function place(layers: readonly Item[][]): void {
  const gapsOf = layers.map((column) => column.map((item, index) => gapBetween(column[index - 1], item)));
  layers.forEach((column, index) => {
    const places = spread(new Array<number>(column.length).fill(0), gapsOf[index] ?? []);
    column.forEach((item, at) => {
      item.y = places[at] ?? 0;
    });
  });
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const forth = sweep % 2 === 0;
    const indexes = layers.map((_, index) => index);
    for (const index of forth ? indexes : indexes.reverse()) {
      const column = layers[index] ?? [];
      const targets = column.map((item) => {
        const toward = mean(forth ? item.left : item.right);
        return toward ?? mean(forth ? item.right : item.left) ?? item.y;
      });
      const weights = column.map((item) => (item.left.length + item.right.length === 0 ? LONELY : 1));
      const places = spread(targets, gapsOf[index] ?? [], weights);
      column.forEach((item, at) => {
        item.y = places[at] ?? 0;
      });
    }
  }
}

function gapBetween(above: Item | undefined, item: Item): number {
  if (above === undefined) return 0;
  const gap = above.height === 0 || item.height === 0 ? LANE_GAP : ROW_GAP;
  return (above.height + item.height) / 2 + gap;
}

function mean(items: readonly Item[]): number | undefined {
  if (items.length === 0) return undefined;
  return items.reduce((sum, item) => sum + item.y, 0) / items.length;
}
