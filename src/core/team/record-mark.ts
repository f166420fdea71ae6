import { sha256 } from '#kernel/hash.js';

const MARK = /<!-- troupe:(decision|memory|session) ([0-9a-f]{16}) ([0-9a-f]{12}) -->/;
const STATE = /^<!-- troupe:state [0-9a-f]{12} -->$/;

/** Which record a part of a file tells of, and whether the part still is as we wrote it. */
export interface RecordMark {
  readonly id: string;
  readonly intact: boolean;
}

/** Says which record `text` tells of; the hash shows later whether a hand changed it. */
export function recordMark(kind: 'decision' | 'memory' | 'session', id: string, text: string): string {
  return `<!-- troupe:${kind} ${id} ${hashOf(text)} -->`;
}

/** The mark in a part of a file, and the part without it. */
export function readMark(part: string): { readonly mark: RecordMark | undefined; readonly text: string } {
  const found = MARK.exec(part);
  if (found === null) return { mark: undefined, text: part };
  const [whole, , id = '', hash] = found;
  const text = part.replace(whole, '');
  return { mark: { id, intact: hashOf(text) === hash }, text };
}

/** The last line of a part of a file that we write as a whole. Two of them tell that git has put two states into one. */
export function stateLine(text: string): string {
  return `<!-- troupe:state ${hashOf(text)} -->`;
}

/** A file that is ours as a whole, with the line that says so. */
export function withState(text: string): string {
  return `${text.trimEnd()}\n\n${stateLine(text)}\n`;
}

/** Whether a file is as we wrote it. */
export function isOurState(text: string): boolean {
  const lines = text.split(/\r?\n/);
  const rest = lines.filter((line) => !isStateLine(line)).join('\n');
  return lines.filter((line) => line.trim() === stateLine(rest)).length === 1;
}

export const isStateLine = (line: string): boolean => STATE.test(line.trim());

/** Spaces around lines and empty lines count for nothing: editors and git change them. */
function hashOf(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return sha256(lines.filter((line) => line !== '').join('\n')).slice(0, 12);
}
