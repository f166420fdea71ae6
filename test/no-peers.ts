import type { Peers } from '#ports/processes.js';

/** A system that gives no information about processes. */
export const NO_PEERS: Peers = {
  limitsHold: false,
  lineageOf: () => undefined,
  limitOf: () => undefined,
  all: () => [],
  below: () => [],
  wordsOf: () => [],
  shows: () => false,
  holdersOf: () => undefined,
  isAfar: () => false,
  hidesFiles: () => false,
};
