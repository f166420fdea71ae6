import { reviewOfStep } from '#core/review/plan.js';
import type { RunDoors } from '#ports/run-doors.js';
import type { Sandbox } from '#ports/sandbox.js';
import { writeSandbox } from './client-files.js';
import type { PlacedPlan } from './placed-plan.js';
import { makeRunsPlace, type RunFolder } from './run-folder.js';
import { startsNothing } from './run-script.js';

interface SandboxParts {
  /** `.workgraph/agents`. */
  readonly agentsFolder: string;
  readonly runProgram: string;
  readonly sandbox: Sandbox;
  readonly doors: RunDoors;
}

/**
 * Creates the folder of a command, opens the door of a run that has one, and returns the argument prefix of the
 * sandbox. Returns an error as the reason why the run does not start.
 */
export async function preparedSandbox(
  { agentsFolder, runProgram, doors, sandbox }: SandboxParts,
  plan: PlacedPlan,
  runFolder: RunFolder,
): Promise<{ readonly words: readonly string[] } | { readonly error: unknown }> {
  const { client, command, check, executor, tree, id, taskId, environment, sandboxed } = plan;
  const { folder } = runFolder;
  try {
    makeRunsPlace({ agentsFolder, runProgram });
    if (!client) runFolder.create();
    if (!client && check === '' && startsNothing(command)) return { words: [] };
    const review = client ? undefined : reviewOfStep(taskId, environment);
    const place = { folder, door: doors.place(id), executor, tree, review };
    const words = client || sandboxed ? await sandbox.words(place) : [];
    if (words.length > 0 || doors.of === 'all') await doors.open(id);
    if (client) writeSandbox(folder, words);
    return { words };
  } catch (error) {
    return { error };
  }
}
