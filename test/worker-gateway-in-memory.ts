import type { SpendLimit } from '#core/coordinator/budget.js';
import { systemClock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { PublishedLeader, SealedText } from '#ports/leader-seal.js';
import type {
  AttemptEnd,
  AttemptOrder,
  AttemptReport,
  HeartbeatAnswer,
  RunInstruction,
  RunPiece,
  SignedOrder,
  WorkerCard,
  WorkerGateway,
} from '#ports/worker-gateway.js';
import { sealFor } from './seal.js';

/** Project name of these gateways. */
export const MEMORY_PROJECT = 'shop';

/** Gateway of one worker, including the leader's side of it. */
export class MemoryGateway implements WorkerGateway {
  readonly clock = systemClock;
  readonly ends: AttemptEnd[] = [];
  readonly lines: { readonly run: string; readonly fence: number; readonly line: string }[] = [];
  card: WorkerCard | undefined;
  reports: readonly AttemptReport[] = [];
  /** Whether requests fail as if the database were away. */
  isAway = false;
  asked: HeartbeatAnswer['asked'] = 'work';
  /** The leader's reply to a line of a run. */
  answer: (line: string) => string = () => '{"ok":true}';
  /** Seal of the leader, which signs the offers. */
  seal = sealFor(MEMORY_PROJECT);
  private offered: SignedOrder[] = [];
  private readonly running = new Map<string, SignedOrder>();
  private wishes: RunInstruction[] = [];
  private readonly kept = new Map<string, Buffer>();
  private listener: () => void = () => undefined;

  offer(order: AttemptOrder): void {
    const { id: run, taskId: task, fence } = order.plan;
    this.hand({ run, task, fence, order: this.seal.seal('order', JSON.stringify(order)) });
  }

  /** Offers an order, regardless of its signer. */
  hand(order: SignedOrder): void {
    this.offered.push(order);
    this.listener();
  }

  /** Spend limit of a run, signed by the leader. */
  limited(run: string, fence: number, limit: SpendLimit): SealedText {
    return this.seal.seal('limit', JSON.stringify({ run, fence, limit }));
  }

  wish(wish: RunInstruction): void {
    this.wishes.push(wish);
    this.listener();
  }

  /** Takes a run away: its worker finds that it is lost. */
  takeAway(run: string): void {
    this.running.delete(run);
    this.listener();
  }

  tell(): void {
    this.listener();
  }

  textOf(run: string, of: RunPiece['of']): string {
    return this.kept.get(`${run} ${of}`)?.toString('utf8') ?? '';
  }

  async leaders(): Promise<readonly PublishedLeader[]> {
    return [{ ...this.seal.card, leads: true }];
  }

  async registerWorker(card: WorkerCard): Promise<void> {
    this.refuseAway();
    this.card = card;
  }

  /** Returns the offered orders unchecked, as tables could be written by anyone: the worker checks the signature. */
  async take(most: number, known: readonly string[]): Promise<readonly SignedOrder[]> {
    this.refuseAway();
    for (const order of this.offered.splice(0, most)) this.running.set(order.run, order);
    return [...this.running.values()].filter(({ run }) => !known.includes(run));
  }

  async beat(reports: readonly AttemptReport[]): Promise<HeartbeatAnswer> {
    this.refuseAway();
    this.reports = reports;
    const told = reports.map(({ fact }) => fact.id);
    const lost = told.filter((run) => !this.running.has(run));
    return { wishes: this.wishes, lost, asked: this.asked, leader: this.seal.card, now: this.clock.now() };
  }

  async append(run: string, _fence: number, { of, from, bytes }: RunPiece): Promise<boolean> {
    this.refuseAway();
    const before = this.kept.get(`${run} ${of}`) ?? Buffer.alloc(0);
    if (from > before.length) throw new Error(`${of} of ${run} has a gap`);
    this.kept.set(`${run} ${of}`, Buffer.concat([before, bytes.subarray(before.length - from)]));
    return true;
  }

  async end(end: AttemptEnd): Promise<'taken' | 'refused'> {
    this.refuseAway();
    if (!this.running.delete(end.fact.id)) return 'refused';
    this.ends.push(end);
    this.wishes = this.wishes.filter(({ run }) => run !== end.fact.id);
    return 'taken';
  }

  async ask(run: string, fence: number, line: string): Promise<string> {
    this.refuseAway();
    this.lines.push({ run, fence, line });
    return this.answer(line);
  }

  onWorkAvailable(listener: () => void): () => void {
    this.listener = listener;
    return () => {
      this.listener = () => undefined;
    };
  }

  async unregisterWorker(): Promise<void> {
    this.refuseAway();
    this.card = undefined;
    this.running.clear();
  }

  private refuseAway(): void {
    if (this.isAway) throw new TroupeError('database_away');
  }
}
