import { type ShownState, STATUS_LOOK } from '#core/graph/status-look.js';
import { numberOf } from '#kernel/numbers.js';
import { compareText } from '#kernel/order.js';
import { inert } from '#kernel/text.js';
import type { Glyphs } from './glyphs.js';

/** What a drawing shows of one task. */
export interface PictureNode {
  readonly id: string;
  readonly title: string;
  readonly state: ShownState;
  /** On the header of a cycle: the pass it is in, and how many re-openings its configuration allows. */
  readonly loop?: { readonly iteration: number; readonly most?: number | undefined } | undefined;
  /** Predecessors that no task of the graph answers to. */
  readonly missing?: readonly string[] | undefined;
  readonly critical?: boolean | undefined;
  readonly created_at?: string | undefined;
  /** What holds it up, where no edge tells. */
  readonly note?: string | undefined;
}

export interface PictureEdge {
  readonly from: string;
  readonly to: string;
  /** Leads back to the header of its cycle. */
  readonly back?: boolean | undefined;
}

/** Tasks and the edges between them, each once. The order of the nodes is the order in which they are read. */
export interface Picture {
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
}

/** The same with the oldest tasks first: so they were thought of, and so they are read. */
export function inReadingOrder({ nodes, edges }: Picture): Picture {
  const sorted = [...nodes].sort(
    (a, b) => compareText(a.created_at ?? '', b.created_at ?? '') || compareText(a.id, b.id),
  );
  const place = new Map(sorted.map((node, index) => [node.id, index]));
  const at = (id: string) => numberOf(place, id);
  return { nodes: sorted, edges: [...edges].sort((a, b) => at(a.to) - at(b.to) || at(a.from) - at(b.from)) };
}

/** What a piece of a drawing is; the surface decides how it looks. */
export type Tone = ShownState | 'title' | 'line' | 'return' | 'critical' | 'note';

export interface Segment {
  readonly text: string;
  readonly tone?: Tone;
}

export type Line = readonly Segment[];

/** How a drawing is to be made. */
export interface DrawingOptions {
  /** Cells a line may take. */
  readonly width: number;
  /** False for terminals without the glyphs. */
  readonly unicode: boolean;
}

/** The parts of a picture that hang together; what stands alone comes last. */
export function connectedParts(picture: Picture): Picture[] {
  const beside = new Map<string, string[]>(picture.nodes.map((node) => [node.id, []]));
  for (const { from, to } of picture.edges) {
    beside.get(from)?.push(to);
    beside.get(to)?.push(from);
  }
  const partOf = new Map<string, number>();
  let count = 0;
  for (const { id } of picture.nodes) {
    if (partOf.has(id)) continue;
    const pending = [id];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (partOf.has(next)) continue;
      partOf.set(next, count);
      pending.push(...(beside.get(next) ?? []));
    }
    count++;
  }
  const parts = Array.from({ length: count }, () => ({ nodes: [] as PictureNode[], edges: [] as PictureEdge[] }));
  for (const node of picture.nodes) parts[numberOf(partOf, node.id)]?.nodes.push(node);
  for (const edge of picture.edges) parts[numberOf(partOf, edge.to)]?.edges.push(edge);
  return [...parts.filter((part) => part.nodes.length > 1), ...parts.filter((part) => part.nodes.length === 1)];
}

/** The mark of a task's state, in its colour. */
export function pictureMark(node: PictureNode, options: DrawingOptions): Segment {
  const look = STATUS_LOOK[node.state];
  return { text: options.unicode ? look.glyph : look.ascii, tone: node.state };
}

/** What a task is called: its title, or its id where the title says nothing. */
export function nodeName(node: PictureNode): string {
  const title = inert(node.title).trim();
  return title === '' ? inert(node.id) : title;
}

/** Whether the id is the title in other letters: then it need not be said beside it. */
export function idIsPlain(node: PictureNode): boolean {
  if (node.title === node.id) return true;
  const title = node.title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return title.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') === node.id;
}

/** `↺ (iter 1/5)` for the header of a cycle. */
export function loopMark(node: PictureNode, glyphs: Glyphs): string | undefined {
  if (!node.loop) return undefined;
  const { iteration, most } = node.loop;
  return most === undefined ? glyphs.loop : `${glyphs.loop} (iter ${iteration}/${most})`;
}
