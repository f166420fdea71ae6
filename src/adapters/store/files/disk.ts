import { isAscii } from 'node:buffer';
import {
  type BigIntStats,
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { diskCode, TroupeError } from '#kernel/errors.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { LIMITS } from '#kernel/limits.js';

const LINE_FEED = 10;

/** Turns what the system says into what a person can act on. */
export function storeError(error: unknown, file: string): unknown {
  const code = diskCode(error);
  return code === undefined ? error : new TroupeError(code, { what: DISK_WORDS[code](file), cause: error });
}

const DISK_WORDS = {
  disk_full: (file: string) => `No space to write ${file}: nothing was changed.`,
  read_only: (file: string) => `${file} cannot be written: nothing was changed.`,
  disk_failed: (file: string) => `The disk failed to write ${file}: nothing was changed.`,
};

/** A committed link would have us append to a file of the repository's choosing: `unsafe_path`. */
export function refuseLinks(paths: GraphLayout): void {
  for (const place of [paths.folder, paths.service, paths.log, paths.graph, paths.pieces, paths.archive]) {
    refuseLink(place);
  }
}

export function refuseLink(place: string): void {
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new TroupeError('unsafe_path', { what: `${place} is a link: the graph is not read or written through it.` });
}

/** The file's text, or undefined when there is none. */
export function readText(file: string): string | undefined {
  return readBytes(file)?.toString('utf8');
}

/** The file as it lies there, or undefined when there is none. */
export function readBytes(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EACCES' || code === 'EISDIR') {
      throw new TroupeError('unreadable', { what: `${file} cannot be read.`, cause: error });
    }
    throw error;
  }
}

/** A large text in pieces of whole lines, each a little longer than `LIMITS.snapshotPieceBytes`. */
export function* linePieces(bytes: Buffer): Iterable<string> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, at + LIMITS.snapshotPieceBytes);
    const next = end < 0 ? bytes.length : end + 1;
    yield textOf(bytes.subarray(at, next));
    at = next;
  }
}

/** UTF-8 as text. Most graphs are ASCII, which is copied and not decoded. */
export function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

export interface FileMark {
  readonly bytes: number;
  /** Nanoseconds, as text: they do not fit a number. */
  readonly mtime: string;
}

export function markOf(file: string): FileMark | undefined {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat ? markOfStat(stat) : undefined;
}

export function markOfStat({ size, mtimeNs }: BigIntStats): FileMark {
  return { bytes: Number(size), mtime: String(mtimeNs) };
}

/**
 * Tells a folder from its copy; empty when there is none. By number alone: where a disk knows no time of birth, that of the last
 * change stands in its place.
 */
export function folderIdentity(folder: string): string {
  const stat = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.dev}-${stat.ino}` : '';
}

/** Tells a file from another one that took its place; empty when there is none. */
export function fileIdentity(place: string): string {
  const stat = statSync(place, { bigint: true, throwIfNoEntry: false });
  return stat ? fileIdentityIn(stat) : '';
}

export function fileIdentityIn({ ino, birthtimeNs }: BigIntStats): string {
  return `${ino}-${birthtimeNs}`;
}

export function writeFully(descriptor: number, data: Uint8Array): void {
  let offset = 0;
  while (offset < data.length) offset += writeSync(descriptor, data, offset, data.length - offset);
}

/**
 * Writes a text beside the file whose place it will take, on the same file system; always the same place, so that a kill
 * leaves at most one behind. Answers how the file will look once it has been renamed: whoever looks afterwards may
 * already see what a hand wrote into it.
 */
export function draftFile(
  file: string,
  data: Uint8Array | string,
  options: { sync: boolean; mode?: number; draft: string },
): FileMark {
  const { draft } = options;
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  try {
    const descriptor = openSync(draft, 'w', options.mode ?? 0o644);
    try {
      writeFully(descriptor, bytes);
      if (options.sync) fsyncSync(descriptor);
      return markOfStat(fstatSync(descriptor, { bigint: true }));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    rmSync(draft, { force: true });
    throw storeError(error, file);
  }
}

/** Puts a draft in the place of its file, in one step: whoever reads sees the old text or the new. */
export function replaceByDraft(disk: StoreDisk, file: string, draft: string): void {
  try {
    disk.rename(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw storeError(error, file);
  }
}

/** Both at once: for files that nobody but us writes. */
export function replaceFile(
  file: string,
  data: Uint8Array | string,
  options: { sync: boolean; mode?: number; draft: string },
): void {
  draftFile(file, data, options);
  replaceByDraft(SYSTEM_DISK, file, options.draft);
}

/** What a fault says, whatever was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What of a disk may fail while log and snapshot are written; all of it throws what the system says. */
export interface StoreDisk {
  /** For appending; made when it is not there. */
  open(file: string): number;
  /** Answers how many of the bytes it took. */
  write(descriptor: number, data: Uint8Array): number;
  /** Returns when what was written is on the disk. */
  sync(descriptor: number): void;
  truncate(descriptor: number, bytes: number): void;
  /** One step: whoever reads the second sees the old text or the new. */
  rename(from: string, to: string): void;
}

export const SYSTEM_DISK: StoreDisk = {
  open: (file) => openSync(file, 'a', 0o644),
  write: (descriptor, data) => writeSync(descriptor, data),
  sync: (descriptor) => fdatasyncSync(descriptor),
  truncate: (descriptor, bytes) => ftruncateSync(descriptor, bytes),
  rename: (from, to) => renameSync(from, to),
};
