import { systemClock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type {
  AttemptEnd,
  AttemptOrder,
  AttemptReport,
  AttemptWish,
  BeatAnswer,
  RunPiece,
  WorkerCard,
  WorkerDesk,
} from '#ports/worker-desk.js';

/** The desk of one worker, with what a leader does at the other side of it. */
export class MemoryDesk implements WorkerDesk {
  readonly clock = systemClock;
  readonly ends: AttemptEnd[] = [];
  readonly lines: { readonly run: string; readonly fence: number; readonly line: string }[] = [];
  card: WorkerCard | undefined;
  reports: readonly AttemptReport[] = [];
  /** Nobody answers. */
  isAway = false;
  asked: BeatAnswer['asked'] = 'work';
  /** How the leader answers a line of a run. */
  answer: (line: string) => string = () => '{"ok":true}';
  private offered: AttemptOrder[] = [];
  private readonly running = new Map<string, AttemptOrder>();
  private wishes: AttemptWish[] = [];
  private readonly kept = new Map<string, Buffer>();
  private listener: () => void = () => undefined;

  offer(order: AttemptOrder): void {
    this.offered.push(order);
    this.listener();
  }

  wish(wish: AttemptWish): void {
    this.wishes.push(wish);
    this.listener();
  }

  /** Gives a run to nobody: its worker finds that it is lost. */
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

  async arrive(card: WorkerCard): Promise<void> {
    this.refuseAway();
    this.card = card;
  }

  async take(most: number): Promise<readonly AttemptOrder[]> {
    this.refuseAway();
    const taken = this.offered.splice(0, most);
    for (const order of taken) this.running.set(order.plan.id, order);
    return taken;
  }

  async beat(reports: readonly AttemptReport[]): Promise<BeatAnswer> {
    this.refuseAway();
    this.reports = reports;
    const told = reports.map(({ fact }) => fact.id);
    const lost = told.filter((run) => !this.running.has(run));
    return { wishes: this.wishes, lost, asked: this.asked, now: this.clock.now() };
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

  onNews(listener: () => void): () => void {
    this.listener = listener;
    return () => {
      this.listener = () => undefined;
    };
  }

  async leave(): Promise<void> {
    this.refuseAway();
    this.card = undefined;
    this.running.clear();
  }

  private refuseAway(): void {
    if (this.isAway) throw new TroupeError('database_away');
  }
}
