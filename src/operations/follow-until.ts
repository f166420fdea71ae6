import type { GraphStore } from '#ports/graph-store.js';

/** Looks again whenever something was committed; false when it took longer than `patienceMs`, or the graph was closed. */
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
