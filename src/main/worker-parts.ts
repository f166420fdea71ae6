import path from 'node:path';
import { LocalGit } from '#adapters/git/local-git.js';
import { callerFrom } from '#adapters/processes/caller-from.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { secretValues } from '#adapters/runs/environment.js';
import { FileRunBytes } from '#adapters/runs/run-bytes.js';
import { RunEnds } from '#adapters/runs/run-ends.js';
import { FileRunFolders } from '#adapters/runs/run-outputs.js';
import { OrderFolder } from '#adapters/workers/order-folder.js';
import { GitAttemptTrees } from '#adapters/worktrees/git-attempt-trees.js';
import { systemClock } from '#kernel/clock.js';
import { runAll } from '#kernel/steps.js';
import { composeProject } from '#main/compose.js';
import type { DatabasePlace } from '#main/database-place.js';
import { runtimeFolder } from '#main/places.js';
import { projectFolderOf } from '#main/project.js';
import { ServiceDoors } from '#main/run-doors.js';
import { localSandbox, ownFolders } from '#main/run-sandbox.js';
import { runsHere } from '#main/runs-here.js';
import { runtimePlace } from '#main/service-at.js';
import { loadSettings } from '#operations/load-settings.js';
import { attemptPlaces } from '#operations/workers/attempt-places.js';
import { DoorAnswers } from '#operations/workers/door-answers.js';
import type { OwnCard } from '#operations/workers/leader-watch.js';
import { Masking } from '#operations/workers/masking.js';
import type { OrderGate } from '#operations/workers/order-gate.js';
import type { WorkerEvent } from '#operations/workers/worker-events.js';
import { WorkerLoop } from '#operations/workers/worker-loop.js';
import type { Pace } from '#operations/workers/worker-parts.js';
import type { Exchange } from '#ports/exchange.js';
import type { Project } from '#ports/project.js';
import type { WorkerGateway } from '#ports/worker-gateway.js';

const PACE: Pace = {
  now: () => performance.now(),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
  every: (milliseconds, call) => {
    const timer = setInterval(call, milliseconds);
    return () => clearInterval(timer);
  },
};

export interface WorkerLife {
  start(): Promise<void>;
  drain(graceMs: number): Promise<void>;
  readonly drained: Promise<void>;
  /** Task of an active run of this worker. */
  taskOf(run: string): string | undefined;
  /** Closes the worker; its runs continue, and the next worker in this clone adopts them. */
  close(): Promise<void>;
}

/**
 * Creates a project's worker in its clone: worktrees, runs, sockets and the exchange with the remote. Its files are
 * separate from those of a service.
 */
export async function workerLife(
  project: Project,
  place: DatabasePlace,
  {
    desk,
    exchange,
    card,
    gate,
    tell,
  }: { desk: WorkerGateway; exchange: Exchange; card: OwnCard; gate: OrderGate; tell(event: WorkerEvent): void },
): Promise<WorkerLife> {
  const projectFolder = projectFolderOf(project);
  const { layout } = project;
  const agents = layout.workerRuns;
  const processes = new ProcessTable();
  const composed = composeProject(project);
  const context = composed.context(callerFrom(process.env));
  const settings = async () => (await loadSettings(context)).settings;
  const trees = new GitAttemptTrees({
    projectFolder,
    git: new LocalGit(process.env),
    processes,
    exchange: () => exchange,
    layout: async () => (await settings()).worktree,
  });
  const person = ownFolders();
  const sandbox = localSandbox(project, async () => (await settings()).clients);
  const masking = new Masking([...secretValues(process.env), ...secretsIn(place.address)]);
  const doors = new ServiceDoors(agents, (run, line) => answers.answer(run, line), 'all');
  const runs = runsHere({
    project,
    context,
    agents,
    processes,
    clock: desk.clock,
    sandbox,
    doors,
    person,
    settings,
    ends: new RunEnds(path.join(runtimePlace(project, runtimeFolder(process.env)), 'worker-ends.jsonl')),
    trees: async () => trees,
  });
  const loop = new WorkerLoop({
    desk,
    card,
    gate,
    runs,
    masking,
    tell,
    places: attemptPlaces({ ...context, trees: async () => trees, sandbox: async () => sandbox }),
    orders: new OrderFolder(layout.workerOrders),
    bytes: new FileRunBytes(agents),
    ownClock: systemClock,
    pace: PACE,
  });
  const answers = new DoorAnswers({
    desk,
    runs,
    masking,
    pace: PACE,
    folders: new FileRunFolders(agents, async () => processes),
    attemptOf: (run) => loop.attemptOf(run),
    trees: async () => trees,
    isAlone: async () => (await sandbox.standing()).state === 'works',
  });
  return {
    start: () => loop.start(),
    drain: (graceMs) => loop.drain(graceMs),
    drained: loop.drained,
    taskOf: (run) => loop.attemptOf(run)?.task,
    close: () => runAll([() => runs.close(), () => doors.releaseDoors(), () => composed.close()]),
  };
}

/** Secret parts of a database address. */
function secretsIn(address: string): string[] {
  const { password } = new URL(address);
  return password === '' ? [] : [password, decodeURIComponent(password)];
}
