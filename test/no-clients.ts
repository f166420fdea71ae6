import { NO_PARTS } from '#core/runs/own-parts.js';
import type { ClientPrograms } from '#ports/programs.js';

/** A machine without model clients, and a person without settings for them. */
export const NO_CLIENTS: ClientPrograms = {
  find: async () => undefined,
  firstOf: async () => undefined,
  ownParts: async () => NO_PARTS,
  variables: () => ({}),
};
