import type { Context } from '#operations/operation.js';

/** A context of the given members alone: reading another one fails and names it. */
export function contextOf(parts: Partial<Context>): Context {
  return new Proxy(parts, {
    get(given, name) {
      if (name in given || typeof name === 'symbol' || name === 'coordinator') return Reflect.get(given, name);
      throw new Error(`The context of this test has no \`${name}\`.`);
    },
  }) as Context;
}
