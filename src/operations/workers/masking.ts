import { isJsonObject } from '#kernel/json.js';
import { MASK } from '#kernel/run-token.js';
import { redact } from '#kernel/secrets.js';

/** Minimum length of a masked value; a shorter one would mask ordinary words. */
const LEAST_CHARACTERS = 8;

/**
 * Masks the values of this machine's secrets, and with `shapes` also text that looks like a secret, in data that leaves
 * it.
 */
export class Masking {
  readonly values: readonly string[];

  /** Sorted by length, longest first, because a value may be part of another. */
  constructor(values: Iterable<string>) {
    this.values = [...new Set(values)]
      .filter((value) => value.length >= LEAST_CHARACTERS)
      .sort((left, right) => right.length - left.length);
  }

  /** A copy of the data with masked texts. */
  masked<Data>(data: Data, { shapes }: { readonly shapes: boolean }): Data {
    return this.maskedPart(data, shapes) as Data;
  }

  private maskedPart(data: unknown, shapes: boolean): unknown {
    if (typeof data === 'string') {
      let text = data;
      for (const value of this.values) text = text.replaceAll(value, MASK);
      return shapes ? redact(text) : text;
    }
    if (Array.isArray(data)) return data.map((part) => this.maskedPart(part, shapes));
    if (!isJsonObject(data)) return data;
    return Object.fromEntries(Object.entries(data).map(([name, part]) => [name, this.maskedPart(part, shapes)]));
  }
}
