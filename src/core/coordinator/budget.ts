import type { NodeFields, Task } from '#core/graph/task.js';
import { record, taskField } from '#core/graph/task-field.js';
import { LIMITS } from '#kernel/limits.js';
import { numberOf } from '#kernel/numbers.js';
import type { AttemptUsage, Budget, RunFact } from './snapshot.js';

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
const RESERVE_NEXT = taskField('reserve_next', record);

/**
 * What a claim of this task would set aside: what the task says, else what its estimate costs, else the usual; for a session that used
 * up its reservation before, what it needs to go on.
 */
export function reservationOf(task: Task, budget: Budget): Reservation {
  const [own, next] = [amountsIn(RESERVE.of(task)), amountsIn(RESERVE_NEXT.of(task))];
  return {
    usd: Math.max(next.usd ?? 0, own.usd ?? amount(task.estimate?.cost) ?? budget.reserve.usd),
    tokens: Math.max(next.tokens ?? 0, own.tokens ?? budget.reserve.tokens),
  };
}

/** The field of a task whose session is to go on with more: `{ usd, tokens }`. */
export function needsNext(reserve: Reservation): NodeFields {
  return { reserve_next: { usd: reserve.usd, tokens: reserve.tokens } };
}

/** Does a session of it wait to go on with more? What was spent on it is lost otherwise, so it comes before what has not begun. */
export function waitsForMore(task: Task): boolean {
  return RESERVE_NEXT.of(task) !== undefined;
}

function amountsIn(value: unknown): { readonly usd?: number; readonly tokens?: number } {
  const { usd, tokens } = (value ?? {}) as { usd?: unknown; tokens?: unknown };
  const [dollars, count] = [amount(usd), amount(tokens)];
  return { ...(dollars === undefined ? {} : { usd: dollars }), ...(count === undefined ? {} : { tokens: count }) };
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** A cap, by where a person sets it: a key of `[budget]`, or an option with which the service was started. */
export type CapName =
  | 'usd_per_day'
  | 'usd_total'
  | 'usd_per_task'
  | 'tokens_per_day'
  | '--budget-usd'
  | '--budget-tokens';

/** One cap, and how much of it is spent or set aside. */
interface Row {
  readonly name: CapName;
  readonly what: string;
  readonly unit: 'usd' | 'tokens';
  readonly cap: number;
  readonly used: number;
}

/** Why no run may be claimed, and how large the cap would have to be. */
export interface Refusal {
  readonly text: string;
  readonly cap: CapName;
  readonly wanted: number;
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
  refusal(task: Task): Refusal | undefined {
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

  /** As much of an amount as the caps leave a task; all of it where none bounds it. */
  room(task: string, unit: Row['unit'], amount: number): number {
    return Math.max(0, Math.min(amount, ...this.rowsOf(task, unit).map(({ cap, used }) => cap - used)));
  }

  take(task: string, { usd, tokens }: Reservation): void {
    this.usd += usd;
    this.tokens += tokens;
    this.usdByTask.set(task, numberOf(this.usdByTask, task) + usd);
  }

  private part(task: string, unit: 'usd' | 'tokens', amount: number): { limit?: number; refusal?: Refusal } {
    const [first] = this.rowsOf(task, unit).sort((left, right) => left.cap - left.used - (right.cap - right.used));
    if (!first) return {};
    const remaining = first.cap - first.used;
    if (remaining >= LEAST[unit] - TINY) return { limit: Math.min(Math.max(amount, LEAST[unit]), remaining) };
    // An option counts from the moment it is said.
    const wanted = (first.name.startsWith('--') ? 0 : first.used) + Math.max(amount, LEAST[unit]);
    return { refusal: { text: refusalText(first, LEAST[unit]), cap: first.name, wanted } };
  }

  private rowsOf(task: string, unit: Row['unit']): Row[] {
    return this.rows(task).filter((row) => row.unit === unit);
  }

  /** The caps there are. */
  private rows(task: string | undefined): Row[] {
    const { caps, spent } = this.budget;
    const ofTask = task === undefined ? 0 : numberOf(spent.usdByTask, task) + numberOf(this.usdByTask, task);
    return rowsWithCap([
      ['usd_per_day', 'today', caps.usdPerDay, spent.usdToday + this.usd],
      ['usd_total', 'in total', caps.usdTotal, spent.usdTotal + this.usd],
      ['--budget-usd', 'in total', caps.usdByOption, spent.usdTotal + this.usd],
      ['usd_per_task', `on ${task ?? 'one task'}`, caps.usdPerTask, ofTask],
      ['tokens_per_day', 'tokens today', caps.tokensPerDay, spent.tokensToday + this.tokens],
      ['--budget-tokens', 'tokens in total', caps.tokensTotal, spent.tokensTotal + this.tokens],
    ]);
  }
}

const UNITS = ['usd', 'tokens'] as const;
/** With less a run gets nothing done. */
export const LEAST: Reservation = { usd: LIMITS.reserveUsdLeast, tokens: LIMITS.reserveTokensLeast };

/** The caps there are, of name, words, cap, and how much of it is used. */
export function rowsWithCap(rows: readonly (readonly [CapName, string, number | undefined, number])[]): Row[] {
  return rows.flatMap(([name, what, cap, used]) => {
    const unit = name.includes('tokens') ? ('tokens' as const) : ('usd' as const);
    return cap === undefined ? [] : [{ name, what, unit, cap, used }];
  });
}

function refusalText({ what, cap, used }: Row, more: number): string {
  return `${shown(used)} of ${shown(cap)} ${what} is spent or reserved; it needs ${shown(more)} more`;
}

/** The command that raises a cap far enough for what it refused. */
export function raiseCommand({ cap, wanted }: Pick<Refusal, 'cap' | 'wanted'>): string {
  const tokens = cap.includes('tokens');
  const amount = tokens ? Math.ceil(wanted / LIMITS.reserveTokensLeast) * LIMITS.reserveTokensLeast : Math.ceil(wanted);
  if (cap === '--budget-usd') return `troupe service restart --budget-usd ${amount}`;
  if (cap === '--budget-tokens') return `troupe service restart --budget-tokens ${amount}`;
  return `troupe config set budget.${cap} ${amount}`;
}

/** When a cap has room again by itself; empty for one that has not. */
export function roomAgain({ cap }: Pick<Refusal, 'cap'>): string {
  return cap.endsWith('_per_day') ? '; more at 00:00 UTC' : '';
}

/** Sums of tenths are not exact. */
export const TINY = 1e-9;

/** An amount in a sentence: to hundredths. */
export function shown(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** All tokens of a run: what came from a cache or went into one counts as well. */
export function tokensOf(usage: AttemptUsage): number {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage;
  return (
    (input_tokens ?? 0) + (output_tokens ?? 0) + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0)
  );
}

/** What was spent, and what of it nobody knows exactly. */
export interface SpentBudget extends Reservation {
  /** The part of `usd` that is tokens times a price of our table. */
  readonly estimated: number;
  /** Those of `tokens` that have no price: only caps of tokens bound them. */
  readonly unpriced: number;
}

/** Cost of a run or a question that reported this: nothing beyond it is taken for spent. */
export function spentOf(usage: AttemptUsage): SpentBudget {
  const tokens = tokensOf(usage);
  const { cost_usd: usd, estimated_usd: estimated = 0 } = usage;
  return { usd: usd ?? 0, tokens, estimated, unpriced: usd === undefined ? tokens : 0 };
}

/** What a run has used above what it is held to, in words; undefined as long as it has not. */
export function aboveLimit(usage: AttemptUsage | undefined, { usd, tokens }: SpendLimit): string | undefined {
  if (usage === undefined) return undefined;
  if (usd !== undefined && (usage.cost_usd ?? 0) > usd + TINY)
    return `It has cost $${cents(usage.cost_usd ?? 0)}, and $${cents(usd)} was reserved for it`;
  if (tokens !== undefined && tokensOf(usage) > tokens)
    return `It has used ${tokensOf(usage)} tokens, and ${shown(tokens)} were reserved for it`;
  return undefined;
}

/**
 * Usage that a limit is held against. A client that ends by itself when its money is used knows its price better than our table:
 * estimates of it end nothing.
 */
export function chargeable(usage: AttemptUsage, capsItself: boolean): AttemptUsage {
  const { cost_usd: cost, estimated_usd: estimated = 0 } = usage;
  return capsItself && cost !== undefined ? { ...usage, cost_usd: Math.max(0, cost - estimated) } : usage;
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
export function usedBy({ result, usage }: RunFact): AttemptUsage | undefined {
  return result?.usage ?? usage;
}

/** Is this unit bounded at all? */
export function capped(caps: Budget['caps'], unit: Row['unit']): boolean {
  const { usdPerDay, usdTotal, usdByOption, usdPerTask, tokensPerDay, tokensTotal } = caps;
  const ofUnit = unit === 'usd' ? [usdPerDay, usdTotal, usdByOption, usdPerTask] : [tokensPerDay, tokensTotal];
  return ofUnit.some((cap) => cap !== undefined);
}

function cents(value: number): string {
  return value.toFixed(value < 1 ? 4 : 2).replace(/(\.\d\d)0+$/, '$1');
}
