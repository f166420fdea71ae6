import { settledCost } from '#core/coordinator/budget.js';
import type { Budget, Usage } from '#core/coordinator/snapshot.js';
import type { Entry } from '#core/graph/event.js';
import { timeOf } from '#core/graph/time.js';

const DAY_MS = 24 * 60 * 60_000;

/** What a person allows to be spent. `more…` count from the moment the book was opened, the others from the first event. */
export interface Allowance {
  readonly caps: Budget['caps'];
  readonly reserve: Budget['reserve'];
  readonly moreUsd?: number;
  readonly moreTokens?: number;
}

/** The ledger of a project, kept from its log: each entry is added once, so that a tick need not read what was before. */
export class BudgetBook {
  private readonly reserved = new Map<string, { taskId: string; usd: number; tokens: number }>();
  private readonly usdByTask = new Map<string, number>();
  private total = { usd: 0, tokens: 0 };
  private today = { day: 0, usd: 0, tokens: 0 };
  private opened = { usd: 0, tokens: 0 };

  /** What was spent until now does not count against what is allowed beyond it. */
  open(): void {
    this.opened = { ...this.total };
  }

  add(entry: Entry): void {
    const { detail } = entry;
    const run = detail?.['run'];
    if (typeof run !== 'string' || entry.task_id === undefined) return;
    if (entry.op === 'claim') {
      const { usd, tokens } = (detail?.['reserve'] ?? {}) as { usd?: unknown; tokens?: unknown };
      if (typeof usd !== 'number' || typeof tokens !== 'number') return;
      this.reserved.set(run, { taskId: entry.task_id, usd, tokens });
    }
    if (entry.op === 'agent_complete') this.settle(entry, entry.task_id, run);
  }

  /** The books as of a moment. */
  budget({ caps, reserve, moreUsd, moreTokens }: Allowance, now: number): Budget {
    const isToday = this.today.day === dayOf(now);
    const usdTotal = least(caps.usdTotal, moreUsd === undefined ? undefined : this.opened.usd + moreUsd);
    const tokensTotal = least(caps.tokensTotal, moreTokens === undefined ? undefined : this.opened.tokens + moreTokens);
    return {
      caps: {
        ...caps,
        ...(usdTotal === undefined ? {} : { usdTotal }),
        ...(tokensTotal === undefined ? {} : { tokensTotal }),
      },
      reserve,
      spent: {
        usdToday: isToday ? this.today.usd : 0,
        usdTotal: this.total.usd,
        tokensToday: isToday ? this.today.tokens : 0,
        tokensTotal: this.total.tokens,
        usdByTask: this.usdByTask,
      },
      reserved: this.reserved,
    };
  }

  private settle(entry: Entry, taskId: string, run: string): void {
    const reservation = this.reserved.get(run);
    this.reserved.delete(run);
    const usage = entry.detail?.['usage'] as Usage | undefined;
    if (entry.detail?.['started'] === false) return; // it never began: nothing can have been spent
    const { usd, tokens } = settledCost(usage, reservation);
    const day = dayOf(timeOf(entry.timestamp));
    if (day > this.today.day) this.today = { day, usd: 0, tokens: 0 };
    if (day === this.today.day) {
      this.today.usd += usd;
      this.today.tokens += tokens;
    }
    this.total = { usd: this.total.usd + usd, tokens: this.total.tokens + tokens };
    if (usd > 0) this.usdByTask.set(taskId, (this.usdByTask.get(taskId) ?? 0) + usd);
  }
}

function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

function least(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.min(left, right);
}

/** Is anything bounded at all? Without a bound nobody need keep a ledger. */
export function isBounded({ caps, moreUsd, moreTokens }: Allowance): boolean {
  return moreUsd !== undefined || moreTokens !== undefined || Object.values(caps).some((cap) => cap !== undefined);
}
