import type { AgencyFacts } from '#core/coordinator/agency-facts.js';
import type { BackOff } from '#core/coordinator/breakers.js';
import { type BudgetBook, isBounded } from '#core/coordinator/budget-book.js';
import type { ClientHold } from '#core/coordinator/client-hold.js';
import { isComplete } from '#core/coordinator/complete.js';
import type { CoordinatorSnapshot } from '#core/coordinator/parts.js';
import { PREPARE } from '#core/coordinator/preparing.js';
import type { Session } from '#core/coordinator/sessions.js';
import type { Budget } from '#core/coordinator/snapshot.js';
import { USUAL_TERMS } from '#core/coordinator/snapshot.js';
import { TRIAGE } from '#core/coordinator/triage.js';
import { awaitedOutside, type FileFacts } from '#core/graph/wait.js';
import type { Books } from '#operations/models/books.js';
import type { ClientFacts } from './clients.js';
import type { Errands } from './errands.js';
import type { RoundOptions } from './round-options.js';

type Gathered = Omit<CoordinatorSnapshot, 'view' | 'nextRun'>;

/** What rounds know beside the graph: asked anew for each, and kept for those who ask how things stand. */
export class Surroundings {
  /** How many runs at once, from the next round on. */
  maxAgents: number;
  backOff: BackOff | undefined;
  /** The session that had the last slot. */
  lastSession: number | undefined;
  /** What the coordinator commits goes through them: money that is set aside is held at once. */
  readonly books: Books;
  private readonly holds = new Map<string, ClientHold>();
  private readonly proven = new Set<string>();
  private readonly options: RoundOptions;
  private readonly errands: Errands;
  private sessions: readonly Session[] = [];
  private book: BudgetBook | undefined;
  private known: ClientFacts | undefined;
  private completed: boolean | undefined;
  private agency: AgencyFacts | undefined;

  constructor(options: RoundOptions, errands: Errands) {
    this.options = options;
    this.errands = errands;
    this.maxAgents = options.maxAgents;
    this.backOff = options.kept.backOff;
    this.books = options.books;
    for (const hold of options.kept.holds) this.holds.set(hold.client, hold);
  }

  /** What is known beside the graph, for those who ask how things stand. */
  standing() {
    const { budget } = this.spending();
    return {
      ...(this.known?.executor === undefined ? {} : { executor: this.known.executor }),
      ...(this.known?.missing === undefined ? {} : { missing: this.known.missing }),
      ...(this.backOff ? { backOffUntil: this.backOff.until } : {}),
      ...(budget === undefined ? {} : { budget }),
      ...(this.sessions.length === 0 ? {} : { sessions: this.sessions }),
      ...(this.agency ? { agency: this.agency } : {}),
      holds: [...this.holds.values()],
      triaged: this.triaged(),
      unprepared: this.unprepared(),
      notBegun: this.options.triggers.refusals(),
    };
  }

  /** Everything a tick may look at but the graph. `look`: at the files that tasks wait for, too. */
  async gather(paused: boolean, look = true): Promise<Gathered> {
    const { runs, clients, people, terms, store, trust } = this.options;
    trust.look();
    this.known = await clients.facts();
    const agency = await this.options.agency();
    this.agency = agency;
    if (isBounded(this.known.allowance)) this.book ??= await this.books.open();
    const known = await this.options.sessions.read(await store.view());
    this.sessions = known.sessions;
    const named = known.sessions.flatMap(({ executor }) => (executor === null ? [] : [executor]));
    return {
      ...known,
      lastSession: this.lastSession,
      executors: named.length > 0 ? await clients.usableAmong(named) : new Set<string>(),
      runs: runs.facts(),
      trust,
      maxAgents: this.maxAgents,
      paused,
      providers: this.providers(),
      files: look ? await this.awaitedFiles() : new Map(),
      backOff: this.backOff,
      executor: this.known.executor,
      ...this.spending(),
      agency,
      errands: this.errands.facts(),
      compaction: this.known.compaction,
      people: await people.facts(await store.view()),
      autoTriage: this.known.autoTriage,
      finishes: true,
      placing: true,
      prepares: true,
      triggers: await this.options.triggers.facts(),
      ...(await this.told()),
      terms: { ...USUAL_TERMS, ...this.known.terms, ...terms },
    };
  }

  /** A client is held, or without a hold started again. */
  hold(client: string, hold: ClientHold | undefined): void {
    if (hold) this.holds.set(client, hold);
    else this.holds.delete(client);
    this.options.kept.saveHolds([...this.holds.values()]);
  }

  /** Something is another than before: what was refused may be accepted now, and what worked may not work any more. */
  forgetProviders(): void {
    this.proven.clear();
    this.holds.clear();
    this.options.kept.saveHolds([]);
  }

  /** It is news when all is over: once. */
  saidComplete(): void {
    this.completed = true;
  }

  /** By task: why no run of it could be prepared. */
  unprepared(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const { about, answer } of PREPARE.answers(this.errands.facts()))
      if (answer.of === 'unprepared') found.set(about, answer.text);
    return found;
  }

  private providers(): CoordinatorSnapshot['providers'] {
    for (const { executor, progressAt, result } of this.options.runs.facts()) {
      const works = progressAt !== undefined || (result !== undefined && result.trouble === undefined);
      if (executor !== undefined && works) this.proven.add(executor);
    }
    return { holds: new Map(this.holds), proven: new Set(this.proven) };
  }

  private triaged(): ReadonlySet<string> {
    const { underWay } = this.errands.facts();
    return new Set(this.options.runs.facts().flatMap(({ id }) => (underWay.has(TRIAGE.key(id)) ? [id] : [])));
  }

  /** As it is at this very moment: questions to models take their part between two looks. */
  spending(): { budget: Budget | undefined } {
    if (!this.book || !this.known) return { budget: undefined };
    return { budget: this.book.budget(this.known.allowance, this.options.clock.now()) };
  }

  private async awaitedFiles(): Promise<FileFacts> {
    const { store, files } = this.options;
    const view = await store.view();
    if (view.count('waiting') === 0) return new Map();
    return await files(awaitedOutside(view).paths);
  }

  /** What was written to tasks, and whether it is news that all is over. A broken teams.db is no reason to run nothing. */
  private async told(): Promise<Pick<CoordinatorSnapshot, 'unread' | 'completed'>> {
    const view = await this.options.store.view();
    const complete = isComplete(view);
    // What was over before we came was said before.
    if (this.completed === undefined || !complete) this.completed = complete;
    const unread = view.count('done') === 0 ? [] : await this.options.recovery.unread().catch(() => []);
    return { completed: this.completed, unread };
  }
}
