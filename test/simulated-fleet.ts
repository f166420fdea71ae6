import { setTimeout } from 'node:timers/promises';
import { decideRound } from '#adapters/store/commit-round.js';
import { KeptAnswers } from '#adapters/store/kept-answers.js';
import { LazyGraph } from '#adapters/store/lazy-graph.js';
import type { BoardWorker, PostedAttempt } from '#adapters/workers/attempt-board.js';
import { AttemptPicture } from '#adapters/workers/attempt-picture.js';
import type { DispatchDecision } from '#core/coordinator/dispatch.js';
import { NO_ERRANDS } from '#core/coordinator/errand.js';
import { type CoordinatorDecision, decide, NO_FACTS } from '#core/coordinator/parts.js';
import { type RunFact, USUAL_TERMS } from '#core/coordinator/snapshot.js';
import { NO_WORKER_FACTS } from '#core/coordinator/worker-facts.js';
import { EVERY_COMMAND } from '#core/graph/commands.js';
import { needsOf } from '#core/graph/needs.js';
import { GraphState } from '#core/graph/state.js';
import { type GraphNode, isTask } from '#core/graph/task.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { randomFrom } from '#kernel/random.js';

/** Durations of database operations in milliseconds, measured or assumed. */
interface DatabaseTimes {
  /** A commit with its flush, and the addition per further event. */
  readonly commitMs: number;
  readonly eventMs: number;
  /** Round trip of one statement without a flush. */
  readonly queryMs: number;
  /** Time for a new leader to read a graph of this size. */
  readonly openMs: number;
}

export interface FleetScenario {
  readonly seed: number;
  readonly tasks: number;
  readonly workers: number;
  readonly slots: number;
  /** Number of tasks per layer; each one depends on one of the layer before. */
  readonly layer: number;
  /** Minimum and maximum duration of an attempt. */
  readonly takesMs: readonly [number, number];
  /** One in this number of workers has the label `gpu`, and one in this number of tasks requires it. */
  readonly gpuWorkers: number;
  readonly gpuTasks: number;
  /** Fraction of attempts whose worker dies during them; another worker replaces it. */
  readonly dies: number;
  readonly database: DatabaseTimes;
  /** Minimum pause between two rounds. */
  readonly restMs: number;
  /** Times at which the leader is killed. */
  readonly leaderDies: readonly number[];
  readonly untilMs: number;
  /** Measures the duration of a round on this machine, or returns the one that a test sets. */
  readonly stopwatch: () => () => number;
}

export interface FleetResult {
  readonly tookMs: number;
  readonly rounds: readonly { readonly decideMs: number; readonly wholeMs: number }[];
  /** Time from ready to taken by a worker, without the tasks that had to wait for a free slot. */
  readonly lags: readonly number[];
  /** Time from the death of a leader to the end of its successor's first round. */
  readonly recoveries: readonly number[];
  readonly events: number;
  readonly transactions: number;
  /** Number of completions by task. */
  readonly completed: ReadonlyMap<string, number>;
  /** Number of attempts whose end was accepted more than once. */
  readonly endedTwice: number;
  readonly mostAtOnce: number;
  readonly wrongLabels: number;
  readonly left: number;
  readonly inProgress: number;
}

interface Worker {
  readonly name: string;
  readonly labels: readonly string[];
  readonly running: Set<string>;
  alive: boolean;
}

interface Row {
  attempt: PostedAttempt;
  readonly readyAt: number;
  readonly tookMs: number;
  readonly dies: boolean;
}

const START = Date.parse('2026-01-01T00:00:00.000Z');
const SEED = 'seed';
const LOOK_MS = DATABASE_LIMITS.attemptsLookMs;

/** A graph in layers. Every task needs a worktree, because it depends on one whose work was merged. */
export function layered({ tasks, layer, gpuTasks }: Pick<FleetScenario, 'tasks' | 'layer' | 'gpuTasks'>): GraphNode[] {
  const created_at = new Date(START).toISOString();
  const seed = { kind: 'task', id: SEED, title: SEED, status: 'done', merged: 'c0ffee', created_at } as GraphNode;
  const nodes = Array.from({ length: tasks }, (_, number) => {
    const after = number < layer ? SEED : `t${number - layer}`;
    const needs = number % gpuTasks === 0 ? { needs: ['gpu'] } : {};
    const node = { kind: 'task', id: `t${number}`, title: `t${number}`, status: 'open', created_at, after: [after] };
    return { ...node, exec: 'true', ...needs } as GraphNode;
  });
  return [seed, ...nodes];
}

/** Priority queue by time, ties in insertion order. */
class Agenda {
  private readonly heap: { readonly at: number; readonly turn: number; readonly act: () => void }[] = [];
  private turns = 0;

  put(at: number, act: () => void): void {
    const { heap } = this;
    heap.push({ at, turn: this.turns++, act });
    for (let child = heap.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.isBefore(child, parent)) return;
      this.swap(child, parent);
      child = parent;
    }
  }

  next(): { readonly at: number; readonly act: () => void } | undefined {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    for (let parent = 0; ; ) {
      let least = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2])
        if (child < heap.length && this.isBefore(child, least)) least = child;
      if (least === parent) return first;
      this.swap(least, parent);
      parent = least;
    }
  }

  private isBefore(left: number, right: number): boolean {
    const [one, other] = [this.heap[left], this.heap[right]];
    if (one === undefined || other === undefined) return false;
    return one.at < other.at || (one.at === other.at && one.turn < other.turn);
  }

  private swap(left: number, right: number): void {
    const [one, other] = [this.heap[left], this.heap[right]];
    if (one === undefined || other === undefined) return;
    [this.heap[left], this.heap[right]] = [other, one];
  }
}

/**
 * A fleet with a virtual clock: the real decisions, snapshot and log of a leader, and a database with modelled
 * durations. Workers take what is offered and end it when its duration is over; some of them die, and so does the
 * leader.
 */
export class SimulatedFleet {
  private readonly scenario: FleetScenario;
  private readonly random: () => number;
  private readonly agenda = new Agenda();
  private now = 0;
  /** State of the database. */
  private graph: LazyGraph;
  private lastId: string | undefined;
  private readonly rows = new Map<string, Row>();
  private changed = new Set<string>();
  private readonly workers = new Map<string, Worker>();
  private readonly free = new Map<string, Worker[]>();
  private readonly waiting: string[] = [];
  /** State of the current leader; each new leader has another number. */
  private life = 0;
  private leads = true;
  private picture = new AttemptPicture();
  private orphans = new Map<string, RunFact>();
  private busyUntil = 0;
  private roundAt = Number.POSITIVE_INFINITY;
  private diedAt: number | undefined;
  private names = 0;
  private readonly result = {
    rounds: [] as { decideMs: number; wholeMs: number }[],
    lags: [] as number[],
    recoveries: [] as number[],
    completed: new Map<string, number>(),
    ...{ events: 0, transactions: 0, endedTwice: 0, mostAtOnce: 0, wrongLabels: 0 },
  };

  constructor(nodes: readonly GraphNode[], scenario: FleetScenario) {
    this.scenario = scenario;
    this.random = randomFrom(scenario.seed);
    const state = new GraphState(undefined, nodes.length);
    state.load(nodes, 1);
    state.runnable();
    this.graph = LazyGraph.of(state);
  }

  async play(): Promise<FleetResult> {
    const { workers, leaderDies, untilMs } = this.scenario;
    for (let number = 0; number < workers; number++) this.arrive(number);
    for (const at of leaderDies) this.agenda.put(at, () => this.killLeader());
    this.askRound(0);
    this.poll();
    let steps = 0;
    for (let event = this.agenda.next(); event !== undefined; event = this.agenda.next()) {
      if (event.at > untilMs || (this.isOver() && event.at > this.busyUntil)) break;
      this.now = event.at;
      event.act();
      if (++steps % 10_000 === 0) await setTimeout(0);
    }
    const { present } = this.graph;
    const inProgress = present.count('in-progress');
    const left = present.size - present.count('done');
    return { ...this.result, tookMs: this.now, left, inProgress };
  }

  private isOver(): boolean {
    return this.graph.present.count('done') === this.graph.present.size;
  }

  private arrive(number: number): void {
    const labels = number % this.scenario.gpuWorkers === 0 ? ['gpu'] : [];
    const worker: Worker = { name: `box-${this.names++}`, labels, running: new Set(), alive: true };
    this.workers.set(worker.name, worker);
    this.freeOf(labels).push(...Array.from({ length: this.scenario.slots }, () => worker));
    this.picture.setWorker(this.cardOf(worker));
  }

  private cardOf({ name, labels, alive }: Worker): BoardWorker {
    const { slots } = this.scenario;
    const card = { name, at: name, version: '1', slots, labels, executors: [] };
    const told = { leaders: [], unagreed: false, unread: [], reports: [] };
    return { ...card, ...told, seenAt: 0, silent: !alive, asked: 'work', gone: false };
  }

  private freeOf(labels: readonly string[]): Worker[] {
    const key = labels.join(',');
    const list = this.free.get(key) ?? [];
    this.free.set(key, list);
    return list;
  }

  /** The leader also decides at intervals, without a notification. */
  private poll(): void {
    this.agenda.put(this.now + LOOK_MS, () => {
      if (this.leads) this.askRound(this.now);
      if (!this.isOver()) this.poll();
    });
  }

  private askRound(at: number): void {
    const begin = Math.max(at + 1, this.busyUntil);
    if (!this.leads || begin >= this.roundAt) return;
    this.roundAt = begin;
    const { life } = this;
    this.agenda.put(begin, () => {
      if (life === this.life && this.leads && this.roundAt === begin) this.round();
    });
  }

  /** One round: changes, decisions, their commit, and the offers after it. */
  private round(): void {
    const { database, restMs, stopwatch } = this.scenario;
    this.roundAt = Number.POSITIVE_INFINITY;
    const watch = stopwatch();
    for (const run of this.changed) this.see(run);
    this.changed.clear();
    const facts = {
      ...{
        ...NO_FACTS,
        runs: [...this.picture.facts(), ...this.orphans.values()],
        trust: EVERY_COMMAND,
        paused: false,
      },
      ...{ budget: undefined, terms: USUAL_TERMS, errands: NO_ERRANDS, maxAgents: 0 },
      nextRun: this.graph.present.lastRun + 1,
      elsewhere: {
        ...{ ...NO_WORKER_FACTS, rooms: this.picture.vacant(), worksHere: false, follow: 'integration' as const },
        trees: { isolation: 'auto' as const, repository: 'work-tree' as const },
      },
    };
    let decided: readonly CoordinatorDecision[] = [];
    const decideNow = (view: Parameters<typeof decide>[0]['view']) => {
      decided = decide({ ...facts, view }, START + this.now);
      return { events: decided.flatMap(({ events }) => events), result: undefined };
    };
    this.graph.view();
    const queued = { decide: decideNow, request: {}, resolve: () => undefined, reject: raise };
    const ground = {
      graph: this.graph,
      lastId: this.lastId,
      now: START + this.now,
      pending: [],
      inFlight: new Map(),
      mayBeOlder: false,
    };
    const { lines, lastId, answer } = decideRound([queued], { ...ground, answers: new KeptAnswers() });
    answer();
    this.lastId = lastId;
    for (const decision of decided) this.carryOut(decision);
    const decideMs = watch();
    const isWritten = lines.length > 0;
    const commitMs = isWritten ? database.commitMs + lines.length * database.eventMs : 0;
    const offered = decided.some((decision) => decision.do === 'dispatch');
    const after = offered || isWritten ? database.commitMs : 0;
    this.result.events += lines.length;
    this.result.transactions += (isWritten ? 1 : 0) + (offered ? 1 : 0);
    for (const { entry } of lines) if (entry.op === 'done') this.countDone(entry.task_id ?? '');
    this.result.rounds.push({ decideMs, wholeMs: decideMs + commitMs });
    const over = this.now + decideMs + commitMs + after;
    this.busyUntil = Math.max(over, this.now + restMs);
    const { life } = this;
    const offers = decided.filter((decision): decision is DispatchDecision => decision.do === 'dispatch');
    this.agenda.put(over, () => {
      if (life !== this.life) return; // the leader was killed before it could offer them
      for (const offer of offers) this.offer(offer);
      if (this.diedAt !== undefined) this.result.recoveries.push(this.now - this.diedAt);
      this.diedAt = undefined;
    });
    if (decided.length > 0) this.askRound(over);
  }

  private carryOut(decision: CoordinatorDecision): void {
    if (decision.do === 'dispatch') this.picture.set(decision.run, this.posted(decision));
    if (decision.do !== 'settle-exit' && decision.do !== 'mark-dead') return;
    this.picture.delete(decision.run);
    this.orphans.delete(decision.run);
    this.rows.delete(decision.run);
  }

  private posted({ run, task, fence, timeoutMs }: DispatchDecision): PostedAttempt {
    const card = { run, taskId: task, fence, startedAt: START + this.now, timeoutMs };
    const node = this.graph.present.task(task);
    return { card, state: 'offered', labels: node ? needsOf(node) : [] };
  }

  private see(run: string): void {
    const row = this.rows.get(run);
    if (row) this.picture.set(run, row.attempt);
  }

  private offer(decision: DispatchDecision): void {
    const attempt = this.picture.get(decision.run);
    if (attempt === undefined) return;
    const [least, most] = this.scenario.takesMs;
    const readyAt = this.graph.present.task(decision.task)?.created_at === undefined ? 0 : this.readyOf(decision.task);
    const tookMs = least + this.random() * (most - least);
    this.rows.set(decision.run, { attempt, readyAt, tookMs, dies: this.random() < this.scenario.dies });
    this.agenda.put(this.now + this.scenario.database.queryMs + this.scenario.database.commitMs, () =>
      this.take(decision.run),
    );
  }

  /** Time at which the last predecessor of a task was done. */
  private readyOf(id: string): number {
    const { present } = this.graph;
    const ends = (present.task(id)?.after ?? []).map((before) => present.task(before)?.completed_at ?? '');
    return Math.max(0, ...ends.map((end) => (end === '' ? 0 : Date.parse(end) - START)));
  }

  private take(run: string): void {
    const row = this.rows.get(run);
    if (row?.attempt.state !== 'offered') return;
    const needs = row.attempt.labels;
    const worker =
      needs.length === 0 ? (this.freeOf([]).pop() ?? this.freeOf(['gpu']).pop()) : this.freeOf(needs).pop();
    if (worker === undefined) {
      this.waiting.push(run);
      return;
    }
    if (!worker.alive) {
      this.take(run);
      return;
    }
    worker.running.add(run);
    this.result.mostAtOnce = Math.max(this.result.mostAtOnce, worker.running.size);
    if (!needs.every((label) => worker.labels.includes(label))) this.result.wrongLabels++;
    row.attempt = { ...row.attempt, state: 'running', worker: worker.name };
    this.result.transactions++;
    if (row.readyAt > 0) this.result.lags.push(this.now - row.readyAt);
    this.changed.add(run);
    if (row.dies) this.agenda.put(this.now + row.tookMs / 2, () => this.killWorker(worker));
    else this.agenda.put(this.now + row.tookMs, () => this.end(worker, run));
  }

  private end(worker: Worker, run: string): void {
    if (!worker.alive) return;
    worker.running.delete(run);
    const row = this.rows.get(run);
    this.release(worker);
    if (row === undefined) return;
    if (row.attempt.state === 'ended') this.result.endedTwice++;
    const { card } = row.attempt;
    const fact = {
      ...{ id: card.run, taskId: card.taskId, fence: card.fence },
      startedAt: card.startedAt,
      timeoutMs: 1,
    };
    const ended = { ...fact, alive: false, started: true, outputBytes: 0, exit: { code: 0 } };
    const listed = { id: run, task_id: card.taskId, executor: 'shell', status: 'done' as const, started_at: '' };
    const end = { fact: ended, listed, publication: undefined, unpublished: undefined };
    row.attempt = { ...row.attempt, state: 'ended', outcome: 'told', end };
    this.result.transactions++;
    this.tell(run);
  }

  private release(worker: Worker): void {
    this.freeOf(worker.labels).push(worker);
    const next = this.waiting.findIndex((run) =>
      (this.rows.get(run)?.attempt.labels ?? []).every((label) => worker.labels.includes(label)),
    );
    const [run] = next === -1 ? [] : this.waiting.splice(next, 1);
    if (run !== undefined) this.take(run);
  }

  private tell(run: string): void {
    this.changed.add(run);
    const { life } = this;
    this.agenda.put(this.now + 2 * this.scenario.database.queryMs, () => {
      if (life === this.life) this.askRound(this.now);
    });
  }

  /** Kills a worker. Its attempts are lost when its lease expires; another worker replaces it. */
  private killWorker(worker: Worker): void {
    if (!worker.alive) return;
    worker.alive = false;
    this.free.set(
      worker.labels.join(','),
      this.freeOf(worker.labels).filter((other) => other !== worker),
    );
    this.agenda.put(this.now + DATABASE_LIMITS.workerLeaseMs, () => {
      this.workers.delete(worker.name);
      this.picture.setWorker({ ...this.cardOf(worker), gone: true });
      for (const run of worker.running) {
        const row = this.rows.get(run);
        if (row === undefined) continue;
        row.attempt = { ...row.attempt, state: 'ended', outcome: 'lost' };
        this.tell(run);
      }
      this.arrive(worker.labels.length > 0 ? 0 : 1);
    });
  }

  /**
   * Kills the leader. The standby leads when the lease expires and reads everything: attempts that were not offered
   * never began.
   */
  private killLeader(): void {
    if (!this.leads) return;
    this.leads = false;
    this.life++;
    this.diedAt = this.now;
    this.roundAt = Number.POSITIVE_INFINITY;
    const { leaseMs, standbyLookMs } = DATABASE_LIMITS;
    this.agenda.put(this.now + leaseMs + standbyLookMs + this.scenario.database.openMs, () => {
      this.leads = true;
      this.busyUntil = this.now;
      this.picture = new AttemptPicture();
      for (const worker of this.workers.values()) this.picture.setWorker(this.cardOf(worker));
      for (const [run, { attempt }] of this.rows) this.picture.set(run, attempt);
      for (const node of this.graph.present.nodes()) {
        if (!isTask(node) || node.status !== 'in-progress' || node.assigned === undefined) continue;
        if (this.rows.has(node.assigned)) continue;
        const own = { id: node.assigned, taskId: node.id, fence: node.fence ?? 0, startedAt: START, timeoutMs: 1 };
        this.orphans.set(node.assigned, { ...own, alive: false, started: false, outputBytes: 0 });
      }
      this.askRound(this.now);
    });
  }

  private countDone(task: string): void {
    this.result.completed.set(task, (this.result.completed.get(task) ?? 0) + 1);
  }
}

function raise(error: unknown): never {
  throw error;
}
