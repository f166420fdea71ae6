import { PostgresDatabase } from '#adapters/postgres/database.js';
import { HandedOutRuns, USUAL_ATTEMPT_TERMS } from '#adapters/workers/handed-out-runs.js';
import { PlacedRuns } from '#adapters/workers/placed-runs.js';
import { PostgresAttemptBoard } from '#adapters/workers/postgres-board.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { chosenBlobs } from '#main/chosen-blobs.js';
import { chosenPlace } from '#main/database-place.js';
import { leaderSeal } from '#main/leader-key.js';
import type { FilesContext, MachineContext } from '#operations/contexts.js';
import { loadSettings } from '#operations/load-settings.js';
import type { ExclusiveGraph } from '#ports/graph-store.js';
import type { Processes } from '#ports/processes.js';
import type { Project } from '#ports/project.js';
import type { RunHost } from '#ports/run-host.js';

export interface MachinesParts {
  readonly project: Project;
  /** The project's name in the database. */
  readonly name: string;
  readonly store: ExclusiveGraph;
  readonly context: FilesContext & MachineContext;
  readonly processes: Processes;
  /** The runs of this machine. */
  readonly here: RunHost;
}

/** Run host that combines this machine and the workers of a project in a database. */
export async function runsAtMachines({ project, name, store, context, processes, here }: MachinesParts) {
  const place = chosenPlace(project, name, processes);
  const database = await PostgresDatabase.of(place.address, place.name);
  const board = new PostgresAttemptBoard({
    database,
    epoch: store.epoch,
    lookMs: DATABASE_LIMITS.attemptsLookMs,
    blobs: async () => await chosenBlobs((await loadSettings(context)).settings),
  });
  const far = new HandedOutRuns({
    board,
    clock: store.clock,
    trees: () => context.trees(),
    terms: USUAL_ATTEMPT_TERMS,
    seal: leaderSeal(place.name),
  });
  return new PlacedRuns({ here, far });
}
