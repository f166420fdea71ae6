import { asTroupeError } from '#kernel/errors.js';
import { enterTree } from '#operations/runs/workplaces.js';
import type { SetupContext } from '#operations/runs/worktree-setup.js';
import type { Publication, RunTree } from '#ports/attempt-trees.js';
import type { AttemptOrder } from '#ports/worker-desk.js';

/** What became of the work of an attempt whose run is over. */
export interface HandedOver {
  readonly publication: Publication | undefined;
  /** Why it is not where the leader finds it. */
  readonly unpublished: string | undefined;
  /** The ref under which all of it was published instead. */
  readonly parked?: string;
}

/** Worktrees of the attempts of a worker, and the way of their work to the remote. */
export interface AttemptPlaces {
  /** Makes the worktree, with its setup. Whatever it throws is why there can be no run. */
  make(order: AttemptOrder, signal: AbortSignal): Promise<void>;
  /** Commits what is left and publishes all of it, under its branch. Errors: `remote_unreachable`, and those of git. */
  publish(order: AttemptOrder): Promise<Publication>;
  /** Publishes all of it under a ref of its run alone, as it is; undefined where there is nothing. Errors as of `publish`. */
  park(order: AttemptOrder): Promise<string | undefined>;
  /** Removes the worktree where all of it is published; answers why it stays, if it does. */
  clear(order: AttemptOrder): Promise<string | undefined>;
}

/** The worktree in which a run works: that which was ordered, whatever its plan says. */
export function treeOfOrder({ plan, tree }: AttemptOrder): Pick<RunTree, 'attempt' | 'mode'> {
  return { attempt: tree.attempt, mode: plan.tree?.mode ?? 'shell' };
}

export function attemptPlaces(context: SetupContext): AttemptPlaces {
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

/** Why something failed, in a sentence or two. */
export function failureInWords(error: unknown): string {
  const { message, why } = asTroupeError(error);
  return [message, why].filter(Boolean).join(' ');
}
