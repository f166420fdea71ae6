import { nodeLine } from '#core/graph/line.js';
import type { GraphState } from '#core/graph/state.js';
import type { GraphNode } from '#core/graph/task.js';

const LINES_PER_SLICE = 1_000;

/** Consecutive nodes as lines of text. */
interface LineSlice {
  readonly text: string;
  /** Size of each line with its line feed. */
  readonly bytes: readonly number[];
}

/** Nodes of a graph in file order, with their lines. */
export interface PictureLines {
  readonly seq: number;
  readonly nodes: readonly GraphNode[];
  readonly slices: Iterable<LineSlice>;
}

/** Serialises each slice on demand and does not keep it. */
export function freshLines(picture: GraphState): PictureLines {
  const nodes = picture.nodesById();
  return { seq: picture.seq, nodes, slices: slicesOf(nodes) };
}

/** Serialises each slice once and keeps it, for two texts of the same graph. */
export function cachedLines(picture: GraphState): PictureLines {
  const { slices, ...lines } = freshLines(picture);
  const kept: LineSlice[] = [];
  const keeping = function* () {
    yield* kept;
    for (const slice of slices) {
      kept.push(slice);
      yield slice;
    }
  };
  return { ...lines, slices: { [Symbol.iterator]: keeping } };
}

function* slicesOf(nodes: readonly GraphNode[]): Iterable<LineSlice> {
  for (let start = 0; start < nodes.length; start += LINES_PER_SLICE) {
    const lines = nodes.slice(start, start + LINES_PER_SLICE).map((node) => `${nodeLine(node)}\n`);
    yield { text: lines.join(''), bytes: lines.map((line) => Buffer.byteLength(line)) };
  }
}
