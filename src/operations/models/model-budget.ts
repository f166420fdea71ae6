import type { Usage } from '#core/coordinator/snapshot.js';

/** A question that is about to be asked. */
export interface AboutToAsk {
  readonly purpose: string;
  readonly model: string;
  /** The task it is about. */
  readonly task?: string | undefined;
  readonly promptBytes: number;
  readonly timeMs: number;
}

/** What may be spent on models, asked before anything is. */
export interface ModelBudget {
  /**
   * Sets aside what the question may cost, under the id that is answered; undefined where nothing is bounded. Errors:
   * `budget_spent`.
   */
  reserve(question: AboutToAsk): Promise<string | undefined>;
  /** What it used, as far as that is known; `free`: nothing was spent. */
  settle(id: string, end: { readonly usage?: Usage | undefined } | { readonly free: true }): Promise<void>;
}
