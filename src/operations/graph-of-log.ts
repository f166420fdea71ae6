import { GraphState } from '#core/graph/state.js';
import { type Difference, differences } from '#core/history/node-difference.js';
import type { GraphStore } from '#ports/graph-store.js';

/** Comparison of the present graph with the one rebuilt from the log. */
export interface LogComparison {
  /** Whether nothing differs and the log could be read from its first entry. */
  readonly same: boolean;
  readonly seq: number;
  /** `seq` of the first existing entry; more than 1 if earlier pieces are missing. */
  readonly from: number;
  /** Differing tasks by id, between the present graph (`only-first`) and the rebuilt one (`only-second`). */
  readonly differences: readonly Difference[];
}

/**
 * Rebuilds the graph from all entries and compares it with the present one. If the oldest entries are missing, it
 * starts from the graph after them.
 */
export async function compareWithLog(store: GraphStore): Promise<LogComparison> {
  const { seq } = await store.view();
  const { state, from } = await graphOfLog(store, seq);
  const mismatches = differences(await store.view(seq), state);
  return { same: mismatches.length === 0 && from === 1, seq, from, differences: mismatches };
}

/** Graph rebuilt from the existing entries up to `to`, and the `seq` of the first of them. */
export async function graphOfLog(store: GraphStore, to: number): Promise<{ state: GraphState; from: number }> {
  let state: GraphState | undefined;
  let from = 1;
  for await (const entry of store.entries(1, to)) {
    if (!state) {
      from = entry.seq;
      state = new GraphState();
      if (from > 1) {
        const before = await store.view(from - 1);
        state.load(before.nodes(), before.seq);
      }
    }
    state.apply(entry);
  }
  return { state: state ?? new GraphState(), from };
}
