import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { sha256 } from '#kernel/hash.js';
import { parseJsonObject } from '#kernel/json.js';

/** Parsed values of YAML texts, known without parsing. */
export interface ParsedAhead {
  /** The value of a text; undefined if it has to be parsed. */
  of(text: string): { readonly value: unknown } | undefined;
}

/** Knows no values: every text is parsed. */
export const NOTHING_AHEAD: ParsedAhead = { of: () => undefined };

/**
 * Values that the build wrote into one compressed JSON file, keyed by the SHA-256 of the YAML texts, because parsing the shipped
 * catalog took a third of the time of `troupe cast`. A text that has changed since the build is parsed, and so is every
 * text if the file is missing or damaged.
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
    let bytes: Buffer;
    try {
      bytes = readFileSync(this.file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      throw error;
    }
    try {
      return parseJsonObject(brotliDecompressSync(bytes).toString()) ?? {};
    } catch {
      return {}; // damaged
    }
  }
}
