import * as z from 'zod/mini';
import { SHOWN_STATES, type ShownState, STATUS_LOOK } from '#core/graph/status-look.js';
import { numberOf } from '#kernel/numbers.js';
import { compareText } from '#kernel/order.js';
import { inert } from '#kernel/text.js';
import type { Glyphs } from './glyphs.js';

export const pictureNodeShape = z.object({
  id: z.string(),
  title: z.string(),
  state: z.enum(SHOWN_STATES),
  /** Header of a cycle: current iteration and maximum re-openings. */
  loop: z.optional(z.object({ iteration: z.number(), most: z.optional(z.number()) })),
  /** Predecessors that are not tasks of this graph. */
  missing: z.optional(z.readonly(z.array(z.string()))),
  critical: z.optional(z.boolean()),
  /** Reason why it is held up, if no edge shows it. */
  note: z.optional(z.string()),
  created_at: z.optional(z.string()),
  /** The task that it is a part of. */
  epic: z.optional(z.string()),
});
export type PictureNode = z.infer<typeof pictureNodeShape>;

export interface PictureEdge {
  readonly from: string;
  readonly to: string;
  /** Back edge to the header of its cycle. */
  readonly back?: boolean | undefined;
}

/** Tasks and their edges, each once. Nodes are in reading order. */
export interface Picture {
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
}

/** Sorts tasks by age, oldest first, as the reading order. */
export function inReadingOrder({ nodes, edges }: Picture): Picture {
  const sorted = [...nodes].sort(
    (a, b) => compareText(a.created_at ?? '', b.created_at ?? '') || compareText(a.id, b.id),
  );
  const place = new Map(sorted.map((node, index) => [node.id, index]));
  const at = (id: string) => numberOf(place, id);
  return { nodes: sorted, edges: [...edges].sort((a, b) => at(a.to) - at(b.to) || at(a.from) - at(b.from)) };
}

/** Semantic style of a segment; the output device decides its appearance. */
export type Tone = ShownState | 'title' | 'line' | 'return' | 'critical' | 'note';

export interface Segment {
  readonly text: string;
  readonly tone?: Tone;
}

export type Line = readonly Segment[];

export interface DrawingOptions {
  /** Maximum line width in cells. */
  readonly width: number;
  /** False for terminals without these glyphs. */
  readonly unicode: boolean;
}

/** Connected components; single tasks come last. */
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

/** Status mark of a task, with its tone. */
export function pictureMark(node: PictureNode, options: DrawingOptions): Segment {
  const look = STATUS_LOOK[node.state];
  return { text: options.unicode ? look.glyph : look.ascii, tone: node.state };
}

/** Display name of a task: its title, or its id if the title is empty. */
export function nodeName(node: PictureNode): string {
  const title = inert(node.title).trim();
  return title === '' ? inert(node.id) : title;
}

/** Whether the id is only a spelling variant of the title, so it need not be displayed. */
export function idIsPlain(node: PictureNode): boolean {
  if (node.title === node.id) return true;
  const title = node.title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return title.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') === node.id;
}

/** Loop mark of a cycle header: `↺ (iter 1/5)`. */
export function loopMark(node: PictureNode, glyphs: Glyphs): string | undefined {
  if (!node.loop) return undefined;
  const { iteration, most } = node.loop;
  return most === undefined ? glyphs.loop : `${glyphs.loop} (iter ${iteration}/${most})`;
}
