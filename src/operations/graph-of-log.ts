import { GraphState } from '#core/graph/state.js';
import { type Difference, differences } from '#core/history/node-difference.js';
import type { GraphStore } from '#ports/graph-store.js';

/** The graph as it is used, beside the one that the log makes. */
export interface LogComparison {
  /** Nothing differs, and the log could be followed from its first entry. */
  readonly same: boolean;
  readonly seq: number;
  /** `seq` of the first entry that is still there; more than 1 when earlier pieces are missing. */
  readonly from: number;
  /** Tasks about which the graph as it is used (`only-first`) and as the log makes it (`only-second`) do not agree, by id. */
  readonly differences: readonly Difference[];
}

/**
 * Makes the graph again from every entry there ever was, and compares it with the one that is used.
 * Where the oldest entries are missing it begins from the graph as it was after them.
 */
export async function compareWithLog(store: GraphStore): Promise<LogComparison> {
  const { seq } = await store.view();
  const { state, from } = await graphOfLog(store, seq);
  const mismatches = differences(await store.view(seq), state);
  return { same: mismatches.length === 0 && from === 1, seq, from, differences: mismatches };
}

/** The graph as the entries up to `to` make it, one by one from the first that is there. */
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
