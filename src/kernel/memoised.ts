/**
 * Returns a function that derives a value from an immutable object and caches it as long as the object exists. A
 * changed state must be another object.
 */
export function memoised<Source extends object, Value>(derive: (source: Source) => Value): (source: Source) => Value {
  const values = new WeakMap<Source, { readonly value: Value }>();
  return (source) => {
    const before = values.get(source);
    if (before !== undefined) return before.value;
    const value = derive(source);
    values.set(source, { value });
    return value;
  };
}
