import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import type { Entry } from '#core/graph/event.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { foreignEntry } from '../foreign-entry.js';

const PACKED = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}\.jsonl\.zst$/;
const PACKED_SLICE = 64 * 1024;

export interface LegacyFile {
  readonly file: string;
  readonly packed: boolean;
}

/**
 * Another tool's history files, in order: compressed segments by name, its latest file, our own log if it is shared.
 */
export function legacyFiles(paths: GraphLayout): LegacyFile[] {
  const folder = paths.pieces;
  const isFile = (file: string) => lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
  const there = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  const packed = (there ? readdirSync(folder) : [])
    .filter((name) => PACKED.test(name))
    .sort()
    .map((name) => ({ file: path.join(folder, name), packed: true }));
  const present = there ? [{ file: path.join(folder, 'operations.jsonl'), packed: false }] : [];
  return [...packed, ...present, { file: paths.log, packed: false }].filter(({ file }) => isFile(file));
}

/**
 * Returns another tool's history as entries with `seq` 0 that change nothing, in file order: author, action and time,
 * but no data to redo it. A damaged segment yields the part before the damage.
 */
export async function* legacyEntries(paths: GraphLayout): AsyncGenerator<Entry> {
  let number = 0;
  for (const source of legacyFiles(paths)) {
    const { text } = await legacyText(source);
    for (const line of text.split('\n')) {
      const entry = foreignEntry(line, number + 1);
      if (entry === undefined) continue;
      number++;
      yield entry;
    }
  }
}

/** Returns the readable text of a file, and a problem if there is one. */
export async function legacyText({ file, packed }: LegacyFile): Promise<{ text: string; problem?: string }> {
  if (lstatSync(file).size > WORK_LIMITS.legacyLogBytes) return { text: '', problem: 'larger than is read' };
  if (!packed) return { text: readFileSync(file, 'utf8') };
  const { Decompress } = await import('fzstd');
  const pieces: Uint8Array[] = [];
  let size = 0;
  const unpack = new Decompress((piece) => {
    pieces.push(piece);
    size += piece.length;
  });
  let problem: string | undefined;
  const descriptor = openSync(file, 'r');
  try {
    const slice = Buffer.alloc(PACKED_SLICE);
    for (let read = readSync(descriptor, slice); read > 0; read = readSync(descriptor, slice)) {
      unpack.push(Uint8Array.from(slice.subarray(0, read)));
      if (size > WORK_LIMITS.legacyLogBytes) {
        problem = 'unpacks to more than is read';
        break;
      }
    }
    if (problem === undefined) unpack.push(new Uint8Array(0), true);
  } catch (error) {
    problem = `cannot be unpacked (${(error as Error).message})`;
  } finally {
    closeSync(descriptor);
  }
  const text = Buffer.concat(pieces).subarray(0, WORK_LIMITS.legacyLogBytes).toString('utf8');
  return problem === undefined ? { text } : { text, problem };
}
