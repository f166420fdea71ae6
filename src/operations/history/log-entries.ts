import type { Entry } from '#core/graph/event.js';
import type { GraphStore } from '#ports/graph-store.js';

/** The log from its beginning, up to an event. */
export async function logUpTo(store: GraphStore, seq: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of store.entries(1, seq)) entries.push(entry);
  return entries;
}
