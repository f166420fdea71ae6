import { ACCESS_TOKEN } from './access-token.js';
import { WORK_LIMITS } from './limits/work.js';
import { MASK, RUN_TOKEN } from './run-token.js';

/** Patterns of secrets in any context. A first group is kept: it only names the kind of secret. */
const SECRET_SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  RUN_TOKEN,
  ACCESS_TOKEN,
  /\bgh[pousr]_[A-Za-z0-9]{20,}\b/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}\b/g,
  /\bglpat-[\w-]{16,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\bsk-[A-Za-z0-9_-]{20,}/g,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}\b/g,
  /\bnpm_[A-Za-z0-9]{30,}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
  /(\bbearer\s+)[\w.~+/=-]{12,}/gi,
  /(\bbasic\s+)[A-Za-z0-9+/]{16,}={0,2}/gi,
  /(:\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}(?=@)/g,
  /((?:password|passwd|secret|token|api[_-]?key|access[_-]?key)["']?\s*[=:]\s*["']?)(?!\*)[^\s"',;]{8,}/gi,
];

/** Masks everything that has the form of a secret. */
export function redact(text: string): string {
  let clean = text;
  for (const shape of SECRET_SHAPES) {
    clean = clean.replace(shape, (_all, prefix: unknown) => `${typeof prefix === 'string' ? prefix : ''}${MASK}`);
  }
  return clean;
}

/** Last position at or before `at` that is not inside a secret; `at` if there is none. */
function cutOutsideSecrets(text: string, at: number): number {
  for (let cut = at; cut > 0; ) {
    const start = startOfSecretAround(text, cut);
    if (start === undefined) return cut;
    cut = start;
  }
  return at;
}

function startOfSecretAround(text: string, at: number): number | undefined {
  for (const shape of SECRET_SHAPES) {
    for (const match of text.matchAll(shape)) {
      if (match.index >= at) break;
      if (match.index + match[0].length > at) return match.index;
    }
  }
  return undefined;
}

/** Shorter values would mask ordinary words. */
const KNOWN_LEAST_CHARACTERS = 8;
const KEY_BEGIN = /-----BEGIN [A-Z ]*PRIVATE KEY-----/g;
const KEY_END = /-----END [A-Z ]*PRIVATE KEY-----/g;

/**
 * Masks secrets in text that arrives in arbitrary chunks: by their form, and known values. Secrets that span chunks are
 * masked too, because text is released in whole lines, and text that may become a secret is held back.
 */
export class Redactor {
  private readonly values: readonly string[];
  private pending = '';

  constructor(values: Iterable<string> = []) {
    this.values = [...new Set(values)].filter((value) => value.length >= KNOWN_LEAST_CHARACTERS);
  }

  /** Number of bytes held back. */
  get heldBytes(): number {
    return Buffer.byteLength(this.pending);
  }

  /** Adds a chunk and returns the text that can be released. */
  push(piece: string): string {
    const text = this.pending + piece;
    const end = this.endOfWhole(text);
    this.pending = text.slice(end);
    return this.masked(text.slice(0, end));
  }

  /** Returns the text held back. */
  end(): string {
    const text = this.pending;
    this.pending = '';
    return this.masked(text);
  }

  private masked(text: string): string {
    if (text === '') return '';
    let clean = text;
    for (const value of this.values) clean = clean.replaceAll(value, MASK);
    return redact(clean);
  }

  /**
   * End of the text to release: whole lines, but not into an unfinished private key; of an overlong line without an
   * end, all but its tail.
   */
  private endOfWhole(text: string): number {
    const line = text.lastIndexOf('\n') + 1;
    const key = keyAround(text, line);
    const end = key ?? line;
    if (text.length - end <= WORK_LIMITS.redactorHeldCharacters) return end;
    return this.outsideKnown(text, cutOutsideSecrets(text, text.length - WORK_LIMITS.redactorTailCharacters));
  }

  private outsideKnown(text: string, at: number): number {
    for (const value of this.values) {
      const start = text.indexOf(value, Math.max(0, at - value.length + 1));
      if (start !== -1 && start < at) return start;
    }
    return at;
  }
}

/** Start of the private key that contains or follows position `at`. */
function keyAround(text: string, at: number): number | undefined {
  const begin = [...text.matchAll(KEY_BEGIN)].at(-1)?.index;
  if (begin === undefined || begin >= at) return undefined;
  const end = [...text.matchAll(KEY_END)].at(-1)?.index ?? -1;
  return end > begin && end < at ? undefined : begin;
}
