import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { redact } from '#kernel/secrets.js';
import type { RunPart } from '#ports/run-folders.js';

/** One end of a file, undefined when there is none. What the folder of a run holds the run itself could write: no links. */
export function tailOf(file: string, maxBytes: number, part: 'beginning' | 'end'): RunPart | undefined {
  return opened(file, (descriptor, size) => {
    const length = Math.min(size, maxBytes);
    const text = bytesAt(descriptor, part === 'end' ? size - length : 0, length).toString('utf8');
    return { text, next: part === 'end' ? size : length, size };
  });
}

/** Without a line that is still being written. */
export function wholeLines({ text, next, size }: RunPart): RunPart {
  const end = text.lastIndexOf('\n') + 1;
  return { text: text.slice(0, end), next: next - Buffer.byteLength(text.slice(end)), size };
}

/** Whole lines; one that is longer than may be read is given in parts. */
export function linesFrom(file: string, from: number, most: number): RunPart | undefined {
  return opened(file, (descriptor, size) => {
    const start = from > size ? 0 : from; // it was made anew
    const bytes = bytesAt(descriptor, start, Math.min(most, size - start));
    const end = bytes.lastIndexOf(10) + 1;
    const taken = bytes.subarray(0, end === 0 && bytes.length === most ? bytes.length : end);
    return { text: redact(taken.toString('utf8')), next: start + taken.length, size };
  });
}

function bytesAt(descriptor: number, start: number, length: number): Buffer {
  const data = Buffer.alloc(length);
  return data.subarray(0, readSync(descriptor, data, 0, length, start));
}

/** Undefined for what is no plain file of its own. */
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
    const found = fstatSync(descriptor);
    return found.isFile() ? look(descriptor, found.size) : undefined;
  } finally {
    closeSync(descriptor);
  }
}
