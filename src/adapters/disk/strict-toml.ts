import { parse, stringify, TomlError } from 'smol-toml';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { UnreadableData } from './unreadable-data.js';

/** Parses untrusted TOML. Rejects duplicate keys, `__proto__`, NUL, nesting beyond `depth`. Throws `UnreadableData`. */
export function strictToml(text: string, depth: number = WORK_LIMITS.jsonDepth): JsonObject {
  if (text.includes('\0')) throw new UnreadableData('it contains characters that are not allowed in TOML');
  let value: unknown;
  try {
    value = parse(text, { maxDepth: depth });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [why = 'not understood'] = error.message.replace('Invalid TOML document: ', '').split('\n');
    throw new UnreadableData(why, error.line, error.column);
  }
  if (!isJsonObject(value) || holdsPrototype(value)) throw new UnreadableData('the key __proto__ is not allowed');
  return value;
}

/** Serialises data as TOML. */
export function tomlText(value: JsonObject): string {
  return `${stringify(value).trimEnd()}\n`;
}

function holdsPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(holdsPrototype);
}
