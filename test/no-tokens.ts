import { expect } from 'vitest';
import type { AccessTokens } from '#ports/access-tokens.js';

/** No program has a token of the HTTP API. */
export const NO_TOKENS: AccessTokens = {
  all: () => [],
  add: async () => expect.unreachable('this test makes no tokens'),
  revoke: async () => undefined,
  ofSecret: () => undefined,
  watch: () => () => undefined,
};
