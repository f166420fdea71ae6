import type { SquadParts } from '#adapters/squad/squad-journal.js';

/** A team without a graph, which nobody follows. */
export const ALONE: SquadParts = {
  step: () => undefined,
  log: async () => ({ end: async () => undefined, enter: async () => ({ tasks: [] }), has: async () => true }),
  followers: async () => [],
};
