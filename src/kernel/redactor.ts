import { LIMITS } from '#kernel/limits.js';
import { cutOutsideSecrets, redact } from '#kernel/secrets.js';

const MASK = '********';
/** A shorter value would mask ordinary words. */
const KNOWN_LEAST_CHARACTERS = 8;
const KEY_BEGIN = /-----BEGIN [A-Z ]*PRIVATE KEY-----/g;
const KEY_END = /-----END [A-Z ]*PRIVATE KEY-----/g;

/**
 * Masks secrets in text that comes in pieces cut anywhere: by their shape, and the values that are known. A secret that is
 * spread over pieces is masked too, because text is let out in whole lines, and what may still become one is held back.
 */
export class Redactor {
  private readonly known: readonly string[];
  private held = '';

  constructor(known: Iterable<string> = []) {
    this.known = [...new Set(known)].filter((value) => value.length >= KNOWN_LEAST_CHARACTERS);
  }

  /** Answers what can be let out now. */
  push(piece: string): string {
    const text = this.held + piece;
    const end = this.endOfWhole(text);
    this.held = text.slice(end);
    return this.masked(text.slice(0, end));
  }

  /** Answers what was held back. */
  end(): string {
    const text = this.held;
    this.held = '';
    return this.masked(text);
  }

  private masked(text: string): string {
    if (text === '') return '';
    let clean = text;
    for (const value of this.known) clean = clean.replaceAll(value, MASK);
    return redact(clean);
  }

  /** Whole lines, but not into a key that has begun and not ended; of a line without end, all but its last part. */
  private endOfWhole(text: string): number {
    const line = text.lastIndexOf('\n') + 1;
    const key = keyAround(text, line);
    const end = key ?? line;
    if (text.length - end <= LIMITS.redactorHeldCharacters) return end;
    return this.outsideKnown(text, cutOutsideSecrets(text, text.length - LIMITS.redactorTailCharacters));
  }

  private outsideKnown(text: string, at: number): number {
    for (const value of this.known) {
      const start = text.indexOf(value, Math.max(0, at - value.length + 1));
      if (start !== -1 && start < at) return start;
    }
    return at;
  }
}

/** Where the private key begins that goes on at or after `at`. */
function keyAround(text: string, at: number): number | undefined {
  const begin = [...text.matchAll(KEY_BEGIN)].at(-1)?.index;
  if (begin === undefined || begin >= at) return undefined;
  const end = [...text.matchAll(KEY_END)].at(-1)?.index ?? -1;
  return end > begin && end < at ? undefined : begin;
}
