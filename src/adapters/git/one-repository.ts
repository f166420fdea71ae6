import type { Exchange } from '#ports/exchange.js';

/** The exchange where attempts work in the repository in which results gather: whatever is committed is there already. */
export const ONE_REPOSITORY: Exchange = {
  follow: async () => undefined,
  bring: async () => undefined,
  publish: async () => true,
  withdraw: async () => undefined,
};
