import type { SquadParts } from '#adapters/squad/squad-journal.js';
import { systemClock } from '#kernel/clock.js';

/** A team without a graph and without a follower. */
export const ALONE: SquadParts = {
  clock: systemClock,
  step: () => undefined,
  log: async () => ({ end: async () => undefined, enter: async () => ({ tasks: [] }), has: async () => true }),
  followers: async () => [],
};
