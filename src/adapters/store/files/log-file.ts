import {
  type BigIntStats,
  closeSync,
  fdatasyncSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Entry } from '#core/graph/event.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { NO_ENTRY, parseLine } from '../log-line.js';
import type { StoreDisk } from './disk.js';
import { fileIdentityIn, storeError } from './disk.js';

const CHUNK_BYTES = 1024 * 1024;
const LINE_FEED = 10;

export interface BadLogLine {
  /** Byte offset of the line's first byte. */
  readonly offset: number;
  /** 1-based, from the beginning of the file. */
  readonly line: number;
  readonly reason: string;
}

export interface LogReading {
  readonly entries: readonly Entry[];
  /** Byte offset after the last complete group. Everything before it is complete, but perhaps not acknowledged. */
  readonly end: number;
  /** File size when read; larger than `end` if the last line or group is torn. */
  readonly size: number;
  readonly bad: readonly BadLogLine[];
  /** Line of the first entry that needs a later version. */
  readonly later: number | undefined;
}

/** Log size in bytes; 0 if there is none. */
export function logSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Reads the entries from a byte offset on. Torn ends are left out; bad lines before them are reported and skipped. */
export function readLog(file: string, from = 0): LogReading {
  const reading = parseLog(bytesFrom(file, from), from);
  if (from === 0 || (reading.bad.length === 0 && reading.later === undefined)) return reading;
  const before = linesBefore(file, from);
  const bad = reading.bad.map((line) => ({ ...line, line: line.line + before }));
  return { ...reading, bad, later: reading.later === undefined ? undefined : reading.later + before };
}

/** Parses log data that begins at byte offset `from` of its file. Line numbers are relative to `data` and 1-based. */
export function parseLog(data: Buffer, from = 0): LogReading {
  const entries: Entry[] = [];
  const bad: BadLogLine[] = [];
  let end = 0;
  let line = 0;
  let later: number | undefined;
  let group: { entries: Entry[]; start: number; line: number } = { entries: [], start: 0, line: 0 };
  const report = (start: number, number: number, reason: string) =>
    bad.push({ offset: from + start, line: number, reason });
  for (
    let start = 0, stop = data.indexOf(LINE_FEED);
    stop !== -1;
    start = stop + 1, stop = data.indexOf(LINE_FEED, start)
  ) {
    line++;
    const text = data.toString('utf8', start, stop);
    const { entry, problem, later: isLater } = text.trim() === '' ? NO_ENTRY : parseLine(text);
    if (isLater) later ??= line;
    if (entry) {
      if (!continues(group.entries, entry)) {
        // An incomplete group followed by other entries was complete once: some of its lines were lost, the rest still
        // counts.
        if (group.entries.length > 0) report(group.start, group.line, 'a group of entries that is not whole');
        entries.push(...group.entries);
        group = { entries: [], start, line };
      }
      if (group.entries.length === 0) group = { entries: [], start, line };
      group.entries.push(entry);
      if ((entry.tx?.[0] ?? 1) !== (entry.tx?.[1] ?? 1)) continue;
      entries.push(...group.entries);
      group = { entries: [], start, line };
      end = stop + 1;
    } else {
      if (problem !== undefined) report(start, line, problem);
      if (group.entries.length === 0) end = stop + 1;
    }
  }
  return { entries, end: from + end, size: from + data.length, bad, later };
}

/** Whether this entry continues the started group. */
function continues(group: readonly Entry[], entry: Entry): boolean {
  const last = group.at(-1);
  if (!last) return true;
  return entry.tx?.[0] === (last.tx?.[0] ?? 0) + 1 && entry.tx[1] === last.tx?.[1];
}

function linesBefore(file: string, end: number): number {
  let lines = 0;
  const data = bytesFrom(file, 0, end);
  for (let at = data.indexOf(LINE_FEED); at !== -1; at = data.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}

/** Returns up to `most` bytes from an offset; empty if there is no file. */
export function bytesFrom(file: string, from: number, most = Number.POSITIVE_INFINITY): Buffer {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw storeError(error, file);
  }
  try {
    const length = Math.max(0, Math.min(most, fstatSync(descriptor).size - from));
    const data = Buffer.allocUnsafe(length);
    let read = 0;
    while (read < length) {
      const count = readSync(descriptor, data, read, Math.min(CHUNK_BYTES, length - read), from + read);
      if (count === 0) break;
      read += count;
    }
    return data.subarray(0, read);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the last bytes before `end` as base64, to recognise the same log after a checkout or a merge. */
export function tailBefore(file: string, end: number, bytes: number): string {
  const from = Math.max(0, end - bytes);
  return bytesFrom(file, from, end - from).toString('base64');
}

/** State of the log as last read. A different file contains changes of others that have not been read. */
export interface LogPlace {
  /** Empty if there was no log. */
  readonly identity: string;
  /** Its size in bytes. */
  readonly size: number;
}

/** Present state of a log. */
export function logPlace(file: string): LogPlace {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat ? logPlaceIn(stat) : { identity: '', size: 0 };
}

export function logPlaceIn(stat: BigIntStats): LogPlace {
  return { identity: fileIdentityIn(stat), size: Number(stat.size) };
}

/**
 * Moves a torn end to a separate file for inspection. Requires the write lock. Does nothing if the file changed since
 * it was read: a longer one has an end that another process is writing.
 */
export function setTornEndAside(
  disk: StoreDisk,
  place: LogPlace & { readonly file: string },
  end: number,
  aside: { readonly folder: string; readonly name: string },
): string | undefined {
  if (place.size <= end) return undefined;
  const copy = path.join(aside.folder, aside.name);
  try {
    const descriptor = openSync(place.file, 'r+');
    try {
      const there = logPlaceIn(fstatSync(descriptor, { bigint: true }));
      if (there.size !== place.size || there.identity !== place.identity) return undefined;
      mkdirSync(aside.folder, { recursive: true, mode: PRIVATE_FOLDER });
      writeFileSync(copy, bytesFrom(place.file, end), { mode: PRIVATE_FILE });
      disk.truncate(descriptor, end);
      fdatasyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw storeError(error, place.file);
  }
  return copy;
}
