import { needsCommits } from '#core/graph/meta.js';
import { needsOf } from '#core/graph/needs.js';
import type { Task } from '#core/graph/task.js';
import { trialOf } from '#core/graph/trial.js';
import type { GraphView } from '#core/graph/view.js';
import { phaseOf } from '#core/playbooks/hand-in.js';
import { type IsolationFacts, workplace } from '#core/runs/isolation.js';
import { shellWord } from '#kernel/text.js';
import { canTake, hasLabels, RoomKinds, Vacancies, type WorkerRoom } from './vacancies.js';

/** A worker without a heartbeat for its whole lease; `since` in milliseconds. */
export interface SilentWorker {
  readonly name: string;
  readonly since: number;
}

/**
 * Other reasons why a worker is of no use. `unagreed`: no person there allowed the present leader to run commands;
 * `garbled`: its report about a run is invalid.
 */
export type WorkerProblem =
  | { readonly kind: 'unagreed'; readonly name: string; readonly labels: readonly string[] }
  | { readonly kind: 'garbled'; readonly name: string; readonly run: string; readonly why: string };

/** Command to run in the clone of a worker. */
export const AGREE_TO_LEADER = 'troupe worker agree';

/**
 * Workers on other machines, and the facts that decide which attempts they may carry out: a worker has only the commits
 * of the project.
 */
export interface WorkerFacts {
  readonly rooms: readonly WorkerRoom[];
  readonly silent: readonly SilentWorker[];
  readonly worries: readonly WorkerProblem[];
  /** Workers that get no attempts because no remote is configured through which their work could come back. */
  readonly unused: readonly string[];
  /** False if only workers carry out attempts. */
  readonly worksHere: boolean;
  /** Settings that decide whether an attempt gets a worktree. */
  readonly trees: Pick<IsolationFacts, 'isolation' | 'repository'>;
  /** Default place of tasks that follow merged work. */
  readonly follow: 'integration' | 'project';
  /** Mode used for clients whose task asks for `full`. */
  readonly fullMode: 'full' | 'light';
  /** Clients that workers have and this machine lacks. */
  readonly notHere: ReadonlySet<string>;
}

/** No workers: all attempts run on this machine. */
export const NO_WORKER_FACTS: WorkerFacts = {
  rooms: [],
  silent: [],
  worries: [],
  unused: [],
  worksHere: true,
  trees: { isolation: 'off', repository: 'none' },
  follow: 'project',
  fullMode: 'full',
  notHere: new Set(),
};

/** Machine that carries out a run: this one or a worker. */
export type RunMachine = 'here' | 'worker';

const KINDS = new RoomKinds();

/** Free places on this machine and at workers, updated during one pass. */
export class FreePlaces {
  private here: number;
  private readonly view: GraphView;
  private readonly elsewhere: WorkerFacts;
  private readonly vacancies: Vacancies;

  constructor(here: number, view: GraphView, elsewhere: WorkerFacts) {
    this.here = elsewhere.worksHere ? here : 0;
    this.view = view;
    this.elsewhere = elsewhere;
    this.vacancies = new Vacancies(KINDS.of(elsewhere.rooms));
  }

  /** Total number of free places. */
  get free(): number {
    return this.vacancies.free + this.here;
  }

  /** Whether a task with these labels may get a place now. A task without labels may run on this machine. */
  mayHave(needs: readonly string[]): boolean {
    return needs.length === 0 || this.vacancies.has(needs);
  }

  /**
   * Finds a place for a run of a task; it is occupied once `take` is called. Undefined if no suitable place is free.
   */
  find(task: Task, executor: string): { readonly machine: RunMachine; take(): void } | undefined {
    const needs = needsOf(task);
    const vacancy = this.travels(task, executor) ? this.vacancies.find(executor, needs) : undefined;
    if (vacancy) return { machine: 'worker', take: () => void vacancy.take() };
    if (needs.length > 0 || this.here === 0 || this.elsewhere.notHere.has(executor)) return undefined;
    return { machine: 'here', take: () => this.here-- };
  }

  private travels(task: Task, executor: string): boolean {
    return this.elsewhere.rooms.length > 0 && isForWorktree(this.view, task, executor, this.elsewhere);
  }
}

/**
 * Whether an attempt at a task would work in a worktree, from commits that any machine can fetch. Trials start from a
 * commit that may exist only here, and the gate of a crew reads files of this machine: both run here.
 */
export function isForWorktree(
  view: GraphView,
  task: Task,
  executor: string,
  { trees, follow, fullMode }: Pick<WorkerFacts, 'trees' | 'follow' | 'fullMode'>,
): boolean {
  if (trialOf(task) !== undefined || phaseOf(view, task) !== undefined) return false;
  const mode = executor === 'shell' ? 'shell' : (task.exec_mode ?? 'full');
  const follows = needsCommits(view, task) && (task.in ?? follow) !== 'project';
  return workplace({ ...trees, mode: mode === 'full' ? fullMode : mode, follows }).place === 'worktree';
}

/** Machine for a requested run, regardless of slots: this machine if possible, else any worker that takes it. */
export function machineForRequest(
  view: GraphView,
  elsewhere: WorkerFacts,
  task: Task,
  executor: string,
): { readonly machine?: RunMachine } {
  if (needsOf(task).length === 0 && elsewhere.worksHere && !elsewhere.notHere.has(executor)) return {};
  return isForWorktree(view, task, executor, elsewhere) ? { machine: 'worker' } : {};
}

/**
 * Reason why no machine can ever carry out a task that needs a worker, with the command that helps; undefined if one
 * could.
 */
export function unmetNeeds(
  view: GraphView,
  elsewhere: WorkerFacts,
  task: Task,
  executor: string,
): { readonly cause: string; readonly command: string; readonly effect: string } | undefined {
  const needs = needsOf(task);
  if (needs.length === 0) return elsewhere.worksHere ? undefined : nobodyFor(view, elsewhere, task, executor);
  const [labels, them] = needs.length === 1 ? ['label', 'it'] : ['labels', 'them'];
  const wanted = `it needs ${labels} ${needs.join(', ')}`;
  const start = workerFor(needs);
  const { rooms, unused } = elsewhere;
  if (unused.length > 0)
    return { cause: `${wanted}, and no remote is chosen for the work of workers`, ...CHOOSE_REMOTE };
  const labelled = rooms.filter((room) => hasLabels(room, needs));
  const [unagreed] = unagreedWorkers(elsewhere).filter((worker) => hasLabels(worker, needs));
  if (labelled.length === 0 && unagreed !== undefined)
    return { cause: `${wanted}; ${unagreed.name}, which has ${them}, has not agreed to this leader`, ...AGREE };
  if (labelled.length === 0)
    return { cause: `${wanted}; no worker has ${them}`, command: start, effect: ' starts one' };
  const clear = { command: `troupe edit ${shellWord(task.id)} --clear needs`, effect: ' lets it run here' };
  if (!isForWorktree(view, task, executor, elsewhere))
    return { cause: `${wanted}, and it works in the project itself, which no worker has`, ...clear };
  if (labelled.some((room) => canTake(room, executor, needs))) return undefined;
  return {
    cause: `${wanted}; no worker that has ${them} can start ${executor}`,
    command: start,
    effect: ' starts one',
  };
}

/** Command that starts a worker with these labels. */
export function workerFor(needs: readonly string[]): string {
  return ['troupe worker start', ...needs.map((label) => `--label ${label}`)].join(' ');
}

/** Command that enables workers to get attempts; only a person can choose the remote. */
export const CHOOSE_REMOTE = { command: 'troupe config set database.remote origin', effect: ' chooses one' } as const;

const AGREE = { command: AGREE_TO_LEADER, effect: ' on its machine asks for that' } as const;

function unagreedWorkers({ worries }: Pick<WorkerFacts, 'worries'>) {
  return worries.flatMap((worry) => (worry.kind === 'unagreed' ? [worry] : []));
}

/**
 * Reason why a task that needs a worker is not started although suitable workers exist: all of them are full. Undefined
 * if one has room, if none is suitable, or if the task may also run here.
 */
export function fullWorkers(view: GraphView, elsewhere: WorkerFacts, task: Task, executor: string): string | undefined {
  const { rooms, worksHere, notHere } = elsewhere;
  const needs = needsOf(task);
  if (needs.length === 0 && worksHere && !notHere.has(executor)) return undefined;
  const able = isForWorktree(view, task, executor, elsewhere)
    ? rooms.filter((room) => canTake(room, executor, needs))
    : [];
  if (able.length === 0 || able.some(({ free }) => free > 0)) return undefined;
  const [first, ...others] = able;
  return others.length === 0
    ? `all slots of ${first?.name}, the only worker that can take it, are taken`
    : `all slots of the ${able.length} workers that can take it are taken`;
}

function nobodyFor(view: GraphView, elsewhere: WorkerFacts, task: Task, executor: string) {
  const cause = 'only workers run tasks of this project (`database.work`)';
  if (elsewhere.unused.length > 0)
    return { cause: `${cause}, and no remote is chosen for their work`, ...CHOOSE_REMOTE };
  const [unagreed] = unagreedWorkers(elsewhere);
  if (elsewhere.rooms.length === 0 && unagreed !== undefined)
    return { cause: `${cause}, and ${unagreed.name} has not agreed to this leader`, ...AGREE };
  if (elsewhere.rooms.length === 0)
    return { cause: `${cause}, and there is none`, command: workerFor([]), effect: ' starts one' };
  if (isForWorktree(view, task, executor, elsewhere)) return undefined;
  const command = 'troupe config set database.work anywhere';
  return { cause: `${cause}, and it works in the project itself`, command, effect: ' lets it run here' };
}
