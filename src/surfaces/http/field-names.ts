import { TroupeError } from '#kernel/errors.js';
import type { ResourceField } from '#operations/resource-address.js';

/** Renames the fields of a body to those of the operation. An unknown field is refused rather than silently ignored. */
export function renamed<Value>(
  body: Readonly<Record<string, Value>>,
  fields: readonly ResourceField[],
): Record<string, Value> {
  const names = new Map(fields.map((field) => (typeof field === 'string' ? [field, field] : field)));
  const input: Record<string, Value> = {};
  for (const [field, value] of Object.entries(body)) {
    const name = names.get(field);
    if (name === undefined || Object.hasOwn(input, name)) {
      throw new TroupeError('bad_input', {
        what: `${JSON.stringify(field.slice(0, 60))} is not a known field.`,
        hint: `The fields are: ${[...names.keys()].join(', ') || 'none'}.`,
        details: { field: field.slice(0, 60) },
      });
    }
    input[name] = value;
  }
  return input;
}
