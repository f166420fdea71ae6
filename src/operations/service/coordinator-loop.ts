import { leftFor } from '#core/coordinator/budget.js';
import { BudgetBook, isBounded } from '#core/coordinator/budget-book.js';
import { decide } from '#core/coordinator/decide.js';
import type { Decision } from '#core/coordinator/decision.js';
import { type Dispatched, type SpawnRequest, spawn } from '#core/coordinator/dispatch.js';
import type { BackOff, Budget, CoordinatorSnapshot, Terms } from '#core/coordinator/snapshot.js';
import type { Plan } from '#core/graph/event.js';
import type { GraphView } from '#core/graph/view.js';
import { awaitedOutside, type FileFacts } from '#core/graph/wait.js';
import type { Clock } from '#kernel/clock.js';
import { knownError, TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { Commit, GraphStore } from '#ports/graph-store.js';
import type { ListedRun, RunHost, RunStatus } from '#ports/run-host.js';
import type { ClientFacts, Clients } from './clients.js';
import { checked, environmentOf } from './run-command.js';

export interface CoordinatorOptions {
  readonly store: GraphStore;
  readonly runs: RunHost;
  readonly clock: Clock;
  readonly maxAgents: number;
  /** Milliseconds between ticks that nothing asked for. */
  readonly pollMs?: number;
  /** The pause an earlier life was in, and where the present one is kept. */
  readonly backOff?: BackOff;
  readonly saveBackOff?: (backOff: BackOff | undefined) => void;
  /** Facts of files that tasks wait for. */
  readonly files?: (paths: Iterable<string>) => Promise<FileFacts>;
  /** Model clients; without them only commands run. */
  readonly clients?: Clients;
  /** What of the terms is another than the settings say. */
  readonly terms?: Partial<Terms>;
  /** Told what each tick that acted decided, after it was carried out; for a log. Must not throw. */
  readonly onDecisions?: (decisions: readonly Decision[]) => void;
  /** Told when a tick could not be completed; the next one tries again. Must not throw. */
  readonly onError?: (error: unknown) => void;
}

export interface LoopFacts {
  readonly ticks: number;
  readonly lastTick: number | undefined;
  readonly paused: boolean;
  readonly maxAgents: number;
  /** Runs that are alive now. */
  readonly alive: number;
  /** The client for tasks without a command, or why there is none. */
  readonly executor?: string;
  readonly missing?: string;
  readonly backOffUntil?: number;
  readonly budget?: Budget;
}

/**
 * Hosts the coordinator: gathers facts, lets core decide, commits, and only then acts. One tick at a time; whatever
 * asks for one meanwhile gets a single following tick.
 */
export class CoordinatorLoop {
  private readonly options: CoordinatorOptions;
  private ticking: Promise<void> | undefined;
  private again = false;
  private poll: NodeJS.Timeout | undefined;
  private soon: NodeJS.Timeout | undefined;
  private paused = false;
  private backOff: BackOff | undefined;
  private stopped = true;
  private ticks = 0;
  private lastTick: number | undefined;
  private idle: (() => void)[] = [];
  private book: BudgetBook | undefined;
  private known: ClientFacts | undefined;

  constructor(options: CoordinatorOptions) {
    this.options = options;
    this.backOff = options.backOff;
  }

  /** Finds runs of earlier lives and begins. */
  async start(): Promise<void> {
    if (!this.stopped) return;
    this.stopped = false;
    const view = await this.options.store.view();
    const claims: { run: string; taskId: string; fence: number }[] = [];
    if (view.count('in-progress') > 0) {
      for (const node of view.nodes()) {
        const task = view.task(node.id);
        if (task?.status !== 'in-progress' || task.assigned === undefined) continue;
        claims.push({ run: task.assigned, taskId: task.id, fence: task.fence ?? 0 });
      }
    }
    await this.options.runs.adopt(claims);
    this.options.runs.onChange(() => this.trigger());
    await this.tick();
  }

  /** Asks for a tick soon; many askings are one. */
  trigger(): void {
    if (this.stopped) return;
    if (this.ticking) {
      this.again = true;
      return;
    }
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      this.tick().catch((error) => this.options.onError?.(error));
    }, LIMITS.tickCoalesceMs);
  }

  /** One tick now, or the one under way and one more after it. */
  async tick(): Promise<void> {
    if (this.ticking) {
      this.again = true;
      await this.ticking;
      return;
    }
    this.ticking = this.rounds();
    try {
      await this.ticking;
    } finally {
      this.ticking = undefined;
      await this.schedulePoll();
    }
  }

  /** No new runs until `resume`; running ones go on. */
  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.trigger();
  }

  /** Resolves as soon as no run is left and no open task is there that a command could do. */
  whenDrained(): Promise<void> {
    return new Promise((resolve) => {
      this.idle.push(resolve);
      this.trigger();
    });
  }

  facts(): LoopFacts {
    const alive = this.options.runs.facts().filter((run) => run.alive).length;
    const budget = this.budget();
    return {
      ticks: this.ticks,
      lastTick: this.lastTick,
      paused: this.paused,
      maxAgents: this.options.maxAgents,
      alive,
      ...(this.known?.executor === undefined ? {} : { executor: this.known.executor }),
      ...(this.known?.missing === undefined ? {} : { missing: this.known.missing }),
      ...(this.backOff ? { backOffUntil: this.backOff.until } : {}),
      ...(budget ? { budget } : {}),
    };
  }

  agents(): readonly ListedRun[] {
    return this.options.runs.listed();
  }

  /** A run of one task at once, whatever the slots and the pause say. Errors as of the decision. */
  async spawn(request: SpawnRequest): Promise<{ agent_id: string; pid?: number }> {
    while (this.ticking) await this.ticking.catch(() => undefined);
    const work = this.spawnNow(request);
    this.ticking = work.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await work;
    } finally {
      this.ticking = undefined;
      this.trigger();
    }
  }

  /** Tells a run to end; its task is given back. By id or by process; `not_found` when there is none at work. */
  kill(run: string | number): { run: string; task: string } {
    const found = this.agents().find((row) => row.id === run || (row.pid !== undefined && row.pid === run));
    const alive = this.options.runs.facts().some((fact) => fact.id === found?.id && fact.alive);
    if (!found || !alive) throw new TroupeError('not_found', { what: `No run ${run} is at work.` });
    this.options.runs.end(found.id, 'stopped');
    return { run: found.id, task: found.task_id };
  }

  /** A run says that it is at work; `stale_attempt` when it is none of ours, or its claim is not the latest. */
  async beat(run: string, fence: number): Promise<number> {
    const until = this.options.runs.beat(run, fence);
    const task = this.options.runs.facts().find((fact) => fact.id === run)?.taskId;
    const holder = task === undefined ? undefined : (await this.options.store.view()).task(task);
    if (until === undefined || holder?.assigned !== run || holder.fence !== fence)
      throw new TroupeError('stale_attempt', { what: `${run} holds no task under ${fence}.` });
    return until;
  }

  /** Ends all runs and waits until their tasks are given back. */
  async endRuns(): Promise<void> {
    this.pause();
    for (const run of this.options.runs.facts()) if (run.alive) this.options.runs.end(run.id, 'stopped');
    while (this.options.runs.facts().length > 0) {
      await new Promise<void>((resolve) => {
        this.options.runs.onChange(resolve);
      });
      await this.tick();
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.poll);
    clearTimeout(this.soon);
    await this.ticking;
    await this.options.runs.close();
  }

  private async rounds(): Promise<void> {
    let acted = 0;
    do {
      this.again = false;
      acted = await this.round();
    } while (this.again || acted > 0);
    if (this.options.runs.facts().length === 0 && this.idle.length > 0 && !(await this.nextReady()).any) {
      const waiting = this.idle;
      this.idle = [];
      for (const resolve of waiting) resolve();
    }
  }

  /** Facts, decisions, one commit, effects. Answers how many effects may have changed the facts. */
  private async round(): Promise<number> {
    const { clock } = this.options;
    this.ticks++;
    this.lastTick = clock.now();
    const snapshot = await this.snapshot(await this.awaitedFiles());
    if (snapshot.runs.length === 0 && this.stopped) return 0;
    const { result: decisions } = await this.commit((view) => {
      const decided = decide({ ...snapshot, view }, clock.now());
      return { events: decided.flatMap((decision) => decision.events), result: decided };
    });
    let changed = 0;
    // What is committed must be carried out: one effect that fails takes no other with it.
    const carryOut = async (decision: Decision) => {
      try {
        changed += await this.effect(decision);
      } catch (error) {
        this.options.onError?.(error);
      }
    };
    const slow = decisions.filter((decision) => decision.do === 'dispatch' && decision.executor !== 'shell');
    for (const decision of decisions) if (!slow.includes(decision)) await carryOut(decision);
    await Promise.all(slow.map(carryOut)); // a client has to be prepared: nobody waits for another's worktree
    if (decisions.length > 0) this.options.onDecisions?.(decisions);
    return changed;
  }

  private async snapshot(files: FileFacts): Promise<Omit<CoordinatorSnapshot, 'view'>> {
    const { runs, maxAgents, clients, terms, store } = this.options;
    this.known = await clients?.facts();
    if (this.known && isBounded(this.known.allowance) && !this.book) {
      const book = new BudgetBook();
      for await (const entry of store.entries(1)) book.add(entry);
      book.open();
      this.book = book;
    }
    const budget = this.budget();
    return {
      runs: runs.facts(),
      maxAgents,
      nextRun: runs.nextNumber(),
      paused: this.paused || this.stopped,
      files,
      ...(this.backOff ? { backOff: this.backOff } : {}),
      ...(this.known?.executor === undefined ? {} : { executor: this.known.executor }),
      ...(budget ? { budget } : {}),
      terms: { ...this.known?.terms, ...terms },
    };
  }

  private budget(): Budget | undefined {
    return this.book && this.known && this.book.budget(this.known.allowance, this.options.clock.now());
  }

  /** What we commit ourselves is all that the ledger has to know: nobody else claims for a client or settles one. */
  private async commit<Result>(decide: (view: GraphView) => Plan<Result>): Promise<Commit<Result>> {
    const commit = await this.options.store.commit(decide);
    if (this.book) for (const entry of commit.entries) this.book.add(entry);
    return commit;
  }

  private async spawnNow(request: SpawnRequest): Promise<{ agent_id: string; pid?: number }> {
    const snapshot = await this.snapshot(new Map());
    const { result } = await this.commit((view) => {
      const decision = spawn({ ...snapshot, view }, request, this.options.clock.now());
      return { events: decision.events, result: decision };
    });
    await this.effect(result);
    this.options.onDecisions?.([result]);
    const pid = this.agents().find((row) => row.id === result.run)?.pid;
    return { agent_id: result.run, ...(pid === undefined ? {} : { pid }) };
  }

  private async awaitedFiles(): Promise<FileFacts> {
    const { store, files } = this.options;
    const view = await store.view();
    if (!files || view.count('waiting') === 0) return new Map();
    return await files(awaitedOutside(view).paths);
  }

  private async effect(decision: Decision): Promise<number> {
    const { runs, store, clock } = this.options;
    switch (decision.do) {
      case 'settle-exit':
        runs.forget(decision.run, this.statusOf(decision.run, decision.outcome));
        return 1;
      case 'mark-dead':
        runs.forget(decision.run, 'dead');
        return 1;
      case 'back-off':
        this.backOff = decision.backOff;
        this.options.saveBackOff?.(decision.backOff);
        return 0;
      case 'place':
      case 'settle-due':
      case 'release':
        return 1;
      case 'kill':
        runs.end(decision.run, decision.why);
        return 0;
      case 'dispatch': {
        if (decision.executor !== 'shell') return await this.startClient(decision);
        const task = (await store.view()).task(decision.task);
        await runs.start({
          id: decision.run,
          taskId: decision.task,
          fence: decision.fence,
          command: checked(task?.exec ?? 'false', task?.verify_cmd),
          environment: environmentOf(task?.['environment']),
          timeoutMs: decision.timeoutMs,
          startedAt: clock.now(),
        });
        return 0;
      }
    }
  }

  /** Whatever keeps a client from starting gives the task back, as a failed start of a command does. */
  private async startClient(decision: Dispatched): Promise<number> {
    const { runs, store, clock, clients } = this.options;
    const { run: id, task: taskId, fence, timeoutMs, executor, model } = decision;
    const plan = { id, taskId, fence, timeoutMs, executor, startedAt: clock.now() };
    try {
      if (!clients) throw new TroupeError('executor_missing');
      const view = await store.view();
      const budget = this.budget();
      const attempt = { task: taskId, run: id, fence, executor, ...(model === undefined ? {} : { model }) };
      const left = budget && leftFor(taskId, id, budget);
      const client = await clients.prepare(view, { ...attempt, ...(left === undefined ? {} : { budgetUsd: left }) });
      const environment = environmentOf(view.task(taskId)?.['environment']);
      await runs.start({ ...plan, startedAt: clock.now(), command: '', environment, client });
      return 0;
    } catch (error) {
      runs.refuse(plan, knownError(error).message);
      return 1;
    }
  }

  private statusOf(run: string, outcome: 'done' | 'failed' | 'kept'): RunStatus {
    if (outcome !== 'kept') return outcome;
    const fact = this.options.runs.facts().find((candidate) => candidate.id === run);
    return fact?.exit?.code === 0 ? 'done' : 'failed';
  }

  /** Is anything left that a command could do, and when is the next of it due? */
  private async nextReady(): Promise<{ any: boolean; at: number }> {
    const view = await this.options.store.view();
    let any = false;
    const { paths, at: timer } = awaitedOutside(view);
    let at = paths.size > 0 ? Math.min(timer, this.options.clock.now() + LIMITS.filePollMs) : timer;
    for (const id of view.runnable()) {
      any = true;
      const since = view.readyAt(id) ?? 0;
      if (since > this.options.clock.now()) at = Math.min(at, since);
    }
    return { any, at };
  }

  /** The next tick comes at the poll interval, or when a task's time comes if that is earlier. */
  private async schedulePoll(): Promise<void> {
    const { at } = this.stopped ? { at: 0 } : await this.nextReady();
    clearTimeout(this.poll);
    if (this.stopped) return;
    const pollMs = this.options.pollMs ?? LIMITS.pollIntervalMs;
    this.poll = setTimeout(() => this.trigger(), Math.min(pollMs, Math.max(1, at - this.options.clock.now())));
  }
}
