import type { GraphStore } from '#ports/graph-store.js';

/** Repeats a check after every commit until it succeeds. False after `patienceMs`, or if the graph is closed. */
export async function followUntil(
  store: GraphStore,
  isSo: () => Promise<boolean>,
  patienceMs: number,
): Promise<boolean> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), patienceMs);
  try {
    const { seq } = await store.view();
    if (await isSo()) return true;
    for await (const _ of store.follow(seq + 1, patience.signal)) if (await isSo()) return true;
    return await isSo();
  } finally {
    clearTimeout(timer);
    patience.abort();
  }
}
