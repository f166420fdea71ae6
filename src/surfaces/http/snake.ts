import { isJsonObject } from '#kernel/json.js';

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
  return renamed(value) as Snake<Value>;
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => [
    key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    renamed(part),
  ]);
  return Object.fromEntries(entries);
}
