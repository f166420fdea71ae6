import type { Entry } from '#core/graph/event.js';
import type { GraphStore } from '#ports/graph-store.js';

/** Something made of the entries of a log, one after the other. */
interface OfEntries {
  add(entry: Entry): void;
}

interface Begun<Made> {
  readonly made: Made;
  /** The last entry that is in it. */
  seq: number;
}

/**
 * Keeps what was made of each log, as long as its store: a page that is open asks every few seconds, and then only new
 * entries are read.
 */
export function keptFrom<Made extends OfEntries>(
  begin: (store: GraphStore) => Promise<Begun<Made>>,
): (store: GraphStore) => Promise<Made> {
  const logs = new WeakMap<GraphStore, Begun<Made>>();
  return async (store) => {
    const begun = logs.get(store) ?? (await begin(store));
    const log = logs.get(store) ?? begun; // another call may have begun meanwhile
    logs.set(store, log);
    for await (const entry of store.entries(log.seq + 1)) {
      if (entry.seq <= log.seq) continue; // another call has read it meanwhile
      log.made.add(entry);
      log.seq = entry.seq;
    }
    return log.made;
  };
}

/** The same from the beginning of the log. */
export function keptOf<Made extends OfEntries>(make: () => Made): (store: GraphStore) => Promise<Made> {
  return keptFrom(async () => ({ made: make(), seq: 0 }));
}
