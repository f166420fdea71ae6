import { readFileSync } from 'node:fs';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { TroupeError } from '#kernel/errors.js';
import { type JsonObject, parseJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import type { Project } from '#ports/project.js';

const GONE_WAIT_MS = 20_000;
const GONE_POLL_MS = 20;

/** What the state file of a project says of its service. */
export interface ServiceState {
  readonly pid: number;
  /** Is that process there, and the one that wrote the file? Its pid alone may be another's by now. */
  readonly alive: boolean;
  /** It does not lead, and waits for that: another machine does. */
  readonly standsBy: boolean;
  /** The options it was started with. */
  readonly startOptions: JsonObject;
}

/** Undefined when no service is up or was killed; the file itself is only believed as far as the processes bear it out. */
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

/** The process of this machine that stands by for a project; undefined where none does. */
export function standbyOf(project: Project): ServiceState | undefined {
  const state = serviceState(project);
  return state?.alive && state.standsBy ? state : undefined;
}

/** Ends a service that does not listen. What it held is found again by the next; its runs go on. */
export async function killService(project: Project): Promise<number> {
  const state = serviceState(project);
  if (!state?.alive) throw new TroupeError('service_not_running');
  new ProcessTable().signal(state.pid, 'SIGKILL');
  await untilEnded(state.pid);
  return state.pid;
}

/** Waits until a stopping service has ended: only then its lock is free. */
export async function untilEnded(pid: number): Promise<void> {
  const processes = new ProcessTable();
  const start = processes.startOf(pid);
  const until = Date.now() + GONE_WAIT_MS + LIMITS.modelCallMs; // what was begun is answered first
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
