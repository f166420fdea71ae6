import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Entry } from '#core/graph/event.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';
import { diskError, writeFully } from './disk.js';

const CHUNK_BYTES = 1024 * 1024;
const LINE_FEED = 10;

export interface BadLogLine {
  /** Byte offset of the line's first byte. */
  readonly offset: number;
  readonly reason: string;
}

export interface LogReading {
  readonly entries: readonly Entry[];
  /** Where the last complete group ends: everything before is acknowledged or at least whole. */
  readonly end: number;
  /** Size of the file when it was read; larger than `end` when a line or group at the end is torn. */
  readonly size: number;
  readonly bad: readonly BadLogLine[];
}

/** Bytes in the log now; 0 when there is none. */
export function logSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Tells one log file from the one that took its place. */
export function logIdentity(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino}-${stat.birthtimeNs}` : '';
}

/** Reads the entries from a byte offset on. Torn ends are left out; bad lines in between are reported and passed over. */
export function readLog(file: string, from = 0): LogReading {
  return parseLog(readBytes(file, from), from);
}

/** The entries in a piece of a log that begins at byte `from` of its file. */
export function parseLog(data: Buffer, from = 0): LogReading {
  const entries: Entry[] = [];
  const bad: BadLogLine[] = [];
  let end = 0;
  let start = 0;
  let group: Entry[] = [];
  while (start < data.length) {
    const stop = data.indexOf(LINE_FEED, start);
    if (stop === -1) break;
    const text = data.toString('utf8', start, stop);
    const entry = text.trim() === '' ? undefined : parseEntry(text);
    if (entry) {
      if ((entry.tx?.[0] ?? 1) === 1) group = [];
      group.push(entry);
      if (group.length === (entry.tx?.[1] ?? 1)) {
        entries.push(...group);
        group = [];
        end = stop + 1;
      }
    } else {
      if (text.trim() !== '') bad.push({ offset: from + start, reason: 'not an entry of the log' });
      if (group.length === 0) end = stop + 1;
    }
    start = stop + 1;
  }
  return { entries, end: from + end, size: from + data.length, bad };
}

/** A line as an entry; undefined when it is none. */
export function parseEntry(text: string): Entry | undefined {
  const value = parseJsonObject(text);
  if (!value || typeof value['seq'] !== 'number' || typeof value['op'] !== 'string') return undefined;
  if (!Array.isArray(value['patch'])) return undefined;
  const sound = value['patch'].every((patch) => isJsonObject(patch) && typeof patch['id'] === 'string');
  return sound ? (value as unknown as Entry) : undefined;
}

/** The bytes from an offset to the end; none when there is no file. */
export function readBytes(file: string, from: number): Buffer {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw diskError(error, file);
  }
  try {
    const length = Math.max(0, fstatSync(descriptor).size - from);
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

/** The last bytes before `end`, to recognise the same log again after a checkout or a merge. */
export function tailBefore(file: string, end: number, bytes: number): string {
  const from = Math.max(0, end - bytes);
  return readBytes(file, from)
    .subarray(0, end - from)
    .toString('base64');
}

/**
 * Appends whole groups and returns only when they are on the disk. When that fails, what was half written is taken back
 * and a coded error tells why.
 */
export function appendLog(file: string, at: number, data: Uint8Array): void {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'a', 0o644);
  } catch (error) {
    throw diskError(error, file);
  }
  try {
    try {
      writeFully(descriptor, data);
      fdatasyncSync(descriptor);
    } catch (error) {
      ftruncateSync(descriptor, at);
      throw diskError(error, file);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Moves a torn end out of the way, keeping its bytes for a person to look at. Only under the write lock. */
export function setTornEndAside(
  file: string,
  reading: LogReading,
  lostAndFound: string,
  name: string,
): string | undefined {
  if (reading.size <= reading.end) return undefined;
  const torn = readBytes(file, reading.end);
  mkdirSync(lostAndFound, { recursive: true, mode: 0o700 });
  const kept = path.join(lostAndFound, name);
  writeFileSync(kept, torn, { mode: 0o600 });
  const descriptor = openSync(file, 'r+');
  try {
    ftruncateSync(descriptor, reading.end);
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return kept;
}
