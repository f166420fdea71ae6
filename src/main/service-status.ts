import { NO_WORKER_FACTS, type WorkerFacts } from '#core/coordinator/worker-facts.js';
import { isLiveStatus } from '#core/runs/run-status.js';
import { timestamp } from '#kernel/clock.js';
import type { CoordinatorLoop } from '#operations/coordinator/coordinator-loop.js';
import type { ServiceStatus } from '#operations/service-status.js';
import type { Leaders } from '#ports/remote-requests.js';

/** Parts of a service that its status shows. */
export interface StatusParts {
  readonly coordinator: CoordinatorLoop;
  /** Start of the service, in milliseconds. */
  readonly startedAt: number;
  /** Problem with teams and messages found at the start of the service. */
  readonly teamsTrouble: string | undefined;
  /** Worktree problems found at the start. */
  readonly worktreeGaps: readonly string[];
  /** Leader and standbys, for a project in a database. */
  leaders(): Leaders;
  /** Addresses at which it listens over HTTP. */
  listens(): readonly string[];
  /** Client and model in force. */
  inForce(): { readonly executor: string; readonly model: string | undefined };
  /** Number of tasks ready to start. */
  tasksReady(): Promise<number>;
}

export async function serviceStatusOf(service: StatusParts): Promise<ServiceStatus> {
  const { maxAgents, pollMs, paused, ticks, lastTick, missing, elsewhere } = service.coordinator.facts();
  const agents = await service.coordinator.agents();
  const count = (states: readonly string[]) => agents.filter(({ status }) => states.includes(status)).length;
  const { executor, model } = service.inForce();
  const listens = [...service.listens()];
  return {
    pid: process.pid,
    started_at: timestamp(service.startedAt),
    ...(listens.length === 0 ? {} : { listens }),
    ...leadershipOf(service.leaders()),
    ...workersOf(elsewhere),
    agents: {
      alive: agents.filter(({ status, worker }) => isLiveStatus(status) && worker === undefined).length,
      at_workers: agents.filter(({ status, worker }) => isLiveStatus(status) && worker !== undefined).length,
      idle: count(['parked']),
      total: agents.length,
    },
    coordinator: {
      paused,
      max_agents: maxAgents,
      poll_interval: Math.round(pollMs / 1_000),
      executor,
      model: model ?? null,
      ticks,
      last_tick: lastTick === undefined ? null : timestamp(lastTick),
      tasks_ready: await service.tasksReady(),
      ...(missing === undefined ? {} : { executor_missing: missing.text }),
    },
    ...(service.teamsTrouble === undefined ? {} : { teams_problem: service.teamsTrouble }),
    ...(service.worktreeGaps.length === 0 ? {} : { worktree_gaps: [...service.worktreeGaps] }),
  };
}

/** Available and silent workers. */
function workersOf({ rooms, unused, silent }: WorkerFacts = NO_WORKER_FACTS): Pick<ServiceStatus, 'workers'> {
  const heard = [...rooms.map(({ name }) => name), ...unused].map((name) => ({ name, silent: false }));
  const workers = [...heard, ...silent.map(({ name }) => ({ name, silent: true }))];
  return workers.length === 0 ? {} : { workers };
}

function leadershipOf({ leader, epoch, standbys }: Leaders): Pick<ServiceStatus, 'leadership'> {
  return leader === undefined ? {} : { leadership: { leader, epoch, standbys: [...standbys] } };
}
