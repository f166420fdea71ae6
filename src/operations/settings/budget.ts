import { Ledger } from '#core/coordinator/budget.js';
import {
  type Allowance,
  type CallEnd,
  callEndEvent,
  callEvent,
  isBounded,
  modelReservation,
} from '#core/coordinator/budget-book.js';
import type { AttemptUsage } from '#core/coordinator/snapshot.js';
import { NO_USAGE } from '#core/runs/event.js';
import { type PriceTable, priced, priceOf } from '#core/runs/prices.js';
import type { Settings } from '#core/settings/schema.js';
import type { Clock } from '#kernel/clock.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Model, ModelAnswer, ModelQuestion } from '#ports/model.js';
import type { Books } from './books.js';

/** A question about to be asked. */
export interface AboutToAsk {
  readonly purpose: string;
  readonly model: string;
  /** The task it is about. */
  readonly task?: string | undefined;
  readonly promptBytes: number;
  readonly timeMs: number;
}

/** Budget for models, consulted before each call. */
export interface ModelBudget {
  /**
   * Reserves the maximum cost of the question and returns the id of the reservation; undefined if there is no limit.
   * Errors: `budget_spent`.
   */
  reserve(question: AboutToAsk): Promise<string | undefined>;
  /** Settles a reservation with the actual usage, as far as known; `free` if nothing was spent. */
  settle(id: string, end: { readonly usage?: AttemptUsage | undefined } | { readonly free: true }): Promise<void>;
}

/** Limits from the settings, and overrides for the lifetime of this process. */
export function allowanceOf(
  budget: Settings['budget'],
  overrides: { readonly budgetUsd?: number; readonly budgetTokens?: number } = {},
): Allowance {
  return {
    caps: {
      ...(budget.usd_per_day === undefined ? {} : { usdPerDay: budget.usd_per_day }),
      ...(budget.usd_total === undefined ? {} : { usdTotal: budget.usd_total }),
      ...(budget.usd_per_task === undefined ? {} : { usdPerTask: budget.usd_per_task }),
      ...(budget.tokens_per_day === undefined ? {} : { tokensPerDay: budget.tokens_per_day }),
    },
    reserve: { usd: budget.reserve_usd, tokens: budget.reserve_tokens },
    ...(overrides.budgetUsd === undefined ? {} : { moreUsd: overrides.budgetUsd }),
    ...(overrides.budgetTokens === undefined ? {} : { moreTokens: overrides.budgetTokens }),
  };
}

/**
 * Budget in the ledger of a project: a reservation is an event of the log, and so is its settlement. The reservation of
 * a killed process expires and counts as spent, because its actual cost is unknown.
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
            what: `The model was not asked: ${refusal}.`,
            details: { purpose },
          });
        const until = now + timeMs + WORK_LIMITS.modelReservationGraceMs;
        return { events: [callEvent({ id, purpose, model, task, reserve, until }, actor)], result: undefined };
      });
      return id;
    } catch (error) {
      if (isRefusal(error, 'not_initialized')) return undefined; // without a graph there is no ledger
      throw error;
    }
  }

  async settle(id: string, end: CallEnd): Promise<void> {
    await this.parts.books.commit(() => ({ events: [callEndEvent(id, end, this.parts.actor)], result: undefined }));
  }
}

/** A model limited by the budget: reserves the maximum cost before each question and settles it afterwards. */
export class ReservedModel implements Model {
  readonly name: string;
  private readonly model: Model;
  private readonly budget: ModelBudget;
  private readonly prices: () => Promise<PriceTable>;

  constructor(model: Model, budget: ModelBudget, prices: () => Promise<PriceTable>) {
    this.name = model.name ?? 'unknown';
    this.model = model;
    this.budget = budget;
    this.prices = prices;
  }

  ready(): Promise<void> {
    return this.model.ready();
  }

  async complete(question: ModelQuestion): Promise<ModelAnswer> {
    const { purpose = 'text', task, prompt, timeMs } = question;
    const promptBytes = Buffer.byteLength(prompt);
    const id = await this.budget.reserve({ purpose, model: this.name, task, promptBytes, timeMs });
    if (id === undefined) return await this.priced(await this.model.complete(question));
    try {
      const answer = await this.priced(await this.model.complete(question));
      await this.settle(id, { usage: usageOf(answer.usage) });
      return answer;
    } catch (error) {
      const unspent = error instanceof TroupeError && (error.code === 'no_model' || error.details['unspent'] === true);
      await this.settle(id, unspent ? { free: true } : {});
      throw error;
    }
  }

  /** Adds a cost from the price table if the provider reports only tokens, as for clients. */
  private async priced(answer: ModelAnswer): Promise<ModelAnswer> {
    const { usage } = answer;
    if (usage === undefined || usage.costUsd !== undefined) return answer;
    const price = priceOf(await this.prices(), { model: this.name.split(' ').at(-1) });
    const tokens = { input_tokens: usage.inputTokens ?? 0, output_tokens: usage.outputTokens ?? 0 };
    const { cost_usd: costUsd, estimated_usd: estimatedUsd } = priced({ ...NO_USAGE, ...tokens }, price);
    if (costUsd === undefined || estimatedUsd === undefined) return answer;
    return { ...answer, usage: { ...usage, costUsd, estimatedUsd } };
  }

  /**
   * Settles without throwing: if the log cannot be written, the answer is still used, and the reservation counts as
   * spent when it expires.
   */
  private async settle(id: string, end: Parameters<ModelBudget['settle']>[1]): Promise<void> {
    await this.budget.settle(id, end).catch(() => undefined);
  }
}

function usageOf(used: ModelAnswer['usage']): AttemptUsage | undefined {
  const { inputTokens, outputTokens, costUsd, estimatedUsd } = used ?? {};
  if (inputTokens === undefined && outputTokens === undefined && costUsd === undefined) return undefined;
  return {
    ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
    ...(estimatedUsd === undefined ? {} : { estimated_usd: estimatedUsd }),
    ...(inputTokens === undefined ? {} : { input_tokens: inputTokens }),
    ...(outputTokens === undefined ? {} : { output_tokens: outputTokens }),
  };
}
