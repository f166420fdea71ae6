import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { OutlineDraft } from '#core/graph/outline-draft.js';
import type { GraphState } from '#core/graph/state.js';
import { SHARED_FILE } from '#kernel/file-modes.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { freshLines, type PictureLines } from '../picture-lines.js';
import { type FileMark, markOfStat, storeError } from './disk.js';
import { keepOutline } from './outline-file.js';

const FIRST_BYTES = 1024 * 1024;

/** Draft of a snapshot, ready to replace the last one. */
export interface NewText {
  /** Mark of the draft: the snapshot itself may be edited by hand as soon as it is in place. */
  readonly mark: FileMark;
  /** SHA-256 of the text, as hex. */
  readonly sha256: string;
  /** Writes the copy that reveals hand edits, and the outline that lets readers skip the lines of a large graph. */
  keepBeside(): Promise<void>;
}

/** Snapshot lines that are not nodes. */
export interface OtherLines {
  readonly comments: readonly string[];
  readonly unreadableLines: readonly string[];
}

/**
 * Writes the snapshot of a large graph slice by slice. The text is the same as for a small graph; only large graphs
 * also have an outline. `known`: lines already serialised for this state or an earlier one.
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

/** Draft that will replace a file. */
type LargeDraft = Pick<NewText, 'mark' | 'sha256'>;

/**
 * Writes tens of megabytes in chunks. Never blocks the thread on the disk, and holds one chunk in memory: the buffer is
 * reused because freed buffers are reclaimed late.
 */
async function draftLargeFile(file: string, pieces: Iterable<string>, draft: string): Promise<LargeDraft> {
  const hash = createHash('sha256');
  let mark: FileMark;
  let place = Buffer.allocUnsafeSlow(FIRST_BYTES);
  try {
    const handle = await open(draft, 'w', SHARED_FILE);
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

async function copyLargeFile(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    throw storeError(error, to);
  }
}
