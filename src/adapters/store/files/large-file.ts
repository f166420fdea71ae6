import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { nodeLine } from '#core/graph/line.js';
import { OutlineDraft } from '#core/graph/outline-draft.js';
import type { GraphState } from '#core/graph/state.js';
import type { GraphNode } from '#core/graph/task.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { type FileMark, markOfStat, storeError } from './disk.js';
import { keepOutline } from './outline-file.js';

const FIRST_BYTES = 1024 * 1024;
const LINES_A_SLICE = 1_000;

/** The text of a snapshot, written beside the last one and ready to take its place. */
export interface NewText {
  /** How the file will look: asked of the draft, as a hand may write into the snapshot as soon as it is there. */
  readonly mark: FileMark;
  /** As hex. */
  readonly sha256: string;
  /** The copy by which a hand in the file is told from us, and what spares readers the lines of a large one. */
  keepBeside(): Promise<void>;
}

/** The lines of a snapshot that are no nodes. */
export interface OtherLines {
  readonly comments: readonly string[];
  readonly unreadableLines: readonly string[];
}

/** The same text as of a small graph, a thousand lines at a time; what only large ones have beside it is their outline. */
export async function largeText(paths: GraphLayout, state: GraphState, others: OtherLines): Promise<NewText> {
  const nodes = state.nodesById();
  const outline = new OutlineDraft(nodes);
  const draft = await draftLargeFile(paths.graph, pieces(nodes, others, outline), paths.graphDraft);
  const keepBeside = async () => {
    await copyLargeFile(paths.graph, paths.base);
    keepOutline(paths, draft.sha256, outline.columns());
  };
  return { ...draft, keepBeside };
}

function* pieces(
  nodes: readonly GraphNode[],
  { comments, unreadableLines }: OtherLines,
  outline: OutlineDraft,
): Iterable<string> {
  if (comments.length > 0) yield `${comments.join('\n')}\n`;
  for (let start = 0; start < nodes.length; start += LINES_A_SLICE) {
    const lines = nodes.slice(start, start + LINES_A_SLICE).map((node) => `${nodeLine(node)}\n`);
    for (const line of lines) outline.add(Buffer.byteLength(line));
    yield lines.join('');
  }
  if (unreadableLines.length > 0) yield `${unreadableLines.join('\n')}\n`;
}

/** What was put beside a file to take its place. */
type LargeDraft = Pick<NewText, 'mark' | 'sha256'>;

/**
 * Tens of megabytes, a piece at a time: nothing here waits for the disk on the thread that answers others, and no two pieces
 * are in memory together: each takes the place of the one before, as what a buffer held is given back late.
 */
async function draftLargeFile(file: string, pieces: Iterable<string>, draft: string): Promise<LargeDraft> {
  const hash = createHash('sha256');
  let mark: FileMark;
  let place = Buffer.allocUnsafeSlow(FIRST_BYTES);
  try {
    const handle = await open(draft, 'w', 0o644);
    try {
      for (const text of pieces) {
        const size = Buffer.byteLength(text);
        if (size > place.length) place = Buffer.allocUnsafeSlow(2 * size);
        const piece = place.subarray(0, place.write(text));
        hash.update(piece);
        await handle.writeFile(piece);
      }
      await handle.sync();
      mark = markOfStat(await handle.stat({ bigint: true }));
    } finally {
      await handle.close();
    }
  } catch (error) {
    rmSync(draft, { force: true });
    throw storeError(error, file);
  }
  return { mark, sha256: hash.digest('hex') };
}

/** A second copy of what was just written. */
async function copyLargeFile(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    throw storeError(error, to);
  }
}
