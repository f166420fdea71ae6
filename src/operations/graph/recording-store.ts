import type { Plan } from '#core/graph/event.js';
import type { NodeFields } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { RequestMark } from '#kernel/request.js';
import type { Commit, GraphStore } from '#ports/graph-store.js';
import type { TrustedCommands } from '#ports/trust.js';

/**
 * The graph as operations of this machine change it: the commands they say are agreed to, from before they are committed. What
 * comes into the graph another way (an edit of its files, a merge, a pull) comes past this, and waits for `troupe trust`.
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
      // Loaded with the first change: who only looks at the graph has no need of it.
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
