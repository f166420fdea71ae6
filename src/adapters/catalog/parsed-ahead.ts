import { readFileSync } from 'node:fs';
import { sha256 } from '#kernel/hash.js';
import { parseJsonObject } from '#kernel/json.js';

/** Values of YAML texts that are known before the texts are parsed. */
export interface ParsedAhead {
  /** Undefined for a text that has to be parsed. */
  of(text: string): { readonly value: unknown } | undefined;
}

/** Every text is parsed. */
export const NOTHING_AHEAD: ParsedAhead = { of: () => undefined };

/**
 * The values that the build has written into one JSON file, by the SHA-256 of their texts: to parse the shipped catalog was a third
 * of what `troupe cast` takes. A text that was changed since, and a copy of Troupe without the file, is parsed.
 */
export class ParsedByBuild implements ParsedAhead {
  private readonly file: string;
  private values: Readonly<Record<string, unknown>> | undefined;

  constructor(file: string) {
    this.file = file;
  }

  of(text: string): { readonly value: unknown } | undefined {
    this.values ??= this.read();
    const key = sha256(text);
    return Object.hasOwn(this.values, key) ? { value: this.values[key] } : undefined;
  }

  private read(): Readonly<Record<string, unknown>> {
    try {
      return parseJsonObject(readFileSync(this.file, 'utf8')) ?? {};
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      throw error;
    }
  }
}
