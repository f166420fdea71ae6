import { isJsonObject, type JsonObject } from './json.js';
import { compareText } from './order.js';

/** JSON text that does not depend on the order of keys; undefined for undefined. */
export function canonicalJson(value: unknown): string | undefined {
  if (isJsonObject(value) && isFlat(value)) return JSON.stringify(value, Object.keys(value).sort());
  const sorted = (_: string, field: unknown) =>
    isJsonObject(field) ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => compareText(a, b))) : field;
  return JSON.stringify(value, sorted);
}

/** Whether no field contains others: the common case, which needs no function call for each field. */
function isFlat(value: JsonObject): boolean {
  return Object.values(value).every((field) => typeof field !== 'object' || field === null);
}
