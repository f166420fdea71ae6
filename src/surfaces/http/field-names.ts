import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';

type Word<Key extends string> = Key extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${Word<Rest>}`
  : Key;

/** A value with all its keys in snake case, as everywhere on the addresses of a project. */
export type Snake<Value> = Value extends readonly (infer Item)[]
  ? readonly Snake<Item>[]
  : Value extends object
    ? { [Key in keyof Value as Key extends string ? Word<Key> : Key]: Snake<Value[Key]> }
    : Value;

export function snake<Value>(value: Value): Snake<Value> {
  return withSnakeKeys(value) as Snake<Value>;
}

function withSnakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSnakeKeys);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => [
    key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    withSnakeKeys(part),
  ]);
  return Object.fromEntries(entries);
}

/** The body under the names of the operation. A field it does not have is refused: nobody is to think it counted. */
export function renamed(body: JsonObject, fields: Readonly<Record<string, string>>): JsonObject {
  const input: JsonObject = {};
  for (const [field, value] of Object.entries(body)) {
    const name = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (name === undefined || Object.hasOwn(input, name)) {
      throw new TroupeError('bad_input', {
        what: `${JSON.stringify(field.slice(0, 60))} has no meaning here.`,
        hint: `The fields are: ${Object.keys(fields).join(', ') || 'none'}.`,
        details: { field: field.slice(0, 60) },
      });
    }
    input[name] = value;
  }
  return input;
}
