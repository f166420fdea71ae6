import type { TrustedCommands } from '#ports/trust.js';

/** A person who has agreed to whatever a graph would run. */
export const AGREED: TrustedCommands = {
  trusts: () => true,
  look: () => undefined,
  add: () => undefined,
  clear: () => undefined,
};

/** A person who has agreed to these. */
export function agreedTo(...hashes: string[]): TrustedCommands & { readonly hashes: ReadonlySet<string> } {
  const known = new Set(hashes);
  return {
    hashes: known,
    trusts: (hash) => known.has(hash),
    look: () => undefined,
    add: (more) => {
      for (const hash of more) known.add(hash);
    },
    clear: () => known.clear(),
  };
}
