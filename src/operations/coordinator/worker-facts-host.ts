import { NO_WORKER_FACTS, type WorkerFacts } from '#core/coordinator/worker-facts.js';
import { needsOf } from '#core/graph/needs.js';
import type { Task } from '#core/graph/task.js';
import type { FilesContext, MachineContext, TeamContext } from '#operations/contexts.js';
import { loadSettings } from '#operations/load-settings.js';
import { confine } from '#operations/runs/prompt-attempt.js';
import { isSetUpFor } from '#operations/runs/workplaces.js';
import type { AttemptRequest, RunTree } from '#ports/attempt-trees.js';
import type { Workers } from '#ports/workers.js';
import type { ClientFacts } from './clients.js';

/** A worktree that a worker has to create. */
export interface TreeForWorker {
  readonly request: AttemptRequest;
  readonly mode: RunTree['mode'];
}

/** Attempts at workers: which are possible, and their hand-over. */
export interface WorkerFactsHost {
  facts(clients: Pick<ClientFacts, 'notHere' | 'worksHere'>): Promise<WorkerFacts>;
  /** Marks a run, before its preparation or start, as carried out by a worker. */
  hand(task: Task | undefined, run: string, tree: TreeForWorker): void;
}

/** Reads nothing of the project while there is no worker. */
export function workerFactsHost(
  context: TeamContext & FilesContext & MachineContext,
  workers: Workers,
): WorkerFactsHost {
  return {
    async facts({ notHere, worksHere }) {
      const [rooms, silent, worries] = [await workers.rooms(), await workers.silent(), await workers.workerProblems()];
      const none =
        silent.length + worries.length === 0 && worksHere
          ? NO_WORKER_FACTS
          : { ...NO_WORKER_FACTS, silent, worries, worksHere };
      if (rooms.length === 0) return none;
      const { database, coordinator } = (await loadSettings(context)).settings;
      if (database.remote === undefined) return { ...none, worksHere, unused: rooms.map(({ name }) => name) }; // their work could not come here
      const { place } = await (await context.trees()).workplace({ isolation: 'auto', mode: 'full', follows: false });
      const repository = place === 'worktree' ? 'work-tree' : 'none';
      const { mode } = await confine(context, { mode: 'full' });
      return {
        rooms,
        silent,
        worries,
        unused: [],
        worksHere,
        trees: { isolation: coordinator.worktree_isolation, repository },
        follow: coordinator.follow,
        fullMode: mode === 'full' ? 'full' : 'light',
        notHere,
      };
    },
    hand: (task, run, { request, mode }) =>
      workers.assignRun(run, { tree: request, setsUp: isSetUpFor(mode), labels: needsOf(task) }),
  };
}
