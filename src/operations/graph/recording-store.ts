import type { Plan } from '#core/graph/event.js';
import type { NodeFields } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { RequestMark } from '#kernel/request.js';
import type { Commit, GraphStore } from '#ports/graph-store.js';
import type { TrustedCommands } from '#ports/trust.js';

/**
 * Graph store for operations on this machine: records the commands they add as trusted before they are committed.
 * Changes from elsewhere (edits of the files, merges, pulls) bypass it, and their commands wait for `troupe trust`.
 */
export function recordingStore(store: GraphStore, trusted: () => Promise<TrustedCommands>): GraphStore {
  return {
    clock: store.clock,
    view: (at) => store.view(at),
    entries: (from, to) => store.entries(from, to),
    follow: (from, signal) => store.follow(from, signal),
    archived: (query) => store.archived(query),
    files: store.files,
    health: () => store.health(),
    close: () => store.close(),
    async commit<Result>(decide: (view: GraphView) => Plan<Result>, request?: RequestMark): Promise<Commit<Result>> {
      // Loaded on the first change: reads do not need it.
      const [{ commitCommandHashes }, commands] = await Promise.all([import('#core/graph/commands.js'), trusted()]);
      const recording = (view: GraphView) => {
        const plan = decide(view);
        commands.add(commitCommandHashes((id) => view.task(id) as NodeFields | undefined, plan.events, commands));
        return plan;
      };
      return store.commit(recording, request);
    },
  };
}
