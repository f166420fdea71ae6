import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '#kernel/json.js';

/** What marks an entry of another tool: keys in snake case, where ours are in camel case. */
export type KeyStyle = 'camel' | 'snake';

/** The fields of one entry of another tool's file, taken out by any of their spellings; what nobody asked for is left. */
export class ForeignFields {
  private readonly left: Map<string, Json>;
  readonly style: KeyStyle;

  constructor(entry: JsonObject) {
    this.left = new Map(Object.entries(entry));
    this.style = Object.keys(entry).some((key) => key.includes('_')) ? 'snake' : 'camel';
  }

  /** The first of these fields that is a text with something in it. */
  text(...names: readonly string[]): string | undefined {
    for (const name of names) {
      const value = this.left.get(name);
      if (typeof value !== 'string' || value.trim() === '') continue;
      this.left.delete(name);
      return value;
    }
    return undefined;
  }

  any(...names: readonly string[]): Json | undefined {
    for (const name of names) {
      const value = this.left.get(name);
      if (value === undefined) continue;
      this.left.delete(name);
      return value;
    }
    return undefined;
  }

  /** Everything that was not taken, to be kept under `x`; nothing when all was. */
  rest(): { x?: JsonObject } {
    return this.left.size === 0 ? {} : { x: Object.fromEntries(this.left) };
  }
}

/** An id that comes out alike wherever the same foreign entry is read. */
export function derivedId(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0'), 'utf8').digest('hex').slice(0, 32);
}
