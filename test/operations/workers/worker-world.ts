import { mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileRunBytes } from '#adapters/runs/run-bytes.js';
import { RunEnds } from '#adapters/runs/run-ends.js';
import { FileRunFolders } from '#adapters/runs/run-outputs.js';
import { ShellRuns } from '#adapters/runs/shell-runs.js';
import { OrderFolder } from '#adapters/workers/order-folder.js';
import { systemClock } from '#kernel/clock.js';
import { layoutOf } from '#kernel/graph-folder.js';
import { ServiceDoors } from '#main/run-doors.js';
import { attemptPlaces } from '#operations/workers/attempt-places.js';
import { DoorAnswers } from '#operations/workers/door-answers.js';
import { Masking } from '#operations/workers/masking.js';
import { OrderGate } from '#operations/workers/order-gate.js';
import type { WorkerEvent } from '#operations/workers/worker-events.js';
import { WorkerLoop } from '#operations/workers/worker-loop.js';
import type { Pace } from '#operations/workers/worker-parts.js';
import type { LeaderSeal } from '#ports/leader-seal.js';
import type { RunPlan } from '#ports/run-host.js';
import type { AttemptOrder, WorkerGateway } from '#ports/worker-gateway.js';
import { exchangeOver } from '../../adapters/worktrees/apart.js';
import { portsOf } from '../../adapters/worktrees/place.js';
import { NO_CLIENT_RUNS, NO_SANDBOX } from '../../no-sandbox.js';
import { git, repository } from '../../repository.js';
import { room } from '../../room.js';
import { MEMORY_PROJECT } from '../../worker-gateway-in-memory.js';

/** A pace at most a tenth of the usual one. */
export const QUICK: Pace = {
  now: () => performance.now(),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds / 50)),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds / 50);
    return () => clearTimeout(timer);
  },
  every: (milliseconds, call) => {
    const timer = setInterval(call, milliseconds / 50);
    return () => clearInterval(timer);
  },
};

/** A bare repository that both sides reach, the clone of a leader, and that of a worker. */
export function clones() {
  const leader = realpathSync(repository({ 'f.txt': 'one\n' }));
  const above = realpathSync(room('fleet'));
  const remote = path.join(above, 'hub.git');
  git(above, 'clone', '--quiet', '--bare', '--', leader, remote);
  const worker = path.join(above, 'worker');
  git(above, 'clone', '--quiet', '--', remote, worker);
  for (const folder of [leader, worker]) mkdirSync(path.join(folder, '.workgraph'));
  const { integration } = portsOf(leader, { exchange: exchangeOver(leader, remote) });
  return { leader, worker, remote, integration };
}

export type Clones = ReturnType<typeof clones>;

/** An order as a leader creates it: a command in a worktree of its own. */
export async function orderOf(
  { integration }: Clones,
  run: string,
  command: string,
  more: Partial<RunPlan> = {},
): Promise<AttemptOrder> {
  const number = Number(run.slice('agent-'.length));
  const task = `task-${number}`;
  const plan: RunPlan = {
    ...{ id: run, taskId: task, fence: number, command, check: '', environment: {}, sandboxed: true },
    ...{ timeoutMs: 60_000, startedAt: Date.now(), tree: { attempt: number, mode: 'shell' } },
    ...more,
  };
  return { plan, tree: { task, attempt: number, base: await integration.base() }, setsUp: false };
}

export interface WorkerLife {
  readonly loop: WorkerLoop;
  readonly runs: ShellRuns;
  readonly events: readonly WorkerEvent[];
  /** Ends the worker as a kill does: without notice, while its runs continue. */
  die(): Promise<void>;
}

interface WorkerTerms {
  readonly slots?: number;
  readonly secrets?: readonly string[];
  readonly pace?: Pace;
  /** Keys of leaders that the worker trusts; by default that of its gateway. */
  readonly agreed?: () => readonly string[];
}

/** Starts a worker in its clone, composed as in the program. */
export async function workerIn(
  { worker, remote }: Clones,
  desk: WorkerGateway & { readonly seal: LeaderSeal },
  { slots = 2, secrets = [], pace = QUICK, agreed }: WorkerTerms = {},
): Promise<WorkerLife> {
  const layout = layoutOf(worker);
  const agents = layout.workerRuns;
  mkdirSync(agents, { recursive: true });
  const processes = new ProcessTable();
  const masking = new Masking(secrets);
  const { trees } = portsOf(worker, { exchange: exchangeOver(worker, remote) });
  const events: WorkerEvent[] = [];
  const known = [desk.seal.card.key];
  const doors = new ServiceDoors(agents, (run, line) => answers.answer(run, line), 'all');
  const runs = new ShellRuns({
    ...{
      agentsFolder: agents,
      projectFolder: worker,
      processes,
      clock: desk.clock,
      command: 'troupe',
      runProgram: 'run',
    },
    ends: new RunEnds(path.join(worker, 'runtime/ends.jsonl')),
    ...{ sandbox: NO_SANDBOX, doors },
    ...NO_CLIENT_RUNS,
    trees: async () => trees,
  });
  const stops: (() => void)[] = [];
  const kept = (stop: () => void) => {
    stops.push(stop);
    return stop;
  };
  const loop = new WorkerLoop({
    ...{ desk, runs, masking },
    gate: new OrderGate({ project: MEMORY_PROJECT, agreed: agreed ?? (() => known), clock: desk.clock }),
    card: { name: 'box', at: 'process 1 on box', version: '0', slots, labels: [], executors: [] },
    places: attemptPlaces({ trees: async () => trees } as never),
    orders: new OrderFolder(layout.workerOrders),
    bytes: new FileRunBytes(agents),
    ownClock: systemClock,
    pace: {
      ...pace,
      after: (ms, call) => kept(pace.after(ms, call)),
      every: (ms, call) => kept(pace.every(ms, call)),
    },
    tell: (event) => events.push(event),
  });
  const answers = new DoorAnswers({
    ...{ desk, runs, masking, pace },
    folders: new FileRunFolders(agents, async () => processes),
    attemptOf: (run) => loop.attemptOf(run),
    trees: async () => trees,
    isAlone: async () => false,
  });
  const die = async () => {
    for (const stop of stops) stop();
    runs.onChange(() => undefined);
    await runs.close();
    await doors.releaseDoors();
  };
  onTestFinished(die);
  await loop.start();
  return { loop, runs, events, die };
}
