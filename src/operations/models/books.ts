import { BudgetBook } from '#core/coordinator/budget-book.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { Commit, GraphStore } from '#ports/graph-store.js';

/**
 * The ledger of a project, read from its log when somebody first asks for it. Whatever is set aside is decided on it and held in
 * it at once, so that two who race never take the same money. `alone`: nobody else writes this graph, so what is committed
 * through here is all that the ledger has to know.
 */
export class Books {
  private readonly store: () => Promise<GraphStore>;
  private readonly alone: boolean;
  private opening: Promise<BudgetBook> | undefined;
  private readonly flying = new Set<Promise<unknown>>();
  private read = 0;

  constructor(parts: { store: () => Promise<GraphStore>; alone: boolean }) {
    this.store = parts.store;
    this.alone = parts.alone;
  }

  /** The ledger as it is now; it goes on with each commit that is made through here. */
  open(): Promise<BudgetBook> {
    this.opening ??= this.begin();
    return this.opening;
  }

  /** A commit that may set money aside, or settle it. `decide` sees the ledger where there is one. */
  async commit<Result>(decide: (view: GraphView, book?: BudgetBook) => Plan<Result>): Promise<Commit<Result>> {
    const { opening } = this;
    if (opening) return await this.onBook(await opening, decide);
    const commit = this.store().then((store) => store.commit(decide));
    this.flying.add(commit);
    try {
      return await commit;
    } finally {
      this.flying.delete(commit);
    }
  }

  private async onBook<Result>(
    book: BudgetBook,
    decide: (view: GraphView, book: BudgetBook) => Plan<Result>,
  ): Promise<Commit<Result>> {
    const store = await this.store();
    for (let tries = 1; ; tries++) {
      if (!this.alone) await this.catchUp(store, book);
      let reservations: readonly EventDraft[] = [];
      const release = () => {
        for (const event of reservations) book.release(event);
        reservations = [];
      };
      try {
        const commit = await store.commit((view) => {
          release(); // decided before, and asked again because somebody else was faster
          if (!this.alone && view.seq !== this.read) throw new Behind();
          const plan = decide(view, book);
          for (const event of plan.events) book.hold(event);
          reservations = plan.events;
          return plan;
        });
        for (const entry of commit.entries) book.add(entry);
        this.read = commit.seq;
        return commit;
      } catch (error) {
        release();
        if (!(error instanceof Behind)) throw error;
        if (tries >= LIMITS.budgetTries)
          throw new TroupeError('locked', {
            what: 'The graph keeps changing: the budget cannot be checked.',
          });
      }
    }
  }

  /** What is on its way to the log is waited for; what comes later waits for us. */
  private async begin(): Promise<BudgetBook> {
    await Promise.allSettled(this.flying);
    const book = new BudgetBook();
    await this.catchUp(await this.store(), book);
    book.open();
    return book;
  }

  private async catchUp(store: GraphStore, book: BudgetBook): Promise<void> {
    // What a hand changed is written down first, or the next decision would see another number.
    if (!this.alone) await store.commit(() => ({ events: [], result: undefined }));
    for await (const entry of store.entries(this.read + 1)) {
      book.add(entry);
      this.read = entry.seq;
    }
  }
}

/** The ledger as the log has it, for who only looks. */
export async function bookIn(store: GraphStore): Promise<BudgetBook> {
  const book = new BudgetBook();
  for await (const entry of store.entries(1)) book.add(entry);
  return book;
}

/** Somebody else wrote between our look at the log and our decision. */
class Behind extends Error {}
