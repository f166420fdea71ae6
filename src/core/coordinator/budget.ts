import type { Task } from '#core/graph/task.js';
import { record, taskField } from '#core/graph/task-field.js';
import { LIMITS } from '#kernel/limits.js';
import type { Budget, RunFact, Usage } from './snapshot.js';

export interface Reservation {
  readonly usd: number;
  readonly tokens: number;
}

/** What the client of a run is told and held to; what no cap bounds is left out. */
export interface SpendLimit {
  readonly usd?: number;
  readonly tokens?: number;
}

/** What a claim may set aside, and what of that its client is held to. */
export interface Grant {
  readonly reserve: Reservation;
  readonly limit: SpendLimit;
}

const RESERVE = taskField('reserve', record);

/** What a claim of this task would set aside: what the task says, else what its estimate costs, else the usual. */
export function reservationOf(task: Task, budget: Budget): Reservation {
  const own = RESERVE.of(task) as { usd?: unknown; tokens?: unknown } | undefined;
  return {
    usd: amount(own?.usd) ?? amount(task.estimate?.cost) ?? budget.reserve.usd,
    tokens: amount(own?.tokens) ?? budget.reserve.tokens,
  };
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** One cap, and how much of it is spent or set aside. */
interface Row {
  readonly what: string;
  readonly unit: 'usd' | 'tokens';
  readonly cap: number;
  readonly used: number;
}

/** The ledger of one pass: each claim takes its part before the next is weighed, so no cap is passed whoever races. */
export class Ledger {
  private readonly budget: Budget;
  private usd = 0;
  private tokens = 0;
  private readonly usdByTask = new Map<string, number>();

  constructor(budget: Budget) {
    this.budget = budget;
    for (const { taskId, usd, tokens } of budget.reserved.values()) this.take(taskId, { usd, tokens });
  }

  /**
   * What a claim of this task may set aside now: as much as it would, or what the caps leave; undefined when they leave less
   * than a run can do anything with. A run under a cap never gets less than that either: a client told nothing spends all.
   */
  grant(task: Task): Grant | undefined {
    const request = reservationOf(task, this.budget);
    const [usd, tokens] = UNITS.map((unit) => this.part(task.id, unit, request[unit]));
    if (usd?.refusal !== undefined || tokens?.refusal !== undefined) return undefined;
    return {
      reserve: { usd: usd?.limit ?? request.usd, tokens: tokens?.limit ?? request.tokens },
      limit: {
        ...(usd?.limit === undefined ? {} : { usd: usd.limit }),
        ...(tokens?.limit === undefined ? {} : { tokens: tokens.limit }),
      },
    };
  }

  /** Why no run of this task may be claimed; undefined when one may. */
  refusal(task: Task): string | undefined {
    const request = reservationOf(task, this.budget);
    return UNITS.map((unit) => this.part(task.id, unit, request[unit]).refusal).find(
      (refusal) => refusal !== undefined,
    );
  }

  /** Does what was granted before still fit, and does it bound all that a cap bounds now? */
  covers(task: Task, { reserve, limit }: Grant): boolean {
    const rows = this.rows(task.id);
    return this.refusalOf(reserve, task.id) === undefined && rows.every(({ unit }) => limit[unit] !== undefined);
  }

  /** Why an amount that cannot shrink would pass a cap, for a task or for none. */
  refusalOf(amounts: Reservation, task?: string): string | undefined {
    const over = this.rows(task).find(({ unit, cap, used }) => used + amounts[unit] > cap + TINY);
    return over && refusalText(over, amounts[over.unit]);
  }

  take(task: string, { usd, tokens }: Reservation): void {
    this.usd += usd;
    this.tokens += tokens;
    this.usdByTask.set(task, (this.usdByTask.get(task) ?? 0) + usd);
  }

  private part(task: string, unit: 'usd' | 'tokens', amount: number): { limit?: number; refusal?: string } {
    const rows = this.rows(task).filter((row) => row.unit === unit);
    const [first] = rows.sort((left, right) => left.cap - left.used - (right.cap - right.used));
    if (!first) return {};
    const remaining = first.cap - first.used;
    if (remaining < LEAST[unit] - TINY) return { refusal: refusalText(first, LEAST[unit]) };
    return { limit: Math.min(Math.max(amount, LEAST[unit]), remaining) };
  }

  /** The caps there are. */
  private rows(task: string | undefined): Row[] {
    const { caps, spent } = this.budget;
    const ofTask = task === undefined ? 0 : (spent.usdByTask.get(task) ?? 0) + (this.usdByTask.get(task) ?? 0);
    return rowsWithCap([
      ['today', 'usd', caps.usdPerDay, spent.usdToday + this.usd],
      ['in total', 'usd', caps.usdTotal, spent.usdTotal + this.usd],
      [`on ${task ?? 'one task'}`, 'usd', caps.usdPerTask, ofTask],
      ['tokens today', 'tokens', caps.tokensPerDay, spent.tokensToday + this.tokens],
      ['tokens in total', 'tokens', caps.tokensTotal, spent.tokensTotal + this.tokens],
    ]);
  }
}

const UNITS = ['usd', 'tokens'] as const;
/** With less a run gets nothing done. */
export const LEAST: Reservation = { usd: LIMITS.reserveUsdLeast, tokens: LIMITS.reserveTokensLeast };

function rowsWithCap(rows: readonly (readonly [string, Row['unit'], number | undefined, number])[]): Row[] {
  return rows.flatMap(([what, unit, cap, used]) => (cap === undefined ? [] : [{ what, unit, cap, used }]));
}

function refusalText({ what, cap, used }: Row, more: number): string {
  return `${round(used)} of ${round(cap)} ${what} is spent or reserved; it needs ${round(more)} more`;
}

/** Sums of tenths are not exact. */
const TINY = 1e-9;

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** All tokens of a run: what came from a cache or went into one counts as well. */
export function tokensOf(usage: Usage): number {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage;
  return (
    (input_tokens ?? 0) + (output_tokens ?? 0) + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0)
  );
}

/** What was spent, and what of it nobody knows exactly. */
export interface Cost extends Reservation {
  /** The part of `usd` that is tokens times a price of our table. */
  readonly estimated: number;
  /** Those of `tokens` that have no price: only caps of tokens bound them. */
  readonly unpriced: number;
}

/** Cost of a run or a question that reported this: nothing beyond it is taken for spent. */
export function costOf(usage: Usage): Cost {
  const tokens = tokensOf(usage);
  const { cost_usd: usd, estimated_usd: estimated = 0 } = usage;
  return { usd: usd ?? 0, tokens, estimated, unpriced: usd === undefined ? tokens : 0 };
}

/** What a run has used above what it is held to, in words; undefined as long as it has not. */
export function aboveLimit(usage: Usage | undefined, { usd, tokens }: SpendLimit): string | undefined {
  if (usage === undefined) return undefined;
  if (usd !== undefined && (usage.cost_usd ?? 0) > usd + TINY)
    return `It has cost $${cents(usage.cost_usd ?? 0)}, and $${cents(usd)} was reserved for it`;
  if (tokens !== undefined && tokensOf(usage) > tokens)
    return `It has used ${tokensOf(usage)} tokens, and ${round(tokens)} were reserved for it`;
  return undefined;
}

/** Which runs are to be ended for what they cost: those above what was reserved for them, and all above a cap. */
export class Meter {
  private readonly budget: Budget;
  private usd = 0;
  private tokens = 0;

  constructor(budget: Budget, runs: readonly RunFact[]) {
    this.budget = budget;
    for (const run of runs) {
      const usage = usedBy(run);
      this.usd += usage?.cost_usd ?? 0;
      this.tokens += usage ? tokensOf(usage) : 0;
    }
  }

  /** Why this run is to be ended; undefined when it may go on. */
  overspent(run: RunFact): string | undefined {
    const { id, taskId } = run;
    if (run.executor === undefined || run.executor === 'shell') return undefined;
    const usage = usedBy(run) ?? {};
    const { caps, spent, reserved } = this.budget;
    const own = reserved.get(id);
    const limit = own && {
      ...(capped(caps, 'usd') ? { usd: own.usd } : {}),
      ...(capped(caps, 'tokens') ? { tokens: own.tokens } : {}),
    };
    const above = limit && aboveLimit(usage, limit);
    if (above !== undefined) return above;
    // Somebody lowered it, it was not there when the run began, or another run passed it: nobody may go on under it.
    const over = rowsWithCap([
      ['USD today', 'usd', caps.usdPerDay, spent.usdToday + this.usd],
      ['USD in total', 'usd', caps.usdTotal, spent.usdTotal + this.usd],
      [`USD on ${taskId}`, 'usd', caps.usdPerTask, (spent.usdByTask.get(taskId) ?? 0) + (usage.cost_usd ?? 0)],
      ['tokens today', 'tokens', caps.tokensPerDay, spent.tokensToday + this.tokens],
      ['tokens in total', 'tokens', caps.tokensTotal, spent.tokensTotal + this.tokens],
    ]).find(({ cap, used }) => used > cap + TINY);
    return over && `${round(over.used)} ${over.what} is spent; the cap is ${round(over.cap)}`;
  }
}

/** The books as runs leave no doubt of: one that has used more than was set aside for it, or for which nothing was, holds that. */
export function withUse(budget: Budget, runs: readonly RunFact[]): Budget {
  const reserved = new Map(budget.reserved);
  for (const run of runs) {
    const { id, taskId } = run;
    const usage = usedBy(run);
    if (usage === undefined) continue;
    const { usd = 0, tokens = 0 } = reserved.get(id) ?? {};
    reserved.set(id, { taskId, usd: Math.max(usd, usage.cost_usd ?? 0), tokens: Math.max(tokens, tokensOf(usage)) });
  }
  return { ...budget, reserved };
}

/** By its last word, else by its latest report. */
function usedBy({ result, usage }: RunFact): Usage | undefined {
  return result?.usage ?? usage;
}

function capped({ usdPerDay, usdTotal, usdPerTask, tokensPerDay, tokensTotal }: Budget['caps'], unit: Row['unit']) {
  const caps = unit === 'usd' ? [usdPerDay, usdTotal, usdPerTask] : [tokensPerDay, tokensTotal];
  return caps.some((cap) => cap !== undefined);
}

function cents(value: number): string {
  return value.toFixed(value < 1 ? 4 : 2).replace(/(\.\d\d)0+$/, '$1');
}
