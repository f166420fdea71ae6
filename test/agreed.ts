import type { TrustedCommands } from '#ports/trust.js';

/** Trusts every command of a graph. */
export const AGREED: TrustedCommands = {
  trusts: () => true,
  look: () => undefined,
  add: () => undefined,
  clear: () => undefined,
};

/** Trusts the commands with these hashes. */
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
