import { LIMITS } from '#kernel/limits.js';
import type { ExecutorEvent } from './event.js';

/** The last message of a run, put together from its events. Of a long one the end is kept: there stands what it wants. */
export class LastWords {
  private said = '';
  /** The next text begins a message. */
  private over = true;
  private turn = 0;

  take(event: ExecutorEvent): void {
    if (event.type === 'tool' || (event.type === 'progress' && event.turn > this.turn)) this.over = true;
    if (event.type === 'progress') this.turn = event.turn;
    if (event.type !== 'text' || (this.over && event.text.trim() === '')) return;
    const before = this.over ? '' : `${this.said}${event.continues ? '' : '\n'}`;
    this.over = false;
    this.said = `${before}${event.text}`.slice(-KEPT);
  }

  /** More of it than is kept, so that a secret at the cut is known as one; empty when nothing was said. */
  get text(): string {
    return this.said.trim();
  }
}

const KEPT = LIMITS.lastWordsBytes + LIMITS.redactorHeldCharacters;
const CUT = '[cut] … ';

/** The end of a text, within the bound, between two characters; undefined for nothing. */
export function lastBytes(text: string): string | undefined {
  if (text === '') return undefined;
  const bytes = Buffer.from(text);
  if (bytes.length <= LIMITS.lastWordsBytes) return text;
  let start = bytes.length - LIMITS.lastWordsBytes + Buffer.byteLength(CUT);
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return `${CUT}${bytes.toString('utf8', start)}`;
}
