import { TroupeError } from '#kernel/errors.js';
import type { JsonObject } from '#kernel/json.js';

/** Renames the fields of a body to those of the operation. An unknown field is refused rather than silently ignored. */
export function renamed(body: JsonObject, fields: Readonly<Record<string, string>>): JsonObject {
  const input: JsonObject = {};
  for (const [field, value] of Object.entries(body)) {
    const name = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (name === undefined || Object.hasOwn(input, name)) {
      throw new TroupeError('bad_input', {
        what: `${JSON.stringify(field.slice(0, 60))} is not a known field.`,
        hint: `The fields are: ${Object.keys(fields).join(', ') || 'none'}.`,
        details: { field: field.slice(0, 60) },
      });
    }
    input[name] = value;
  }
  return input;
}
