import type { CoordinatorFacts } from '#operations/coordinator-facts.js';

const refused = (): never => {
  throw new Error('nobody asks for that here');
};

/** Acts of a coordinator where only its state is asked for. */
export const NO_ACTS = {
  ...{ kill: refused, spawn: refused, inForce: refused, roundEnd: refused, status: refused },
  ...{ pause: refused, resume: refused, configure: refused, shutDown: refused },
} satisfies Partial<CoordinatorFacts>;
