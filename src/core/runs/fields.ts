import { isJsonObject, type JsonObject } from '#kernel/json.js';

// Fields of a line that a client wrote. What has another form than expected counts as not there.

export function textAt(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' ? value : undefined;
}

/** Counts and prices: finite and not negative, else 0. */
export function amountAt(object: JsonObject | undefined, key: string): number {
  const value = object?.[key];
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** As `amountAt`, but undefined where there is none: a price of 0 is known, none is not. */
export function priceAt(object: JsonObject | undefined, key: string): { cost_usd?: number } {
  return typeof object?.[key] === 'number' ? { cost_usd: amountAt(object, key) } : {};
}

export function objectAt(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key];
  return isJsonObject(value) ? value : undefined;
}

/** The objects of a list; other entries are passed over. */
export function objectsAt(object: JsonObject | undefined, key: string): JsonObject[] {
  const value = object?.[key];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
