import { isAscii } from 'node:buffer';
import {
  type BigIntStats,
  closeSync,
  fdatasync,
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
import { promisify } from 'node:util';
import { diskCode, TroupeError } from '#kernel/errors.js';
import { SHARED_FILE } from '#kernel/file-modes.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';

const LINE_FEED = 10;

/** Converts a system error to a coded error with a message that a person can act on. */
export function storeError(error: unknown, file: string): unknown {
  const code = diskCode(error);
  return code === undefined ? error : new TroupeError(code, { what: DISK_WORDS[code](file), cause: error });
}

const DISK_WORDS = {
  disk_full: (file: string) => `No space to write ${file}: nothing was changed.`,
  read_only: (file: string) => `${file} cannot be written: nothing was changed.`,
  disk_failed: (file: string) => `The disk failed to write ${file}: nothing was changed.`,
};

/** Rejects links: a committed one would redirect writes to a file of the repository's choice. Errors: `unsafe_path`. */
export function refuseLinks(paths: GraphLayout): void {
  for (const place of [paths.folder, paths.service, paths.log, paths.graph, paths.pieces, paths.archive]) {
    refuseLink(place);
  }
}

export function refuseLink(place: string): void {
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new TroupeError('unsafe_path', { what: `${place} is a link: the graph is not read or written through it.` });
}

/** Returns the file's text, or undefined if it does not exist. */
export function readText(file: string): string | undefined {
  return readBytes(file)?.toString('utf8');
}

/** Returns the file's bytes, or undefined if it does not exist. */
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

/** Splits a large text into chunks of whole lines, each slightly longer than `WORK_LIMITS.snapshotPieceBytes`. */
export function* linePieces(bytes: Buffer): Iterable<string> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, at + WORK_LIMITS.snapshotPieceBytes);
    const next = end < 0 ? bytes.length : end + 1;
    yield textOf(bytes.subarray(at, next));
    at = next;
  }
}

/** Decodes UTF-8. ASCII, the common case, is copied without decoding. */
export function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

export interface FileMark {
  readonly bytes: number;
  /** Nanoseconds, as text: they exceed the range of a number. */
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
 * Identifies a folder, to distinguish it from a copy; empty if it does not exist. Uses only device and inode: file
 * systems without a birth time report the last change in its place.
 */
export function folderIdentity(folder: string): string {
  const stat = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.dev}-${stat.ino}` : '';
}

/** Identifies a file, to detect that another file replaced it; empty if it does not exist. */
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
 * Writes a draft of `file` on the same file system. The path is fixed, so a killed process leaves at most one draft
 * behind. Returns the mark that the file will have after the rename: reading it later could already include a hand
 * edit.
 */
export function draftFile(
  file: string,
  data: Uint8Array | string,
  options: { sync: boolean; mode?: number; draft: string },
): FileMark {
  const { draft } = options;
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  try {
    const descriptor = openSync(draft, 'w', options.mode ?? SHARED_FILE);
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

/** Renames a draft to its file atomically: readers see the old text or the new one. */
export function replaceByDraft(disk: StoreDisk, file: string, draft: string): void {
  try {
    disk.rename(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw storeError(error, file);
  }
}

/** Writes and renames a draft in one call, for files that no other program writes. */
export function replaceFile(
  file: string,
  data: Uint8Array | string,
  options: { sync: boolean; mode?: number; draft: string },
): void {
  draftFile(file, data, options);
  replaceByDraft(SYSTEM_DISK, file, options.draft);
}

/** Returns the message of a thrown value of any type. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Disk operations for log and snapshot that can fail (replaceable in tests). They throw the system error. */
export interface StoreDisk {
  /** Opens for appending and creates the file if it is missing. */
  open(file: string): number;
  /** Returns the number of bytes written. */
  write(descriptor: number, data: Uint8Array): number;
  /** Resolves once the written data is on disk. Does not block the process: a flush takes as long as many decisions. */
  sync(descriptor: number): Promise<void>;
  truncate(descriptor: number, bytes: number): void;
  /** Atomic: readers of `to` see the old text or the new one. */
  rename(from: string, to: string): void;
}

export const SYSTEM_DISK: StoreDisk = {
  open: (file) => openSync(file, 'a', SHARED_FILE),
  write: (descriptor, data) => writeSync(descriptor, data),
  sync: promisify(fdatasync),
  truncate: (descriptor, bytes) => ftruncateSync(descriptor, bytes),
  rename: (from, to) => renameSync(from, to),
};
