import { TroupeError } from '#kernel/errors.js';
import type { AttemptTrees } from '#ports/attempt-trees.js';
import type { ClientCompletion } from '#ports/client-completion.js';
import type { RunPlan } from '#ports/run-host.js';
import { writeOrder } from './client-files.js';
import type { PlacedPlan } from './placed-plan.js';
import { makeRunsPlace, RunFolder } from './run-folder.js';

export interface PlanPlacerOptions {
  /** `.workgraph/agents`. */
  readonly agentsFolder: string;
  readonly projectFolder: string;
  /** Path of our own program, for runs of clients. */
  readonly runProgram: string;
  readonly completion: ClientCompletion;
  trees(): Promise<Pick<AttemptTrees, 'placeOf'>>;
}

/** Completes plans with paths of this machine. Plans of clients are kept between preparation and start. */
export class PlanPlacer {
  private readonly options: PlanPlacerOptions;
  private readonly prepared = new Map<string, PlacedPlan>();

  constructor(options: PlanPlacerOptions) {
    this.options = options;
  }

  /** Completes the plan of a client and writes the files that the run needs. Leaves no files behind on failure. */
  async prepare(decided: RunPlan, executor: string, beatMs: number): Promise<void> {
    const { client } = decided;
    if (!client) return;
    const { agentsFolder, projectFolder, runProgram, completion } = this.options;
    const folder = new RunFolder(agentsFolder, decided.id);
    const plan = await this.placed(decided);
    const places = { folder: plan.tree?.folder ?? projectFolder, runFolder: folder.folder };
    const placed = { ...plan, client: { ...client, here: await completion.complete(executor, client, places) } };
    makeRunsPlace(this.options);
    folder.create();
    try {
      writeOrder(folder.folder, { decided, placed }, { runProgram, beatMs });
    } catch (error) {
      folder.remove();
      throw error;
    }
    this.prepared.set(decided.id, placed);
  }

  discard(run: string): void {
    this.prepared.delete(run);
  }

  /** The plan to start; for a client the prepared one. Errors: `executor_missing` if the client was not prepared. */
  async toStart(decided: RunPlan): Promise<PlacedPlan> {
    if (!decided.client) return await this.placed(decided);
    const plan = this.prepared.get(decided.id);
    this.prepared.delete(decided.id);
    if (!plan) throw new TroupeError('executor_missing');
    return { ...plan, startedAt: decided.startedAt };
  }

  private async placed({ tree, client: _, ...plan }: RunPlan): Promise<PlacedPlan> {
    if (tree === undefined) return plan;
    const trees = await this.options.trees();
    return { ...plan, tree: { ...tree, ...(await trees.placeOf({ task: plan.taskId, attempt: tree.attempt })) } };
  }
}
