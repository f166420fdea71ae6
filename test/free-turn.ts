import type { WriteTurn } from '#ports/graph-store.js';

/** The write turn of a process that is alone in its project. */
export const FREE_TURN: WriteTurn = {
  isFree: () => true,
  async exclusively(work) {
    return work();
  },
};
