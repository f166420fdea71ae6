import { fileStoreKind } from '#adapters/store/files/file-store-kind.js';
import { systemClock } from '#kernel/clock.js';
import type { StoreKind } from '#ports/graph-store.js';
import type { Processes } from '#ports/processes.js';

interface StorePlace {
  /** The `.workgraph` folder. */
  readonly folder: string;
  readonly processes: () => Promise<Processes>;
}

/** The ways to keep a graph; the only place that knows which there are. */
const KINDS = {
  files: (place: StorePlace): StoreKind => fileStoreKind({ ...place, clock: systemClock }),
};

/** Where the graph of a project is kept, in that way. Nothing is opened yet. */
export function openStore(kind: keyof typeof KINDS, place: StorePlace): StoreKind {
  return KINDS[kind](place);
}
