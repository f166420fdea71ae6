import type { SpendLimit } from '#core/coordinator/budget.js';
import type { EndReason, RunFact } from '#core/coordinator/snapshot.js';
import type { WorkerRoom } from '#core/coordinator/vacancies.js';
import type { SilentWorker, WorkerProblem } from '#core/coordinator/worker-facts.js';
import { runNumber } from '#core/graph/run-name.js';
import type { Clock } from '#kernel/clock.js';
import { assert } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { isUnreachable } from '#kernel/out-of-reach.js';
import type { AttemptTrees } from '#ports/attempt-trees.js';
import type { LeaderSeal, SealedText } from '#ports/leader-seal.js';
import type { ListedRun, RunClaim, RunHost, RunPlan } from '#ports/run-host.js';
import type { AttemptEnd, AttemptOrder, SealedLimit } from '#ports/worker-gateway.js';
import type { AssignedTree, Workers } from '#ports/workers.js';
import type {
  AttemptBoard,
  AttemptCard,
  AttemptTerms,
  BoardLook,
  BoardMark,
  NewAttempt,
  PostedAttempt,
} from './attempt-board.js';
import { listedAttempt } from './attempt-facts.js';
import { AttemptPicture } from './attempt-picture.js';

/** Delay to combine the notifications of one tick. */
const TELL_AFTER_MS = 1;

export const USUAL_ATTEMPT_TERMS: AttemptTerms = {
  untakenMs: DATABASE_LIMITS.untakenMs,
  leaseMs: DATABASE_LIMITS.workerLeaseMs,
};

interface HandedOutRunsParts {
  /** Closed together with this object. */
  readonly board: AttemptBoard;
  /** Clock of the store. */
  readonly clock: Clock;
  trees(): Promise<Pick<AttemptTrees, 'placeOf'>>;
  readonly terms: AttemptTerms;
  /** Seal of this machine: workers carry out orders that it signed. */
  readonly seal: LeaderSeal;
}

/** Order to be signed. */
interface PlannedAttempt {
  readonly attempt: NewAttempt;
  readonly order: AttemptOrder;
}

interface Offer {
  readonly attempt: NewAttempt;
  readonly order: SealedText;
}

/**
 * Runs carried out by workers on other machines: newly handed out and earlier ones from the board. The board stores
 * everything a leader needs, so that the next one can continue.
 */
export class HandedOutRuns implements RunHost, Workers {
  private readonly parts: HandedOutRunsParts;
  private readonly picture = new AttemptPicture();
  /** Worktrees of runs, from handing out until the offer. */
  private readonly handed = new Map<string, AssignedTree>();
  /** Orders, from preparation until the offer. */
  private readonly orders = new Map<string, PlannedAttempt>();
  /** Changes not yet written because the database was unreachable, by run or label. Each look retries them first. */
  private readonly deferredWrites = new Map<string, () => Promise<void>>();
  /** Number of our latest change to each run; a look that began before is outdated for it. */
  private readonly touched = new Map<string, number>();
  private changes = 0;
  /** Cursor of the last look; undefined to read everything. */
  private mark: BoardMark | undefined;
  /** Runs that the last look read too early; the next one queries them again. */
  private asksAgain: readonly string[] = [];
  /** Runs whose outcome is committed: they yield no more facts, even while the board cannot be updated. */
  private readonly settled = new Set<string>();
  private prunedAt = 0;
  private looking: Promise<void> | undefined;
  private looksAgain = false;
  private listener: () => void = () => undefined;
  private stopNews: (() => void) | undefined;
  private telling: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(parts: HandedOutRunsParts) {
    this.parts = parts;
  }

  onChange(listener: () => void): void {
    this.listener = listener;
  }

  assignRun(run: string, tree: AssignedTree): void {
    this.handed.set(run, tree);
  }

  async rooms(): Promise<readonly WorkerRoom[]> {
    return this.picture.vacant();
  }

  async silent(): Promise<readonly SilentWorker[]> {
    return this.picture.silent();
  }

  async workerProblems(): Promise<readonly WorkerProblem[]> {
    return this.picture.worries();
  }

  async prepare(plan: RunPlan): Promise<void> {
    if (plan.executor === undefined) return;
    const planned = await this.planned(plan);
    await this.parts.board.keep(planned.attempt);
    this.orders.set(plan.id, planned);
  }

  async discard(run: string): Promise<void> {
    this.orders.delete(run);
    this.handed.delete(run);
    await this.parts.board.discard(run);
    this.touch(run); // a look does not report deleted rows
  }

  async start(plan: RunPlan): Promise<void> {
    const kept = this.orders.get(plan.id) ?? (await this.planned(plan));
    this.orders.delete(plan.id);
    const { startedAt } = plan;
    const attempt: NewAttempt = { ...kept.attempt, card: { ...kept.attempt.card, startedAt } };
    const order: AttemptOrder = { ...kept.order, plan: { ...kept.order.plan, startedAt } };
    const offer = { attempt, order: this.parts.seal.seal('order', JSON.stringify(order)) };
    this.touch(plan.id, offered(attempt));
    try {
      if (!(await this.writeOrDefer(plan.id, () => this.post(offer)))) this.touch(plan.id, offered(attempt));
    } catch (error) {
      this.touch(plan.id);
      throw error; // still handed out, so it is refused on the board
    }
    this.handed.delete(plan.id);
    this.follow();
  }

  async refuse(
    { id, taskId, fence, startedAt, timeoutMs, executor }: Parameters<RunHost['refuse']>[0],
    reason: string,
  ): Promise<void> {
    const card = { run: id, taskId, fence, startedAt, timeoutMs, ...(executor === undefined ? {} : { executor }) };
    this.orders.delete(id);
    this.handed.delete(id);
    this.deferredWrites.delete(id);
    const refused = { card, labels: [], state: 'ended' as const, outcome: 'refused' as const, reason };
    this.touch(id, refused);
    await this.parts.board.refuse(card, reason);
    this.touch(id, this.picture.get(id) ?? refused);
    this.look(); // a worker may have taken it before
    this.listener();
  }

  /** Adopts attempts of earlier leaders from the board. Claims of other runs belong to other hosts (see `has`). */
  async adopt(claims: readonly RunClaim[]): Promise<number> {
    const { board, seal } = this.parts;
    await board.introduce(seal.card);
    this.follow();
    await this.looked();
    for (const run of await board.completed()) await this.forget(run);
    const claimed = new Set(claims.map(({ run }) => run));
    for (const run of this.picture.runs())
      if (this.picture.get(run)?.state === 'prepared' && !this.orders.has(run))
        if (claimed.has(run)) await this.withdraw(run, 'lost');
        else await this.discard(run);
    await this.looked();
    return this.picture.runs().reduce((highest, run) => Math.max(highest, runNumber(run)), 0);
  }

  /** Whether this host has a run: handed out, or on the board and not settled. */
  has(run: string): boolean {
    return this.handed.has(run) || this.picture.has(run);
  }

  async facts(): Promise<readonly RunFact[]> {
    const facts = this.picture.facts();
    return this.settled.size === 0 ? facts : facts.filter(({ id }) => !this.settled.has(id));
  }

  async fact(run: string): Promise<RunFact | undefined> {
    return this.settled.has(run) ? undefined : this.picture.fact(run);
  }

  async listed(): Promise<readonly ListedRun[]> {
    return this.picture.begun().map(listedAttempt);
  }

  endOf(run: string): AttemptEnd | undefined {
    return this.picture.get(run)?.end;
  }

  async allow(run: string, limit: SpendLimit): Promise<void> {
    const attempt = this.picture.get(run);
    if (attempt === undefined) return;
    const allowed: SealedLimit = { run, fence: attempt.card.fence, limit };
    const sealed = this.parts.seal.seal('limit', JSON.stringify(allowed));
    await this.writeOrDefer(`limit of ${run}`, async () => {
      await this.parts.board.allow(run, sealed);
      this.tellSoon();
    });
  }

  async end(run: string, why: EndReason): Promise<void> {
    const attempt = this.picture.get(run);
    if (attempt === undefined || attempt.state === 'ended' || attempt.wishedEnd !== undefined) return;
    await this.withdraw(run, why);
    this.tellSoon();
    this.listener();
  }

  async beat(run: string, fence: number): Promise<number | undefined> {
    const attempt = this.picture.get(run);
    if (attempt?.state !== 'running' || attempt.card.fence !== fence) return undefined;
    return this.parts.clock.now() + DATABASE_LIMITS.workerLeaseMs;
  }

  async forget(run: string): Promise<void> {
    this.settled.add(run);
    await this.parts.board.forget(run);
    this.settled.delete(run);
    this.touch(run);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.stopNews?.();
    clearTimeout(this.telling);
    await this.looking?.catch(() => undefined); // another process leads, or the database is unreachable
    await this.parts.board.close();
  }

  /** Writes a change now, or with the next look if the database is unreachable; then it returns false. */
  private async writeOrDefer(about: string, tell: () => Promise<void>): Promise<boolean> {
    try {
      await tell();
      this.deferredWrites.delete(about); // an earlier change of the same kind
      return true;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      this.deferredWrites.set(about, tell);
      return false;
    }
  }

  private async post({ attempt, order }: Offer): Promise<void> {
    const { run } = attempt.card;
    await this.parts.board.offer(attempt, order);
    this.touch(run, this.picture.get(run) ?? offered(attempt)); // a concurrent look may have missed it
    this.tellSoon();
  }

  private async withdraw(run: string, why: EndReason): Promise<void> {
    const found = await this.parts.board.end(run, why);
    const wasOwed = this.deferredWrites.delete(run);
    const state = found ?? (wasOwed ? 'ended' : undefined);
    const attempt = this.picture.get(run);
    if (attempt === undefined || state === undefined) return this.look();
    const withdrawn = state === 'ended' ? { outcome: 'withdrawn' as const } : {};
    this.touch(run, { ...attempt, ...withdrawn, state, wishedEnd: why });
  }

  private async planned(plan: RunPlan): Promise<PlannedAttempt> {
    const handed = this.handed.get(plan.id);
    assert(handed, 'a run is handed before it is prepared or started');
    const { labels, tree, setsUp } = handed;
    const { branch, folder } = await (await this.parts.trees()).placeOf(tree);
    return { attempt: { card: cardOf(plan, branch, folder), labels }, order: { plan, tree, setsUp } };
  }

  /** Records a change of ours; no attempt means it is gone. */
  private touch(run: string, attempt?: PostedAttempt): void {
    this.touched.set(run, ++this.changes);
    if (attempt === undefined) this.picture.delete(run);
    else this.picture.set(run, attempt);
  }

  private follow(): void {
    if (!this.closed) this.stopNews ??= this.parts.board.onNews(() => this.look());
  }

  private look(): void {
    this.looked().catch(() => undefined); // database unreachable: the next look retries; another leader: there is none
  }

  /** Looks at the board, after any look in progress. */
  private async looked(): Promise<void> {
    if (this.closed) return;
    if (this.looking !== undefined) {
      this.looksAgain = true;
      return await this.looking;
    }
    this.looking = (async () => {
      try {
        do {
          this.looksAgain = false;
          await this.lookOnce();
        } while (this.looksAgain && !this.closed);
      } finally {
        this.looking = undefined;
      }
    })();
    await this.looking;
  }

  private async lookOnce(): Promise<void> {
    const { board, terms } = this.parts;
    for (const run of [...this.settled]) await this.forget(run);
    for (const [about, tell] of [...this.deferredWrites]) {
      await tell();
      if (this.deferredWrites.get(about) === tell) this.deferredWrites.delete(about);
    }
    const began = this.changes;
    const now = this.parts.clock.now();
    if (now - this.prunedAt > DATABASE_LIMITS.attemptsPruneMs) {
      this.prunedAt = now;
      await board.prune();
      this.mark = undefined;
    }
    const question = { since: this.mark, runs: this.asksAgain };
    let look = await board.look(question, terms);
    let isOther = this.takeIn(look, began);
    if (look.overdue && !this.closed) {
      await board.expire(terms);
      look = await board.look({ since: this.mark, runs: this.asksAgain }, terms);
      isOther = this.takeIn(look, began) || isOther;
    }
    for (const [run, at] of this.touched) if (at <= began) this.touched.delete(run);
    if (isOther) this.listener();
  }

  /** Applies a look, except to runs that we changed since it began. Returns whether anything changed. */
  private takeIn({ whole, attempts, workers, mark }: BoardLook, began: number): boolean {
    const { picture } = this;
    const isOurs = (run: string) => (this.touched.get(run) ?? 0) > began;
    const again: string[] = [];
    let isOther = false;
    if (whole) {
      const runs = new Set(attempts.map(({ card }) => card.run));
      for (const run of picture.runs()) if (!runs.has(run) && !isOurs(run)) isOther = picture.delete(run) || isOther;
      isOther = picture.keepWorkers(new Set(workers.map(({ name }) => name))) || isOther;
    }
    for (const attempt of attempts) {
      const { run } = attempt.card;
      if (isOurs(run)) again.push(run);
      else isOther = picture.set(run, attempt) || isOther;
    }
    for (const worker of workers) isOther = picture.setWorker(worker) || isOther;
    this.mark = mark;
    this.asksAgain = again;
    this.looksAgain ||= again.length > 0;
    return isOther;
  }

  private tellSoon(): void {
    this.telling ??= setTimeout(() => {
      this.telling = undefined;
      if (!this.closed) this.parts.board.tellWorkers().catch(() => undefined); // workers also poll
    }, TELL_AFTER_MS);
  }
}

function offered(attempt: NewAttempt): PostedAttempt {
  return { ...attempt, state: 'offered' };
}

function cardOf(plan: RunPlan, branch: string, folder: string): AttemptCard {
  const { id, taskId, fence, startedAt, timeoutMs, executor, client } = plan;
  return {
    run: id,
    taskId,
    fence,
    startedAt,
    timeoutMs,
    branch,
    folder,
    ...(executor === undefined ? {} : { executor }),
    ...(client?.request.model === undefined ? {} : { model: client.request.model }),
    ...(client?.silentEnd === 'ask' ? { silentEnd: 'ask' as const } : {}),
    ...(client === undefined || client.mail === 'none' ? {} : { mail: client.mail }),
  };
}
