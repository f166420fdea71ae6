import { claimTask } from '#core/graph/moves.js';
import type { ConfigTree } from '#core/mail/config-tree.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import type { Caller } from '#ports/callers.js';
import { seedTree } from '../../core/mail/tree.js';
import { world } from '../../e2e/world.js';

/** The organisation of the seed, with Ann as decider; no team was cast. */
export function organisation() {
  const own = world();
  let tree: ConfigTree | TroupeError = { ...seedTree(), humans: [{ name: 'Ann', role: 'decider' }] };
  let fresh = 0;
  const as = (caller: Caller, request: Context['request'] = {}): Context => ({
    ...own.context,
    ...{ caller, request },
    freshId: () => `m-${++fresh}`,
    rosterConfig: async () => ({
      tree: async () => {
        if (tree instanceof TroupeError) throw tree;
        return tree;
      },
      project: own.context.rosterConfig as never,
      workgroup: own.context.rosterConfig as never,
    }),
  });
  const person = (name = 'ann') => as({ kind: 'person', name });
  const run = (taskId: string, fence = 1) => as({ kind: 'run', name: `agent-${taskId}`, taskId, fence });
  const claim = (id: string) =>
    own.store.commit((view) => claimTask(view, id, { now: own.clock.now(), by: { name: `agent-${id}` } }));
  return {
    ...own,
    ...{ as, person, run, claim },
    configure: (next: ConfigTree | TroupeError) => {
      tree = next;
    },
    task: async (id: string) => (await own.store.view()).task(id),
  };
}
