import type { ShownState } from '#core/graph/status-look.js';

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
  const sorted = [...nodes].sort((a, b) => compare(a.created_at ?? '', b.created_at ?? '') || compare(a.id, b.id));
  const place = new Map(sorted.map((node, index) => [node.id, index]));
  const at = (id: string) => place.get(id) ?? 0;
  return { nodes: sorted, edges: [...edges].sort((a, b) => at(a.to) - at(b.to) || at(a.from) - at(b.from)) };
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

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
