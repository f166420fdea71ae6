import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { OutlineDraft } from '#core/graph/outline-draft.js';
import type { GraphState } from '#core/graph/state.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { freshLines, type PictureLines } from '../picture-lines.js';
import { type FileMark, markOfStat, storeError } from './disk.js';
import { keepOutline } from './outline-file.js';

const FIRST_BYTES = 1024 * 1024;

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

/**
 * The same text as of a small graph, a slice at a time; what only large ones have beside it is their outline. `known`: lines that
 * were put together already, of this state or an earlier one.
 */
export async function largeText(
  paths: GraphLayout,
  state: GraphState,
  others: OtherLines,
  known?: PictureLines,
): Promise<NewText> {
  const lines = known?.seq === state.seq ? known : freshLines(state);
  const outline = new OutlineDraft(lines.nodes);
  const draft = await draftLargeFile(paths.graph, pieces(lines, others, outline), paths.graphDraft);
  const keepBeside = async () => {
    await copyLargeFile(paths.graph, paths.base);
    keepOutline(paths, draft.sha256, outline.columns());
  };
  return { ...draft, keepBeside };
}

function* pieces(
  { slices }: PictureLines,
  { comments, unreadableLines }: OtherLines,
  outline: OutlineDraft,
): Iterable<string> {
  if (comments.length > 0) yield `${comments.join('\n')}\n`;
  for (const { text, bytes } of slices) {
    for (const count of bytes) outline.add(count);
    yield text;
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
