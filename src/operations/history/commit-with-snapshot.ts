import type { Plan } from '#core/graph/event.js';
import type { GraphView } from '#core/graph/view.js';
import type { RunMeta } from '#core/history/archived-runs.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/** So often the graph may change between keeping it and changing it. */
const ATTEMPTS = 8;

/** Thrown inside a decision: the graph that was kept is no longer the one that would be changed. */
const MOVED_ON = new TroupeError('internal', { what: 'The graph changed while it was kept.' });

/**
 * Keeps the graph under a new run id, then changes it; what is kept is exactly what was there before the change. When the
 * change is refused nothing stays behind. `facts` refuses by throwing, before anything is kept.
 */
export async function commitWithSnapshot<Result>(
  context: Context,
  what: { facts(view: GraphView): Omit<RunMeta, 'id'>; decide(view: GraphView, run: string): Plan<Result> },
): Promise<Result> {
  const [store, snapshots] = [await context.graph(), await context.runSnapshots()];
  for (let attempt = 1; ; attempt++) {
    const before = await store.view();
    const kept = await snapshots.keep(before.nodes(), what.facts(before));
    let [decided, used] = [false, false];
    try {
      const commit = await store.commit((view) => {
        if (view.seq !== before.seq) throw MOVED_ON;
        const plan = what.decide(view, kept.id);
        decided = true;
        return plan;
      }, context.request);
      used = decided; // else the request was answered before, with another run
      return commit.result;
    } catch (error) {
      if (error !== MOVED_ON || attempt === ATTEMPTS) throw error;
    } finally {
      if (!used) await snapshots.drop(kept.id);
    }
  }
}
