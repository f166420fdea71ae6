import type { Workers } from '#ports/workers.js';

/** All runs work at this machine. */
export const NO_WORKERS: Workers = {
  rooms: async () => [],
  silent: async () => [],
  worries: async () => [],
  hand: () => undefined,
  endOf: () => undefined,
};
