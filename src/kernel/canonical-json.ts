import { isJsonObject } from './json.js';
import { compareText } from './order.js';

/** JSON text that does not depend on the order of keys; undefined for undefined. */
export function canonicalJson(value: unknown): string | undefined {
  const sorted = (_: string, field: unknown) =>
    isJsonObject(field) ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => compareText(a, b))) : field;
  return JSON.stringify(value, sorted);
}
