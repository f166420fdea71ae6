import { asTroupeError } from '#kernel/errors.js';
import type { FilesContext, MachineContext } from '#operations/contexts.js';
import { enterTree } from '#operations/runs/workplaces.js';
import type { Publication, RunTree } from '#ports/attempt-trees.js';
import type { AttemptOrder } from '#ports/worker-gateway.js';

/** Result of publishing the work of an ended run. */
export interface HandedOver {
  readonly publication: Publication | undefined;
  /** Reason why the leader cannot find the work under its branch. */
  readonly unpublished: string | undefined;
  /** The ref under which all of it was published instead. */
  readonly parked?: string;
}

/** Worktrees of a worker's attempts, and the publication of their work to the remote. */
export interface AttemptPlaces {
  /** Creates the worktree and runs its setup. Any error is the reason why there can be no run. */
  make(order: AttemptOrder, signal: AbortSignal): Promise<void>;
  /**
   * Commits remaining changes and publishes all work under its branch. Errors: `remote_unreachable`, and those of git.
   */
  publish(order: AttemptOrder): Promise<Publication>;
  /** Publishes all work unchanged under a ref of its run only; undefined if there is none. Same errors as `publish`. */
  park(order: AttemptOrder): Promise<string | undefined>;
  /** Removes the worktree if all of its work is published. Returns the reason if it is kept. */
  clear(order: AttemptOrder): Promise<string | undefined>;
}

/** The worktree of a run, taken from the order, which overrides the plan. */
export function treeOfOrder({ plan, tree }: AttemptOrder): Pick<RunTree, 'attempt' | 'mode'> {
  return { attempt: tree.attempt, mode: plan.tree?.mode ?? 'shell' };
}

export function attemptPlaces(context: FilesContext & MachineContext): AttemptPlaces {
  return {
    async make(order, signal) {
      const { tree: request, setsUp } = order;
      const trees = await context.trees();
      const tree = { ...(await trees.placeOf(request)), ...treeOfOrder(order) };
      await enterTree(context, { request, tree, setsUp }, signal);
    },
    publish: async ({ tree: { task, attempt } }) => await (await context.trees()).publish({ task, attempt }),
    park: async ({ plan, tree: { task, attempt } }) => {
      const ref = `refs/wg/park/${plan.id}`;
      return (await (await context.trees()).park({ task, attempt }, ref)) ? ref : undefined;
    },
    async clear({ tree: { task, attempt } }) {
      const removal = await (await context.trees()).remove({ task, attempt, branchStays: true });
      return removal.removed === 'nothing' && removal.reason !== 'absent' ? removal.text : undefined;
    },
  };
}

/** Reason of a failure in a sentence or two. */
export function failureInWords(error: unknown): string {
  const { message, why } = asTroupeError(error);
  return [message, why].filter(Boolean).join(' ');
}
