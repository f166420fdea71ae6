/**
 * The loop of the service: facts, decision, commit, effects; the hosts of the parts of a round; clients prepared; `service
 * create-coordinator`, `chat`.
 * @packageDocumentation
 */
import type { SpawnRequest } from '#core/coordinator/dispatch.js';
import { nextReady } from '#core/coordinator/next-ready.js';
import type { CoordinatorDecision } from '#core/coordinator/parts.js';
import type { Budget } from '#core/coordinator/snapshot.js';
import { timeOf } from '#core/graph/time.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { isUnreachable } from '#kernel/out-of-reach.js';
import { runAll } from '#kernel/steps.js';
import { waitAtMost } from '#kernel/wait-at-most.js';
import type { CoordinatorStanding } from '#operations/coordinator-facts.js';
import type { ListedRun, RunClaim } from '#ports/run-host.js';
import type { RoundOptions } from './round.js';
import { Round } from './round.js';

export interface CoordinatorOptions extends RoundOptions {
  /** Milliseconds between ticks without a trigger. */
  readonly pollMs: number;
}

/** Result of a requested tick. */
export interface TickResult {
  /** Decisions on the facts at the start, equal to those of a preview just before. */
  readonly decisions: readonly CoordinatorDecision[];
  /** Later decisions, made while the errands it had started were awaited. */
  readonly consequences: readonly CoordinatorDecision[];
}

interface LoopFacts extends CoordinatorStanding {
  readonly ticks: number;
  readonly lastTick: number | undefined;
  readonly pollMs: number;
}

/** Hosts the coordinator, one tick at a time; all triggers during a tick lead to a single further one. */
export class CoordinatorLoop {
  private readonly options: CoordinatorOptions;
  private ticking: Promise<void> | undefined;
  /** The current round: facts, decision, effects. */
  private playing: Promise<unknown> = Promise.resolve();
  private again = false;
  private poll: NodeJS.Timeout | undefined;
  private soon: NodeJS.Timeout | undefined;
  /** Set after a tick, while changes wait for the next one. */
  private rest: NodeJS.Timeout | undefined;
  private changed = false;
  private paused: boolean;
  private pollMs: number;
  private stopped = true;
  private ticks = 0;
  private lastTick: number | undefined;
  /** Number of consecutive failed ticks. */
  private failures = 0;
  /** Error of the latest tick or of one of its effects; undefined if there was none. */
  private failure: unknown;
  private idle: (() => void)[] = [];
  private readonly listeners = new Set<(decisions: readonly CoordinatorDecision[]) => void>();
  private readonly round: Round;

  constructor(options: CoordinatorOptions) {
    this.options = options;
    this.paused = options.persisted.paused;
    this.pollMs = options.pollMs;
    const onError = (error: unknown) => {
      this.failure = error;
      options.onError(error);
    };
    this.round = new Round({ ...options, onError }, () => this.trigger());
  }

  /** Adopts runs of a previous service, begins, and runs the first tick. */
  async start(): Promise<void> {
    if (!this.stopped) return;
    await this.begin();
    await this.tick();
  }

  /** Adopts runs of a previous service. From now on every change triggers a tick. */
  async begin(): Promise<void> {
    this.stopped = false;
    await this.adopt();
    this.options.runs.onChange(() => this.trigger());
    this.round.begin();
  }

  /** Adopts runs of a previous service; changes nothing else. */
  async adopt(): Promise<void> {
    const view = await this.options.store.view();
    const claims: RunClaim[] = [];
    if (view.count('in-progress') > 0) {
      for (const node of view.nodes()) {
        const task = view.task(node.id);
        if (task?.status !== 'in-progress' || task.assigned === undefined) continue;
        const startedAt = timeOf(task.started_at ?? task.created_at);
        claims.push({ run: task.assigned, taskId: task.id, fence: task.fence ?? 0, startedAt });
      }
    }
    this.round.keepNumbers(await this.options.runs.adopt(claims));
  }

  /** Schedules a tick soon; several requests are merged into one. */
  trigger(): void {
    if (this.stopped) return;
    if (this.ticking) {
      this.again = true;
      return;
    }
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      this.tick().catch((error) => this.options.onError(error));
    }, WORK_LIMITS.tickCoalesceMs);
  }

  /** Schedules a tick after a change; in a burst, one tick handles all changes of `WORK_LIMITS.tickRestMs`. */
  triggerByChange(): void {
    if (this.ticking || this.rest) this.changed = true;
    else this.trigger();
  }

  /** Runs a tick now; if one is under way, waits for it and schedules another. */
  async tick(): Promise<void> {
    if (this.ticking) {
      this.again = true;
      await this.ticking;
      return;
    }
    this.failure = undefined;
    this.ticking = this.rounds();
    try {
      await this.ticking;
    } catch (error) {
      this.failure = error;
      throw error;
    } finally {
      this.ticking = undefined;
      this.failures = this.failure === undefined ? 0 : this.failures + 1;
      if (this.again) this.trigger(); // requested after the last round had started to return
      this.takeRest();
      await this.schedulePoll();
    }
  }

  /** Runs one tick and its follow-ups until the errands it started are over, for at most `waitMs`. */
  async tickThrough(waitMs: number = WORK_LIMITS.tickWaitMs): Promise<TickResult> {
    while (this.ticking) await this.ticking.catch(() => undefined);
    const rounds: (readonly CoordinatorDecision[])[] = [];
    const listen = (decisions: readonly CoordinatorDecision[]) => rounds.push(decisions);
    const before = this.round.errandsNow().underWay;
    const newKeys = () => [...this.round.errandsNow().underWay].filter((key) => !before.has(key));
    let timedOut = false;
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs);
    }).then(() => {
      timedOut = true;
    });
    this.listeners.add(listen);
    try {
      await this.tick();
      for (let keys = newKeys(); keys.length > 0 && !timedOut; keys = newKeys()) {
        await Promise.race([this.round.firstOf(keys), waited]);
        await this.tick();
      }
    } finally {
      clearTimeout(timer);
      this.listeners.delete(listen);
    }
    const [decisions = [], ...consequences] = rounds;
    return { decisions, consequences: consequences.flat() };
  }

  /** Decisions of the next tick, without carrying them out. */
  async preview(): Promise<readonly CoordinatorDecision[]> {
    while (this.ticking) await this.ticking.catch(() => undefined);
    return await this.round.preview(this.paused);
  }

  /** Starts no new runs until `resume`, even after a restart; running ones continue. */
  pause(): void {
    this.paused = true;
    this.options.persisted.savePaused(true);
  }

  /**
   * Resolves when the current round is over, because it may have read state from before a change; later rounds see the
   * change. Waits at most `WORK_LIMITS.roundEndMs`.
   */
  async roundEnd(): Promise<void> {
    await waitAtMost(WORK_LIMITS.roundEndMs, this.playing);
  }

  resume(): void {
    this.paused = false;
    this.options.persisted.savePaused(false);
    this.trigger();
  }

  /** Changes limits from the next tick on, and triggers it. */
  configure({ maxAgents, pollMs }: { maxAgents?: number; pollMs?: number }): void {
    if (maxAgents !== undefined) this.round.maxAgents = maxAgents;
    if (pollMs !== undefined) this.pollMs = pollMs;
    this.round.tryAgain();
    this.trigger();
  }

  /** Resolves as soon as there are no runs and no open task that a command could do. */
  whenDrained(): Promise<void> {
    return new Promise((resolve) => {
      this.idle.push(resolve);
      this.trigger();
    });
  }

  facts(): LoopFacts {
    return {
      ticks: this.ticks,
      lastTick: this.lastTick,
      paused: this.paused,
      maxAgents: this.round.maxAgents,
      pollMs: this.pollMs,
      ...this.round.facts(),
    };
  }

  spending(): Promise<Budget> {
    return this.round.spending();
  }

  agents(): Promise<readonly ListedRun[]> {
    return this.options.runs.listed();
  }

  /** Starts a run of one task at once, regardless of slots and pause. Errors: those of the decision. */
  async spawn(request: SpawnRequest): Promise<{ agent_id: string; pid?: number }> {
    while (this.ticking) await this.ticking.catch(() => undefined);
    const work = this.round.spawn(request);
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

  /** Ends a run, given by id or process id; its task is released. Errors: `not_found`. */
  async kill(run: string | number): Promise<{ run: string; task: string }> {
    const { runs } = this.options;
    const agent = (await runs.listed()).find((row) => row.id === run || (row.pid !== undefined && row.pid === run));
    const alive = agent && (await runs.fact(agent.id))?.alive;
    if (!agent || !alive)
      throw new TroupeError('not_found', { what: `No run ${run} is active.`, hint: 'Run `troupe agents`.' });
    await runs.end(agent.id, 'stopped');
    return { run: agent.id, task: agent.task_id };
  }

  /** Heartbeat of a run. Errors: `stale_attempt` if the run is unknown or its claim is outdated. */
  async beat(run: string, fence: number): Promise<number> {
    const { runs } = this.options;
    const until = await runs.beat(run, fence);
    const task = (await runs.fact(run))?.taskId;
    const holder = task === undefined ? undefined : (await this.options.store.view()).task(task);
    if (until === undefined || holder?.assigned !== run || holder.fence !== fence)
      throw new TroupeError('stale_attempt', { what: `${run} holds no task under ${fence}.` });
    return until;
  }

  /**
   * Ends all runs and waits until their tasks are released. Results that are not merged after `WORK_LIMITS.lastResultsMs`
   * are left to the next service: a remote may be unreachable.
   */
  async endRuns(): Promise<void> {
    this.paused = true; // not saved: applies to this service only
    for (;;) {
      const ending = await this.endAlive();
      await this.tick();
      // Subscribed before the runs are read: a round in between would otherwise be missed.
      const over = this.nextRound();
      if (!(await this.options.runs.facts()).some(({ alive }) => alive)) break;
      if (!ending && (await this.endAlive())) continue; // started by a tick that was under way
      await over;
    }
    await waitAtMost(WORK_LIMITS.lastResultsMs, this.settled());
  }

  private async settled(): Promise<void> {
    for (let over = this.nextRound(); await this.hasRuns(); over = this.nextRound()) await over;
  }

  /** Resolves when the next round is over: after a change of a run, an answered errand or the poll. */
  private nextRound(): Promise<void> {
    return new Promise((resolve) => {
      const listen = () => {
        this.listeners.delete(listen);
        resolve();
      };
      this.listeners.add(listen);
    });
  }

  /** Ends all running runs; true if there were any. */
  private async endAlive(): Promise<boolean> {
    const { runs } = this.options;
    const alive = (await runs.facts()).filter((run) => run.alive && run.ended === undefined);
    for (const run of alive) await runs.end(run.id, 'stopped');
    return alive.length > 0;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.poll);
    clearTimeout(this.soon);
    const { round, options } = this;
    await runAll([() => this.ticking, () => clearTimeout(this.rest), () => round.close(), () => options.runs.close()]);
  }

  /** Ids of unsettled runs of commands in the project; work in worktrees has to be merged by the next service. */
  async unsettled(): Promise<readonly string[]> {
    const runs = await this.options.runs.facts();
    return runs.flatMap(({ id, executor, branch }) => (executor === undefined && branch === undefined ? [id] : []));
  }

  private async hasRuns(): Promise<boolean> {
    return (await this.options.runs.facts()).length > 0;
  }

  private takeRest(): void {
    clearTimeout(this.rest);
    if (this.stopped) return;
    this.rest = setTimeout(() => {
      this.rest = undefined;
      if (this.changed) this.trigger();
    }, WORK_LIMITS.tickRestMs);
  }

  private async played(): Promise<number> {
    this.ticks++;
    this.changed = false;
    this.lastTick = this.options.store.clock.now();
    if (this.stopped && !(await this.hasRuns())) return 0;
    const round = this.round.runRound(this.paused || this.stopped);
    this.playing = round.catch(() => undefined); // the caller of the tick gets the error
    const { decisions, changed } = await round;
    for (const listen of this.listeners) listen(decisions);
    return changed;
  }

  private async rounds(): Promise<void> {
    let acted: number;
    do {
      this.again = false;
      acted = await this.played();
    } while (this.again || acted > 0);
    if (this.idle.length > 0 && !(await this.hasRuns()) && !(await this.nextReady()).any) {
      const waiting = this.idle;
      this.idle = [];
      for (const resolve of waiting) resolve();
    }
  }

  private async nextReady(): Promise<{ readonly any: boolean; readonly at: number }> {
    const { store, trust } = this.options;
    return nextReady(await store.view(), trust, store.clock.now());
  }

  /**
   * Schedules the next tick at the poll interval, or earlier if a task, the end of a hold or another preparation is due.
   * After a failed tick it comes soon, with a delay that doubles with each further failure, but not beyond
   * `SURFACE_LIMITS.remoteAgainMs` while the database or a remote is unreachable.
   */
  private async schedulePoll(): Promise<void> {
    const unknown = { at: Number.POSITIVE_INFINITY };
    const { at } = this.stopped ? unknown : await this.nextReady().catch(() => unknown); // the next tick reports it
    clearTimeout(this.poll);
    if (this.stopped) return;
    const pause = isUnreachable(this.failure) ? SURFACE_LIMITS.remoteAgainMs : this.pollMs;
    const most = this.failures === 0 ? this.pollMs : Math.min(pause, this.pollMs, againAfter(this.failures));
    const now = this.options.store.clock.now();
    const { holds, retryTimes } = this.round.facts();
    const ends = [...holds.map(({ until }) => until), ...retryTimes];
    const next = Math.min(at, ...ends.filter((until) => until > now));
    this.poll = setTimeout(() => this.trigger(), Math.min(most, Math.max(1, next - now)));
  }
}

/** Delay in milliseconds after a number of consecutive failed ticks. */
function againAfter(failures: number): number {
  return WORK_LIMITS.tickAgainMs * 2 ** Math.min(failures - 1, 20);
}
