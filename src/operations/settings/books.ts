import { BudgetBook, type Spending } from '#core/coordinator/budget-book.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Commit, GraphStore } from '#ports/graph-store.js';

/**
 * Ledger of a project, read from its log on first use. Reservations are decided and recorded in it at once, so that
 * concurrent callers never reserve the same money. `alone`: no other process writes this graph, so commits made here
 * are all that the ledger must follow.
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

  /** The current ledger; it is updated with each commit made here. */
  open(): Promise<BudgetBook> {
    this.opening ??= this.begin();
    return this.opening;
  }

  /** A commit that may reserve or settle money. `decide` receives the ledger once it is open. */
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
          release(); // a retry after a concurrent commit: drop the previous reservation
          if (!this.alone && view.seq !== this.read) throw new LedgerOutdated();
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
        if (!(error instanceof LedgerOutdated)) throw error;
        if (tries >= WORK_LIMITS.budgetTries)
          throw new TroupeError('locked', {
            what: 'The graph keeps changing: the budget cannot be checked.',
          });
      }
    }
  }

  /** Opens the ledger after all commits in progress; later ones wait for it. */
  private async begin(): Promise<BudgetBook> {
    await Promise.allSettled(this.flying);
    const book = new BudgetBook();
    await this.catchUp(await this.store(), book);
    book.open();
    return book;
  }

  private async catchUp(store: GraphStore, book: BudgetBook): Promise<void> {
    // Hand edits are recorded first, otherwise they would change the sequence number before the next decision.
    if (!this.alone) await store.commit(() => ({ events: [], result: undefined }));
    for await (const entry of store.entries(this.read + 1)) {
      book.add(entry);
      this.read = entry.seq;
    }
  }
}

/** The ledger of a log, for readers. `onSpend` receives each amount in it. */
export async function bookIn(store: GraphStore, onSpend?: (spending: Spending) => void): Promise<BudgetBook> {
  const book = new BudgetBook(onSpend);
  for await (const entry of store.entries(1)) book.add(entry);
  return book;
}

/** Thrown when another process has written between reading the log and the decision. */
class LedgerOutdated extends Error {}
