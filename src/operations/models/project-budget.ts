import { Ledger } from '#core/coordinator/budget.js';
import {
  type Allowance,
  type CallEnd,
  callEndEvent,
  callEvent,
  isBounded,
  modelReservation,
} from '#core/coordinator/budget-book.js';
import type { Settings } from '#core/settings/schema.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { Books } from './books.js';
import type { AboutToAsk, ModelBudget } from './model-budget.js';

/** What the settings allow, and what somebody said beside them for as long as this process works. */
export function allowanceOf(
  budget: Settings['budget'],
  said: { readonly budgetUsd?: number; readonly budgetTokens?: number } = {},
): Allowance {
  return {
    caps: {
      ...(budget.usd_per_day === undefined ? {} : { usdPerDay: budget.usd_per_day }),
      ...(budget.usd_total === undefined ? {} : { usdTotal: budget.usd_total }),
      ...(budget.usd_per_task === undefined ? {} : { usdPerTask: budget.usd_per_task }),
      ...(budget.tokens_per_day === undefined ? {} : { tokensPerDay: budget.tokens_per_day }),
    },
    reserve: { usd: budget.reserve_usd, tokens: budget.reserve_tokens },
    ...(said.budgetUsd === undefined ? {} : { moreUsd: said.budgetUsd }),
    ...(said.budgetTokens === undefined ? {} : { moreTokens: said.budgetTokens }),
  };
}

/**
 * Questions to models in the ledger of a project: a reservation is an event of the log, and so is its end. One whose process was
 * killed ends by its time, and counts as spent: nobody knows better.
 */
export class ProjectBudget implements ModelBudget {
  private readonly parts: {
    readonly books: Books;
    readonly clock: Clock;
    readonly actor: string;
    allowance(): Promise<Allowance>;
    freshId(): string;
  };

  constructor(parts: ProjectBudget['parts']) {
    this.parts = parts;
  }

  async reserve({ purpose, model, task, promptBytes, timeMs }: AboutToAsk): Promise<string | undefined> {
    const { books, clock, actor, freshId } = this.parts;
    const allowance = await this.parts.allowance();
    if (!isBounded(allowance)) return undefined;
    const id = freshId();
    try {
      await books.open();
      await books.commit((_view, book) => {
        const now = clock.now();
        const reserve = modelReservation(promptBytes);
        const refusal = book && new Ledger(book.budget(allowance, now)).refusalOf(reserve, task);
        if (refusal !== undefined)
          throw new TroupeError('budget_spent', {
            what: `The question was not asked: ${refusal}.`,
            details: { purpose },
          });
        const until = now + timeMs + LIMITS.modelReservationGraceMs;
        return { events: [callEvent({ id, purpose, model, task, reserve, until }, actor)], result: undefined };
      });
      return id;
    } catch (error) {
      if (error instanceof TroupeError && error.code === 'not_initialized') return undefined; // no graph, no ledger
      throw error;
    }
  }

  async settle(id: string, end: CallEnd): Promise<void> {
    await this.parts.books.commit(() => ({ events: [callEndEvent(id, end, this.parts.actor)], result: undefined }));
  }
}
