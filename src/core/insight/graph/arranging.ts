import { addAt, addTo } from '#core/insight/gathering.js';
import type { Glyphs } from '#core/insight/glyphs.js';
import { layersOf } from '#core/insight/layout.js';
import type { DrawingOptions, Picture, PictureEdge } from '#core/insight/picture.js';
import { countUp, numberAt, numberOf } from '#kernel/numbers.js';
import { type Box, boxOf, type EdgeLabel, frameOf } from './boxes.js';
import { type Net, netsOf } from './nets.js';
import { LOOP_CELLS, type Return, returnsOf } from './returns.js';
import { cellsOfRow, type Order, rowsOf, withinWidth } from './rows.js';
import { breadthForPorts, portsWithin } from './scaffold.js';

/** Title widths in cells: the first for which every layer fits into one row, else the width for a folded drawing. */
const TITLE_CELLS = [34, 26, 20, 16, 12] as const;
const TITLE_FOLDED = 16;
/** Minimum box width: layers with too many boxes for it need no trial of title widths. */
const BREADTH_LEAST = 7;
/** Maximum box width for incoming and outgoing lines; lines beyond it are named in text. */
const PORT_BREADTH = 40;
/** Maximum part of the width for lanes. */
const LANES_PART = 0.2;

/** Rows of all elements, before horizontal placement. */
export interface Arrangement {
  readonly boxes: ReadonlyMap<string, Box>;
  readonly rowOf: ReadonlyMap<string, number>;
  readonly nets: readonly Net[];
  readonly returns: readonly Return[];
  /** Cells for boxes and lines; the lanes are beside them. */
  readonly width: number;
  /** Edges that do not fit as lines. */
  readonly crowded: readonly Pick<PictureEdge, 'from' | 'to'>[];
}

/** Computes box sizes and rows. Edges in `hidden` are not drawn but named in their target boxes. */
export function arrange(
  picture: Picture,
  hidden: ReadonlySet<PictureEdge>,
  glyphs: Glyphs,
  options: DrawingOptions,
): Arrangement {
  const edges = picture.edges.filter((edge) => !hidden.has(edge));
  const allReturns = returnsOf(edges);
  const lanesMost = Math.floor((options.width * LANES_PART) / 2);
  const returns = allReturns.slice(0, lanesMost);
  const crowded = allReturns
    .slice(lanesMost)
    .flatMap(({ header, sources }) => sources.map((from) => ({ from, to: header })));
  const width = options.width - (returns.length === 0 ? 0 : 1 + 2 * returns.length);
  const nets = netsOf(edges.filter((edge) => edge.back !== true));
  crowded.push(...beyondPorts(nets, portsWithin(Math.min(width, PORT_BREADTH)) - 2));
  const order = orderOf(picture);
  const boxes = sizeBoxes(picture, { edges, hidden, nets, returns, order, width }, glyphs, options);
  const breadthOf = (id: string) => spaceOf(boxes.get(id));
  const rowOf = rowsOf(
    picture.nodes.map((node) => node.id),
    order,
    breadthOf,
    width,
  );
  const fitting = withinWidth(nets, rowOf, breadthOf, width);
  crowded.push(...fitting.named);
  return { boxes, rowOf, nets: fitting.nets, returns, width, crowded };
}

/** Cells of a box in its row, including its self-loop. */
export function spaceOf(box: Box | undefined): number {
  return (box?.breadth ?? 1) + (box?.selfLoop ? LOOP_CELLS : 0);
}

/** Removes sources and targets from nets if more lines would end at a task than fit on its box. */
function beyondPorts(nets: Net[], most: number): { from: string; to: string }[] {
  const crowded: { from: string; to: string }[] = [];
  const [leaving, arriving] = [new Map<string, number>(), new Map<string, number>()];
  const full = (counts: Map<string, number>, id: string): boolean => {
    const count = numberOf(counts, id) + 1;
    if (count > most) return true;
    counts.set(id, count);
    return false;
  };
  for (const net of nets) {
    const sources = net.sources.filter((id) => !full(leaving, id));
    const targets = net.targets.filter((id) => !full(arriving, id));
    const ends = new Set([...sources, ...targets]);
    for (const from of net.sources) {
      for (const to of net.targets) if (!ends.has(from) || !ends.has(to)) crowded.push({ from, to });
    }
    net.sources = sources;
    net.targets = targets;
  }
  const whole = nets.filter((net) => net.sources.length > 0 && net.targets.length > 0);
  nets.splice(0, nets.length, ...whole);
  return crowded;
}

function orderOf(picture: Picture): Order {
  const before = new Map(picture.nodes.map((node) => [node.id, [] as string[]]));
  const after = new Map(picture.nodes.map((node) => [node.id, [] as string[]]));
  for (const { from, to, back } of picture.edges) {
    if (back === true) continue;
    before.get(to)?.push(from);
    after.get(from)?.push(to);
  }
  const { layerOf } = layersOf(picture.nodes.map(({ id }) => ({ id, after: before.get(id) ?? [] })));
  return { layerOf, before, after };
}

interface Sizing {
  readonly edges: readonly PictureEdge[];
  readonly hidden: ReadonlySet<PictureEdge>;
  readonly nets: readonly Net[];
  readonly returns: readonly Return[];
  readonly order: Order;
  readonly width: number;
}

function sizeBoxes(picture: Picture, sizing: Sizing, glyphs: Glyphs, options: DrawingOptions): Map<string, Box> {
  const { order, width } = sizing;
  const selfLoops = new Set(sizing.edges.filter((edge) => edge.from === edge.to).map((edge) => edge.to));
  const named = new Map<string, EdgeLabel[]>();
  for (const { from, to, back } of sizing.hidden) {
    addTo(named, to, { from, back: back === true });
  }
  const ports = portsNeeded(sizing.nets, sizing.returns);
  const make = (cells: number) =>
    new Map(
      picture.nodes.map((node) => {
        const most = Math.max(1, Math.min(cells, width - frameOf(node, options) - LOOP_CELLS));
        const breadthLeast = Math.min(width - LOOP_CELLS, breadthForPorts(numberOf(ports, node.id)));
        const facts = { node, selfLoop: selfLoops.has(node.id), named: named.get(node.id) ?? [], breadthLeast };
        return [node.id, boxOf(facts, most, glyphs, options)];
      }),
    );
  const counts: number[] = [];
  for (const layer of order.layerOf.values()) counts[layer] = numberAt(counts, layer) + 1;
  const narrow = counts.every((count) => cellsOfRow(new Array<number>(count).fill(BREADTH_LEAST)) <= width);
  for (const cells of narrow ? TITLE_CELLS : []) {
    const boxes = make(cells);
    const layers: number[][] = [];
    for (const [id, layer] of order.layerOf) addAt(layers, layer, spaceOf(boxes.get(id)));
    if (layers.every((layer) => cellsOfRow(layer) <= width)) return boxes;
  }
  return make(TITLE_FOLDED);
}

/** Maximum number of lines on one side of each task. */
function portsNeeded(nets: readonly Net[], returns: readonly Return[]): Map<string, number> {
  const [leaving, arriving] = [new Map<string, number>(), new Map<string, number>()];
  const count = (counts: Map<string, number>, ids: readonly string[]) => {
    for (const id of ids) countUp(counts, id);
  };
  for (const { sources, targets } of nets) {
    count(leaving, sources);
    count(arriving, targets);
  }
  for (const { header, sources } of returns) {
    count(leaving, sources);
    count(arriving, [header]);
  }
  const most = new Map(leaving);
  for (const [id, number] of arriving) most.set(id, Math.max(number, numberOf(most, id)));
  return most;
}
