/**
 * What is worked out of an object that never changes, once for each object and for as long as somebody holds it. Ask again with
 * another object where something changed.
 */
export function derivedOnce<Source extends object, Value>(
  derive: (source: Source) => Value,
): (source: Source) => Value {
  const values = new WeakMap<Source, { readonly value: Value }>();
  return (source) => {
    const before = values.get(source);
    if (before !== undefined) return before.value;
    const value = derive(source);
    values.set(source, { value });
    return value;
  };
}
