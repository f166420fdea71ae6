import { nodeLine } from '#core/graph/line.js';
import type { GraphState } from '#core/graph/state.js';
import type { GraphNode } from '#core/graph/task.js';

const LINES_A_SLICE = 1_000;

/** Some nodes one after the other, as lines of text. */
interface LineSlice {
  readonly text: string;
  /** Of each line with its line feed. */
  readonly bytes: readonly number[];
}

/** The nodes of a picture in the order of the file, and their lines. */
export interface PictureLines {
  readonly seq: number;
  readonly nodes: readonly GraphNode[];
  readonly slices: Iterable<LineSlice>;
}

/** Each slice is put together when it is asked for, and let go. */
export function freshLines(picture: GraphState): PictureLines {
  const nodes = picture.nodesById();
  return { seq: picture.seq, nodes, slices: slicesOf(nodes) };
}

/** The same lines, of which each slice is kept once it was asked for: for two texts of one picture. */
export function keptLines(picture: GraphState): PictureLines {
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
  for (let start = 0; start < nodes.length; start += LINES_A_SLICE) {
    const lines = nodes.slice(start, start + LINES_A_SLICE).map((node) => `${nodeLine(node)}\n`);
    yield { text: lines.join(''), bytes: lines.map((line) => Buffer.byteLength(line)) };
  }
}
