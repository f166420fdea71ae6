import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isRefusal } from '#kernel/errors.js';
import { parseJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { composeProject } from '#main/compose.js';
import { graphFolder } from '#main/places.js';
import { serviceAt } from '#main/service-at.js';

/** Who speaks in the log of what is settled where no round is. */
const COORDINATOR = { kind: 'person', name: 'coordinator' } as const;

/**
 * A run has ended and its service did not hear of it. A service that came meanwhile is told; else the run is settled here,
 * as the service would. Whoever holds the lock is waited for, a minute at most: then the next command or service does it.
 */
export async function settleRun(runFolder: string): Promise<void> {
  const projectFolder = path.resolve(runFolder, '../../..');
  const until = Date.now() + LIMITS.settleOfflineMs;
  for (;;) {
    if (await serviceAt(projectFolder).notify()) return;
    try {
      await settleRuns(projectFolder, [path.basename(runFolder)]);
      return;
    } catch (error) {
      const passes = isRefusal(error, 'locked');
      if (!passes || Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, LIMITS.settleAgainMs));
    }
  }
}

/**
 * When a service ends: runs that ended after its last round told it so, and settle nothing themselves. Those that end from now on
 * find nobody to tell, and do.
 */
export async function settleLast(
  project: ReturnType<typeof composeProject>,
  runs: readonly string[],
  note: (text: string) => void,
): Promise<void> {
  if (runs.length === 0) return;
  const { settleEnded } = await import('#operations/coordinator/finishing.js');
  try {
    await settleEnded(project.context(COORDINATOR), runs);
  } catch (error) {
    note(`the last ended runs were not settled: ${(error as Error).message}`); // who comes next does it
  }
}

/** Before a command changes the graph: runs that ended while nobody was there. What goes wrong is left to the next. */
export async function settleBefore(projectFolder: string): Promise<void> {
  const runs = atWork(projectFolder);
  if (runs.length === 0) return;
  try {
    await settleRuns(projectFolder, runs);
  } catch {
    // The lock is held, git is missing: what was asked for is done all the same, and the next command tries again.
  }
}

async function settleRuns(projectFolder: string, runs: readonly string[]): Promise<void> {
  const { settleEnded } = await import('#operations/coordinator/finishing.js');
  const project = composeProject(projectFolder);
  try {
    await settleEnded(project.context(COORDINATOR), runs);
  } finally {
    await project.close();
  }
}

/** Runs the registry believes to be at work, which is where those stand that ended without a service. */
function atWork(projectFolder: string): string[] {
  const file = path.join(graphFolder(projectFolder), 'agents', 'registry.json');
  const agents = existsSync(file) ? parseJsonObject(readFileSync(file, 'utf8'))?.['agents'] : undefined;
  const rows = typeof agents === 'object' && agents !== null ? Object.entries(agents) : [];
  return rows.flatMap(([id, row]) => {
    const status = (row as { status?: unknown } | null)?.status;
    return status === 'starting' || status === 'working' || status === 'stopping' ? [id] : [];
  });
}
