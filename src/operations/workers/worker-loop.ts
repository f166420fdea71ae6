/**
 * Several machines: a project in a database that they share (`database …`), and the workers that carry out attempts for
 * a leader on another machine.
 * @packageDocumentation
 */
import type { SpendLimit } from '#core/coordinator/budget.js';
import type { EndReason, RunFact } from '#core/coordinator/snapshot.js';
import { formatDuration } from '#kernel/duration.js';
import { isRefusal } from '#kernel/errors.js';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import type { KeptOrder } from '#ports/attempt-orders.js';
import type { AttemptOrder, AttemptReport, HeartbeatAnswer, RunInstruction } from '#ports/worker-gateway.js';
import { AttemptAtWork, sharedFieldsOf } from './attempt-at-work.js';
import { AttemptHandover } from './attempt-handover.js';
import { failureInWords, treeOfOrder } from './attempt-places.js';
import type { LocalAttempt } from './door-answers.js';
import { retryTransient } from './insisting.js';
import { LeaderWatch } from './leader-watch.js';
import { RefusedOrders } from './refused-orders.js';
import { type RemoteService, RemoteServices } from './remote-services.js';
import { NOTHING_SENT, RunSender } from './run-sender.js';
import type { WorkerParts } from './worker-parts.js';

const ASKING: readonly RemoteService[] = ['database'];
const SENDING: readonly RemoteService[] = ['database', 'object store'];

/**
 * Main loop of a worker: takes attempts while slots are free, prepares their runs, reports their state, and hands them
 * over when they end. While the database is unreachable, its runs continue. Attempts that were given to another worker
 * meanwhile are ended here.
 */
export class WorkerLoop {
  private readonly parts: WorkerParts;
  private readonly attempts = new Map<string, AttemptAtWork>();
  private readonly handing: AttemptHandover;
  private readonly leaders: LeaderWatch;
  private readonly refusals: RefusedOrders;
  private readonly remote: RemoteServices;
  private stops: (() => void)[] = [];
  private draining: Promise<void> | undefined;
  private hurried = false;
  private taking: Promise<void> | undefined;
  private beating: Promise<void> | undefined;
  private beatAgain = false;
  private toldOfClock = false;
  private emptied: () => void = () => undefined;
  private hasDrained: () => void = () => undefined;
  /** Settles when the worker has drained, on request or because `drain` was called. */
  readonly drained: Promise<void>;

  constructor(parts: WorkerParts) {
    this.parts = parts;
    this.drained = new Promise((resolve) => {
      this.hasDrained = resolve;
    });
    this.leaders = new LeaderWatch(parts);
    this.refusals = new RefusedOrders(parts);
    this.remote = new RemoteServices(parts.tell);
    this.handing = new AttemptHandover({ ...parts, isHurried: () => this.hurried });
  }

  /**
   * Introduces the worker, continues attempts of a previous process, and starts to take attempts. Errors: those of
   * `arrive`.
   */
  async start(): Promise<void> {
    const { desk, runs, pace } = this.parts;
    await this.arrive();
    await this.goOn();
    runs.onChange(() => this.look());
    await this.beat();
    this.stops = [
      desk.onWorkAvailable(() => this.heard()),
      pace.every(WORKER_LIMITS.beatMs, () => void this.attempted(this.beat())),
      pace.every(WORKER_LIMITS.pollMs, () => void this.attempted(this.take())),
      pace.every(WORKER_LIMITS.lookMs, () => this.look()),
    ];
    this.look();
    await this.take();
  }

  /**
   * Stops taking attempts, lets running ones continue for the grace period, ends the rest, hands over all and leaves.
   * Called again, the shorter period applies.
   */
  drain(graceMs: number): Promise<void> {
    this.stops.push(this.parts.pace.after(graceMs, () => this.hurry()));
    this.draining ??= this.drainOnce(graceMs);
    return this.draining;
  }

  private async drainOnce(graceMs: number): Promise<void> {
    const { tell, desk } = this.parts;
    const many = this.attempts.size;
    const most = `${many} running, for ${formatDuration(graceMs)} at most`;
    tell({ event: 'draining', text: many === 0 ? 'nothing runs' : most });
    await this.taking;
    await this.narrow();
    await this.untilEmpty();
    for (const stop of this.stops.splice(0)) stop();
    await this.beating;
    await desk.unregisterWorker().catch((error) => tell({ event: 'away', text: failureInWords(error) }));
    const left = [...this.attempts.keys()];
    tell({ event: 'drained', text: left.length === 0 ? 'nothing is left here' : `left here: ${left.join(', ')}` });
    this.hasDrained();
  }

  /**
   * Ends runs at the end of the grace period. Attempts that cannot be handed over soon are left to the next process.
   */
  private hurry(): void {
    if (this.hurried) return;
    this.hurried = true;
    for (const attempt of this.attempts.values()) void this.attempted(this.end(attempt, 'stopped'));
    this.stops.push(this.parts.pace.after(WORKER_LIMITS.lastMs, () => this.emptied()));
  }

  /** The attempt of a run at work here; undefined for any other. */
  attemptOf(run: string): LocalAttempt | undefined {
    const attempt = this.attempts.get(run);
    if (attempt === undefined || attempt.lost) return undefined;
    return { task: attempt.task, fence: attempt.fence, tree: attempt.kept.order.tree };
  }

  private async arrive(): Promise<void> {
    const { desk, card, tell } = this.parts;
    await desk.registerWorker(this.leaders.introduced());
    const { slots, executors, labels } = card;
    const words = [
      `${slots} at once`,
      executors.join(', '),
      ...(labels.length === 0 ? [] : [`labels ${labels.join(', ')}`]),
    ];
    tell({ event: 'arrived', text: `${card.name}: ${words.filter((word) => word !== '').join('; ')}` });
  }

  /** Continues attempts of a previous process: their runs are at work, have ended, or never began and never will. */
  private async goOn(): Promise<void> {
    const { runs, orders, tell } = this.parts;
    const left = await orders.all();
    for (const kept of left) this.enter(kept).stage = 'working';
    await runs.adopt(
      left.map(({ order: { plan } }) => ({
        run: plan.id,
        taskId: plan.taskId,
        fence: plan.fence,
        startedAt: plan.startedAt,
      })),
    );
    for (const { run, task } of this.attempts.values()) tell({ event: 'took', run, task, text: 'of an earlier life' });
  }

  private enter(kept: KeptOrder): AttemptAtWork {
    const { bytes, desk, masking } = this.parts;
    const { plan } = kept.order;
    const own = { run: plan.id, fence: plan.fence, sent: kept.sent };
    const attempt = new AttemptAtWork(kept, new RunSender({ ...own, bytes, desk, secrets: masking.values }));
    this.attempts.set(plan.id, attempt);
    return attempt;
  }

  private heard(): void {
    void this.attempted(this.take());
    void this.attempted(this.beat());
  }

  /** Waits for a step; its failure is told, and a later beat or look tries again. */
  private async attempted(step: Promise<unknown>): Promise<void> {
    await step.catch((error) => this.parts.tell({ event: 'kept', text: failureInWords(error) }));
  }

  /** Takes attempts for all free slots. Calls do not overlap. */
  private take(): Promise<void> {
    this.taking ??= this.takeSome().finally(() => {
      this.taking = undefined;
    });
    return this.taking;
  }

  private async takeSome(): Promise<void> {
    const { desk, card, gate } = this.parts;
    const free = card.slots - this.attempts.size;
    if (free <= 0 || this.draining !== undefined) return;
    await this.introduceAgain();
    const known = [...this.attempts.keys(), ...this.refusals.runs()];
    for (const handed of (await this.remote.tried(ASKING, () => desk.take(free, known))) ?? []) {
      try {
        await this.began(gate.opened(handed));
      } catch (error) {
        this.refusals.refuse(handed, error);
      }
    }
    await this.remote.tried(ASKING, () => this.refusals.tellAll());
  }

  /** Introduces the worker again if the agreed leaders have changed. */
  private async introduceAgain(): Promise<void> {
    if (this.draining !== undefined || !this.leaders.hasChanged()) return;
    await this.remote.tried(ASKING, () => this.parts.desk.registerWorker(this.leaders.introduced()));
  }

  private async began(order: AttemptOrder): Promise<void> {
    const { orders, tell } = this.parts;
    const { id: run, taskId: task } = order.plan;
    if (this.attempts.has(run)) return;
    const kept = { order, sent: NOTHING_SENT };
    await orders.keep(kept);
    const attempt = this.enter(kept);
    tell({ event: 'took', run, task, text: `attempt ${order.tree.attempt} at ${task}` });
    void this.begin(attempt);
  }

  /** Prepares and starts an attempt. Never throws: a failure becomes its outcome. */
  private async begin(attempt: AttemptAtWork): Promise<void> {
    const { runs, places, pace, tell } = this.parts;
    const { order } = attempt.kept;
    const { signal } = attempt.stop;
    const plan = { ...order.plan, tree: treeOfOrder(order) };
    const {
      command: _command,
      check: _check,
      environment: _environment,
      client: _client,
      sandboxed: _boxed,
      ...bare
    } = plan;
    try {
      await retryTransient(() => places.make(order, signal), { pace, isOver: () => this.hurried || signal.aborted });
      signal.throwIfAborted();
      await runs.prepare(plan);
      await runs.start(plan);
      tell({ event: 'started', run: attempt.run, task: attempt.task, text: plan.executor ?? 'shell' });
    } catch (error) {
      const reason = signal.aborted ? 'it was told to end before it began' : failureInWords(error);
      await runs.refuse(bare, reason).catch(() => undefined); // its facts report that, or nothing is known of the run
      tell({ event: 'refused', run: attempt.run, task: attempt.task, text: reason });
    }
    attempt.stage = 'working';
    this.look();
  }

  /** Sends output of runs, and starts handing over those that have ended. */
  private look(): void {
    void this.attempted(this.lookAtAll());
  }

  private async lookAtAll(): Promise<void> {
    const facts = await this.facts();
    for (const attempt of this.attempts.values()) {
      if (attempt.stage !== 'working') continue;
      const fact = facts.get(attempt.run) ?? attempt.unbegun('nothing of it is left here');
      if (fact.alive) {
        if (!attempt.lost) void this.attempted(this.send(attempt));
      } else {
        attempt.stage = 'handing-over';
        void this.attempted(this.handOver(attempt, fact));
      }
    }
  }

  private async send(attempt: AttemptAtWork): Promise<void> {
    const { orders } = this.parts;
    const any = await this.remote.tried(SENDING, () => attempt.sender.send({ end: false }));
    if (any && this.attempts.has(attempt.run)) await orders.keep({ ...attempt.kept, sent: attempt.sender.sent });
  }

  private async handOver(attempt: AttemptAtWork, fact: RunFact): Promise<void> {
    const listed = (await this.parts.runs.listed()).find(({ id }) => id === attempt.run) ?? attempt.row();
    await this.handing.handOver(attempt, { fact, listed: sharedFieldsOf(listed) });
    this.attempts.delete(attempt.run);
    if (this.attempts.size === 0) this.emptied();
    void this.attempted(this.draining === undefined ? this.take() : this.narrow());
  }

  /** Reports no free slots while draining, so that the leader does not plan with them. */
  private async narrow(): Promise<void> {
    const slots = this.attempts.size;
    if (slots > 0)
      await this.remote.tried(ASKING, () => this.parts.desk.registerWorker({ ...this.leaders.introduced(), slots }));
  }

  /**
   * Reports all attempts and carries out requests of the leader. Calls do not overlap; a call during one runs after it.
   */
  private beat(): Promise<void> {
    if (this.beating) this.beatAgain = true;
    this.beating ??= this.beatOnce().finally(() => {
      this.beating = undefined;
      if (this.beatAgain) {
        this.beatAgain = false;
        void this.attempted(this.parts.pace.wait(WORKER_LIMITS.beatLeastMs).then(() => this.beat()));
      }
    });
    return this.beating;
  }

  private async beatOnce(): Promise<void> {
    const { desk } = this.parts;
    await this.introduceAgain();
    const reports = await this.reports();
    const answer = await this.remote.tried(ASKING, async () => {
      try {
        return await desk.beat(reports);
      } catch (error) {
        if (!isRefusal(error, 'not_found')) throw error;
        await desk.registerWorker(this.leaders.introduced()); // it was removed from the list
        return await desk.beat(reports);
      }
    });
    if (answer === undefined) return;
    this.tellOfClock(answer);
    this.leaders.checkLeader(answer.leader);
    for (const run of answer.lost) await this.attempted(this.endReassigned(run));
    for (const wish of answer.wishes) await this.attempted(this.carryOut(wish));
    if (answer.asked !== 'work') void this.attempted(this.leaveAsked(answer.asked));
  }

  private async leaveAsked(asked: 'drain' | 'stop'): Promise<void> {
    if (asked === 'stop') await this.drain(0);
    else if (this.draining === undefined) await this.drain(WORKER_LIMITS.drainMs);
  }

  private async reports(): Promise<readonly AttemptReport[]> {
    const facts = await this.facts();
    const rows = new Map((await this.parts.runs.listed()).map((row) => [row.id, row]));
    const told = [...this.attempts.values()].filter(({ lost, telling }) => !lost && !telling);
    return this.parts.masking.masked(
      told.map((attempt) => attempt.report(facts.get(attempt.run), rows.get(attempt.run))),
      { shapes: true },
    );
  }

  private async facts(): Promise<ReadonlyMap<string, RunFact>> {
    return new Map((await this.parts.runs.facts()).map((fact) => [fact.id, fact]));
  }

  private tellOfClock({ now }: HeartbeatAnswer): void {
    const { ownClock, tell } = this.parts;
    const off = ownClock.now() - now;
    if (this.toldOfClock || Math.abs(off) <= WORKER_LIMITS.clockOffMs) return;
    this.toldOfClock = true;
    const seconds = Math.round(Math.abs(off) / 1_000);
    tell({
      event: 'clock',
      text: `the clock of this machine is ${seconds} s ${off > 0 ? 'ahead of' : 'behind'} that of the database, which counts`,
    });
  }

  /** Ends the run of an attempt that was given to another worker, and keeps its work aside. */
  private async endReassigned(run: string): Promise<void> {
    const attempt = this.attempts.get(run);
    if (attempt === undefined || attempt.lost || attempt.telling) return;
    attempt.lost = true;
    this.parts.tell({
      event: 'lost',
      run,
      task: attempt.task,
      text: 'it was given to somebody else, and is ended here',
    });
    await this.end(attempt, 'lost');
  }

  private async carryOut(wish: RunInstruction): Promise<void> {
    const { run, fence, end } = wish;
    const attempt = this.attempts.get(run);
    if (attempt === undefined || attempt.fence !== fence || attempt.lost) return;
    const limit = this.limitOf(attempt, wish);
    if (limit !== undefined) await this.parts.runs.allow(run, limit);
    if (end !== undefined) await this.end(attempt, end);
  }

  /** The new limit of a run; undefined if there is none or it is not valid. */
  private limitOf(attempt: AttemptAtWork, wish: RunInstruction): SpendLimit | undefined {
    const { gate, tell } = this.parts;
    try {
      return gate.limit(wish);
    } catch (error) {
      if (!attempt.limitRefused)
        tell({ event: 'refused', run: wish.run, task: attempt.task, text: failureInWords(error) });
      attempt.limitRefused = true;
      return undefined;
    }
  }

  private async end(attempt: AttemptAtWork, why: EndReason): Promise<void> {
    if (attempt.stage === 'making') attempt.stop.abort();
    else await this.parts.runs.end(attempt.run, why);
  }

  private untilEmpty(): Promise<void> {
    if (this.attempts.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.emptied = resolve;
    });
  }
}
