import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, writeSync } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { Redactor, redact } from '#kernel/secrets.js';
import type { RunPart } from '#ports/run-folders.js';

/**
 * The first or last bytes of a file; undefined if there is none. Links are not followed, because the run itself could
 * have written the files in its folder.
 */
export function tailOf(file: string, maxBytes: number, part: 'beginning' | 'end'): RunPart | undefined {
  return opened(file, (descriptor, size) => {
    const length = Math.min(size, maxBytes);
    const text = bytesAt(descriptor, part === 'end' ? size - length : 0, length).toString('utf8');
    return { text, next: part === 'end' ? size : length, size };
  });
}

/** Bytes from a position on. They may contain secrets. */
export function bytesAfter(file: string, from: number, most: number): Buffer {
  const none = Buffer.alloc(0);
  return opened(file, (descriptor, size) => (from < size ? bytesAt(descriptor, from, most) : none)) ?? none;
}

/** Removes an incomplete last line. */
export function wholeLines({ text, next, size }: RunPart): RunPart {
  const end = text.lastIndexOf('\n') + 1;
  return { text: text.slice(0, end), next: next - Buffer.byteLength(text.slice(end)), size };
}

/** Whole lines from a position on. A line longer than `most` bytes is returned in parts. */
export function linesFrom(file: string, from: number, most: number): RunPart | undefined {
  return opened(file, (descriptor, size) => {
    const start = from > size ? 0 : from; // the file was written anew
    const bytes = bytesAt(descriptor, start, Math.min(most, size - start));
    const end = bytes.lastIndexOf(10) + 1;
    const read = bytes.subarray(0, end === 0 && bytes.length === most ? bytes.length : end);
    return { text: redact(read.toString('utf8')), next: start + read.length, size };
  });
}

function bytesAt(descriptor: number, start: number, length: number): Buffer {
  const data = Buffer.alloc(length);
  return data.subarray(0, readSync(descriptor, data, 0, length, start));
}

/** Calls `look` with an open regular file; undefined for any other path. */
function opened<Found>(file: string, look: (descriptor: number, size: number) => Found): Found | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() ? look(descriptor, stats.size) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Last lines of the output of a check, redacted: those after the line `begins`, if it is near enough to the end. */
export function lastOutputLines(output: string, begins: string): string {
  const tail = tailOf(output, WORK_LIMITS.lastLinesBytes + WORK_LIMITS.redactorHeldCharacters, 'end');
  const lines = redact(tail?.text ?? '')
    .trimEnd()
    .split('\n');
  const own = lines.slice(lines.lastIndexOf(begins) + 1).slice(-WORK_LIMITS.lastLines);
  const text = own.join('\n');
  return text.length > WORK_LIMITS.lastLinesBytes ? text.slice(-WORK_LIMITS.lastLinesBytes) : text;
}

/**
 * Appends to an open file up to a maximum of bytes, then writes a note once. A full disk loses the text but causes no
 * error.
 */
export class CappedFile {
  private readonly descriptor: number;
  private remaining: number;
  private readonly note: string;

  constructor(descriptor: number, bytes: number, note: string) {
    this.descriptor = descriptor;
    this.remaining = bytes - Buffer.byteLength(note);
    this.note = note;
  }

  get full(): boolean {
    return this.remaining <= 0;
  }

  /** Writes the text, truncated to the remaining bytes. */
  write(text: string): void {
    if (this.full || text === '') return;
    const bytes = Buffer.from(text);
    const fits = bytes.length <= this.remaining;
    this.append(fits ? bytes : bytes.subarray(0, this.remaining));
    this.remaining = fits ? this.remaining - bytes.length : 0;
    if (!fits) this.append(Buffer.from(this.note));
  }

  /** Writes a whole line, or nothing if it does not fit. */
  line(text: string): void {
    if (this.full) return;
    if (Buffer.byteLength(text) + 1 > this.remaining) {
      this.remaining = 0;
      this.append(Buffer.from(this.note));
    } else this.write(`${text}\n`);
  }

  private append(bytes: Buffer): void {
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.descriptor, bytes, at);
    } catch {
      this.remaining = 0; // no room on the disk: the work itself goes on
    }
  }
}

const NOTE = '\n[the rest of the output is not kept]\n';

/**
 * Redacts secrets in the output of an ended command, and truncates it to `most` bytes, because its shell wrote the raw
 * output. A file that needs neither is left alone, and so are links and other files that are not regular.
 */
export async function cleanOutput(file: string, most: number): Promise<void> {
  if (lstatSync(file, { throwIfNoEntry: false })?.size === 0) return; // most commands print nothing: spares the open
  const source = await openPlain(file);
  if (source === undefined) return;
  try {
    const { size } = await source.stat();
    if (size === 0 || (size <= WORK_LIMITS.redactorHeldCharacters && !(await holdsSecret(source)))) return;
    const draft = `${file}.draft`;
    await rm(draft, { force: true });
    const target = await open(draft, 'wx', PRIVATE_FILE);
    try {
      const capped = new CappedFile(target.fd, most, NOTE);
      const redactor = new Redactor();
      const decoder = new StringDecoder('utf8');
      // With the handle instead of its descriptor: a stream that ends early closes the descriptor it was given.
      for await (const piece of source.createReadStream({ start: 0, autoClose: false })) {
        if (capped.full) break;
        capped.write(redactor.push(decoder.write(piece as Buffer)));
      }
      if (!capped.full) capped.write(redactor.push(decoder.end()) + redactor.end());
    } finally {
      await target.close();
    }
    await rename(draft, file);
  } finally {
    await source.close();
  }
}

async function holdsSecret(file: FileHandle): Promise<boolean> {
  const text = (await readFile(file)).toString('utf8');
  const redactor = new Redactor();
  return redactor.push(text) + redactor.end() !== text;
}

async function openPlain(file: string): Promise<FileHandle | undefined> {
  try {
    const opened = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if ((await opened.stat()).isFile()) return opened;
    await opened.close();
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENXIO') return undefined;
    throw error;
  }
}
