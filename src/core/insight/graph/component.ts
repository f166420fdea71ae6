import { addTo } from '#core/insight/gathering.js';
import type { Glyphs } from '#core/insight/glyphs.js';
import { type Knot, minimiseCrossings } from '#core/insight/layout.js';
import type { DrawingOptions, Line, Picture, PictureEdge } from '#core/insight/picture.js';
import { type Arrangement, arrange, spaceOf } from './arranging.js';
import { type DrawingPlan, draw } from './drawing.js';
import { placeSlots } from './placing.js';
import { lanesOf, type Meeting, meetingsOf } from './returns.js';
import { type Scaffold, type Slot, scaffold, setPorts } from './scaffold.js';

/** Number of attempts to make a crowded drawing fit by hiding edges; the last attempt hides all. */
const ATTEMPTS = 12;
/** Drawings with more knots are overviews, for which fewer sweeps suffice. */
const KNOTS_MANY = 1_000;
const SWEEPS_MANY = 4;

/** Draws a connected component. Every edge is a line, or is named in the box of its target. */
export function drawComponent(picture: Picture, glyphs: Glyphs, options: DrawingOptions): readonly Line[] {
  const hidden = new Set<PictureEdge>();
  const edgeOf = edgeFinder(picture);
  for (let attempt = 1; ; attempt++) {
    const arrangement = arrange(picture, hidden, glyphs, options);
    const doubtful = [...arrangement.crowded];
    if (doubtful.length === 0) {
      const { lines, failed } = draw(planOf(arrangement, options), glyphs);
      if (failed.length === 0) return lines;
      doubtful.push(...failed.flatMap((net) => edgesOfNet(arrangement, net)));
    }
    for (const edge of attempt < ATTEMPTS ? doubtful : picture.edges) {
      const match = edgeOf(edge);
      if (match) hidden.add(match);
    }
  }
}

function edgeFinder(picture: Picture): (edge: Pick<PictureEdge, 'from' | 'to'>) => PictureEdge | undefined {
  const byTarget = new Map<string, Map<string, PictureEdge>>();
  for (const edge of picture.edges) byTarget.set(edge.to, (byTarget.get(edge.to) ?? new Map()).set(edge.from, edge));
  return ({ from, to }) => byTarget.get(to)?.get(from);
}

function edgesOfNet({ nets, returns }: Arrangement, number: number): { from: string; to: string }[] {
  const net = nets[number];
  if (net) return net.sources.flatMap((from) => net.targets.map((to) => ({ from, to })));
  const back = returns[number - nets.length];
  return (back?.sources ?? []).map((from) => ({ from, to: back?.header ?? '' }));
}

/** Computes all horizontal positions. */
function planOf(arrangement: Arrangement, options: DrawingOptions): DrawingPlan {
  const { boxes, rowOf, nets } = arrangement;
  const built = scaffold(rowOf, (id) => spaceOf(boxes.get(id)), nets);
  untangleRows(built);
  const boxBreadth = (slot: Slot) => boxes.get(slot.id ?? '')?.breadth ?? 1;
  const meetings = besideRight(arrangement, built);
  setPorts(built.rows, boxBreadth, throughChannels(meetings, false), throughChannels(meetings, true));
  placeSlots(built, arrangement.width);
  const lanes = lanesOf(meetings, built, (slot) => slot.breadth);
  return { scaffold: built, boxes, nets: nets.length, meetings, lanes, width: options.width };
}

/** Orders rows and channels alike as layers: a net is a knot between the rows it joins. */
function untangleRows({ rows, channels }: Scaffold): void {
  const layers: Knot[][] = rows.flatMap((row, index) => [channels[index] ?? [], row]);
  const many = layers.reduce((sum, layer) => sum + layer.length, 0) > KNOTS_MANY;
  minimiseCrossings(layers, many ? SWEEPS_MANY : undefined);
  rows.forEach((_, index) => {
    channels[index] = layers[2 * index] as Scaffold['channels'][number];
    rows[index] = layers[2 * index + 1] as Slot[];
  });
}

/** Mirrors the drawing if that lets more lanes end at the sides of boxes. */
function besideRight(arrangement: Arrangement, built: Scaffold): Meeting[][] {
  const meet = () => meetingsOf(arrangement.returns, built, (id) => sideLines(arrangement, id));
  const atSides = (meetings: readonly Meeting[][]) => meetings.flat().filter((end) => end.line !== undefined).length;
  const mirror = () => {
    for (const layer of [...built.rows, ...built.channels]) {
      layer.reverse();
      layer.forEach((item, rank) => {
        item.rank = rank;
      });
    }
  };
  const asIs = meet();
  if (asIs.length === 0) return asIs;
  mirror();
  const mirrored = meet();
  if (atSides(mirrored) > atSides(asIs)) return mirrored;
  mirror();
  return asIs;
}

/** Number of text lines at which lanes may meet a box; 0 if it has a self-loop there. */
function sideLines({ boxes }: Arrangement, id: string): number {
  const box = boxes.get(id);
  return box === undefined || box.selfLoop ? 0 : box.lines.length;
}

function throughChannels(meetings: readonly (readonly Meeting[])[], arrow: boolean): Map<string, number[]> {
  const channelsOf = new Map<string, number[]>();
  meetings.forEach((ends, index) => {
    for (const end of ends) {
      if (end.line !== undefined || end.arrow !== arrow) continue;
      addTo(channelsOf, end.id, index);
    }
  });
  return channelsOf;
}
