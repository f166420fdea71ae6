import type { SharedTurn } from '#ports/graph-store.js';

/** The write turn of a process that is alone in its project. */
export const FREE_TURN: SharedTurn = {
  isFree: () => true,
  async exclusively(work) {
    return work();
  },
};
