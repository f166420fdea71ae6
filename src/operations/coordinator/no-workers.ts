import type { Workers } from '#ports/workers.js';

/** No workers: all runs are carried out on this machine. */
export const NO_WORKERS: Workers = {
  rooms: async () => [],
  silent: async () => [],
  workerProblems: async () => [],
  assignRun: () => undefined,
  endOf: () => undefined,
};
