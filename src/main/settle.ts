import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isRefusal } from '#kernel/errors.js';
import { parseJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { type ComposedProject, composeProject } from '#main/compose.js';
import { projectAt } from '#main/project.js';
import { serviceAt } from '#main/service-at.js';
import type { Project } from '#ports/project.js';

/** Who speaks in the log of what is settled where no round is. */
const COORDINATOR = { kind: 'person', name: 'coordinator' } as const;

/**
 * A run has ended and its service did not hear of it. A service that came meanwhile is told; else the run is settled here,
 * as the service would. Whoever holds the lock is waited for, a minute at most: then the next command or service does it.
 */
export async function settleRun(runFolder: string): Promise<void> {
  const project = projectAt(path.resolve(runFolder, '../../..'));
  const until = Date.now() + LIMITS.settleOfflineMs;
  for (;;) {
    if (await serviceAt(project).notify()) return;
    try {
      await settleRuns(project, [path.basename(runFolder)]);
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
  project: ComposedProject,
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
export async function settleBefore(project: Project): Promise<void> {
  const runs = atWork(project);
  if (runs.length === 0) return;
  try {
    await settleRuns(project, runs);
  } catch {
    // The lock is held, git is missing: what was asked for is done all the same, and the next command tries again.
  }
}

async function settleRuns(project: Project, runs: readonly string[]): Promise<void> {
  const { settleEnded } = await import('#operations/coordinator/finishing.js');
  const composed = composeProject(project);
  try {
    await settleEnded(composed.context(COORDINATOR), runs);
  } finally {
    await composed.close();
  }
}

/** Runs the registry believes to be at work, which is where those stand that ended without a service. */
function atWork({ layout }: Project): string[] {
  const file = path.join(layout.agents, 'registry.json');
  const agents = existsSync(file) ? parseJsonObject(readFileSync(file, 'utf8'))?.['agents'] : undefined;
  const rows = typeof agents === 'object' && agents !== null ? Object.entries(agents) : [];
  return rows.flatMap(([id, row]) => {
    const status = (row as { status?: unknown } | null)?.status;
    return status === 'starting' || status === 'working' || status === 'stopping' ? [id] : [];
  });
}
