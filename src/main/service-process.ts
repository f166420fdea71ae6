import { readFileSync } from 'node:fs';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { TroupeError } from '#kernel/errors.js';
import { type JsonObject, parseJsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Project } from '#ports/project.js';

const GONE_WAIT_MS = 20_000;
const GONE_POLL_MS = 20;

/** Content of a project's service state file. */
export interface ServiceState {
  readonly pid: number;
  /** Whether the process that wrote the file is alive. The pid alone may have been reused. */
  readonly alive: boolean;
  /** True for a standby: another machine leads. */
  readonly standsBy: boolean;
  /** Options of the start. */
  readonly startOptions: JsonObject;
}

/**
 * State of the project's service; undefined if none is recorded. The file is trusted only as far as the process table
 * confirms it.
 */
export function serviceState(project: Project): ServiceState | undefined {
  const state = parseFile(project.layout.state);
  const { pid, start_time: start, boot_id: boot, pid_namespace: namespace, said, stands_by: standsBy } = state ?? {};
  if (typeof pid !== 'number' || typeof start !== 'string') return undefined;
  if (typeof boot !== 'string' || typeof namespace !== 'string') return undefined;
  const processes = new ProcessTable();
  const alive = processes.state({ pid, start, boot, namespace, host: processes.self().host }) === 'alive';
  return {
    pid,
    alive,
    standsBy: standsBy === true,
    startOptions: typeof said === 'object' && said !== null && !Array.isArray(said) ? said : {},
  };
}

/** The standby process of a project on this machine; undefined if none runs. */
export function standbyOf(project: Project): ServiceState | undefined {
  const state = serviceState(project);
  return state?.alive && state.standsBy ? state : undefined;
}

/** Refusal to stop a service where none runs. */
export function nothingToStop(): TroupeError {
  return new TroupeError('service_not_running', {
    hint: 'There is nothing to stop. `troupe agents` lists the runs that continue.',
  });
}

/** Kills a service that does not answer. The next one recovers its state; its runs continue. */
export async function killService(project: Project): Promise<number> {
  const state = serviceState(project);
  if (!state?.alive) throw nothingToStop();
  new ProcessTable().signal(state.pid, 'SIGKILL');
  await untilEnded(state.pid);
  return state.pid;
}

/** Waits until a stopping service has ended, because only then its lock is free. */
export async function untilEnded(pid: number): Promise<void> {
  const processes = new ProcessTable();
  const start = processes.startOf(pid);
  const until = Date.now() + GONE_WAIT_MS + TEAM_LIMITS.modelCallMs; // requests in progress are answered first
  while (start !== undefined && processes.startOf(pid) === start) {
    if (Date.now() > until) {
      throw new TroupeError('service_running', {
        what: `The service was asked to stop and has not ended yet (pid ${pid}).`,
        hint: 'Check with `troupe service status`.',
        details: { pid },
      });
    }
    await new Promise((resolve) => setTimeout(resolve, GONE_POLL_MS));
  }
}

function parseFile(file: string): JsonObject | undefined {
  try {
    return parseJsonObject(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
