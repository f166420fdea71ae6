import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isRefusal } from '#kernel/errors.js';
import { parseJsonObject } from '#kernel/json.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { type ComposedProject, composeProject } from '#main/compose.js';
import { projectAt } from '#main/project.js';
import { serviceAt } from '#main/service-at.js';
import type { Project } from '#ports/project.js';

/** Actor recorded in the log for runs settled outside a tick. */
const COORDINATOR = { kind: 'person', name: 'coordinator' } as const;

/**
 * Settles a run that ended without its service noticing. If a service has started meanwhile it is notified, else the
 * run is settled here in the same way. Waits up to a minute for the lock; after that, the next command or service
 * settles the run.
 */
export async function settleRun(runFolder: string): Promise<void> {
  const project = projectAt(path.resolve(runFolder, '../../..'));
  const until = Date.now() + SURFACE_LIMITS.settleOfflineMs;
  for (;;) {
    if (await serviceAt(project).notify()) return;
    try {
      await settleRuns(project, [path.basename(runFolder)]);
      return;
    } catch (error) {
      const passes = isRefusal(error, 'locked');
      if (!passes || Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, SURFACE_LIMITS.settleAgainMs));
    }
  }
}

/**
 * Settles, while a service stops, the runs that ended after its last tick: they notified the service and do not settle
 * themselves. Runs that end later find no service and do.
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
    note(`the last ended runs were not settled: ${(error as Error).message}`); // the next service or command retries
  }
}

/**
 * Settles runs that ended without a service, before a command changes the graph. Failures are left to the next command.
 */
export async function settleBefore(project: Project): Promise<void> {
  const runs = atWork(project);
  if (runs.length === 0) return;
  try {
    await settleRuns(project, runs);
  } catch {
    // The lock is held or git is missing: the command itself continues, and the next one retries.
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

/** Runs that the registry lists as alive; among them are those that ended without a service. */
function atWork({ layout }: Project): string[] {
  const file = path.join(layout.agents, 'registry.json');
  const agents = existsSync(file) ? parseJsonObject(readFileSync(file, 'utf8'))?.['agents'] : undefined;
  const rows = typeof agents === 'object' && agents !== null ? Object.entries(agents) : [];
  return rows.flatMap(([id, row]) => {
    const status = (row as { status?: unknown } | null)?.status;
    return status === 'starting' || status === 'working' || status === 'stopping' ? [id] : [];
  });
}
