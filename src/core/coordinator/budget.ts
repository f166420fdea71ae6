import type { NodeFields, Task } from '#core/graph/task.js';
import { record, taskField } from '#core/graph/task-field.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { numberOf } from '#kernel/numbers.js';
import type { AttemptUsage, Budget, RunFact } from './snapshot.js';

export interface Reservation {
  readonly usd: number;
  readonly tokens: number;
}

/** Limits enforced on the client of a run; units without a cap are left out. */
export interface SpendLimit {
  readonly usd?: number;
  readonly tokens?: number;
}

/** Amounts that a claim may reserve, and the limits enforced on its client. */
export interface Grant {
  readonly reserve: Reservation;
  readonly limit: SpendLimit;
}

const RESERVE = taskField('reserve', record);
const RESERVE_NEXT = taskField('reserve_next', record);

/**
 * Amounts that a claim of this task reserves: set by the task, else its estimated cost, else the default; at least as
 * much as an exhausted session needs to continue.
 */
export function reservationOf(task: Task, budget: Budget): Reservation {
  const [own, next] = [amountsIn(RESERVE.of(task)), amountsIn(RESERVE_NEXT.of(task))];
  return {
    usd: Math.max(next.usd ?? 0, own.usd ?? amount(task.estimate?.cost) ?? budget.reserve.usd),
    tokens: Math.max(next.tokens ?? 0, own.tokens ?? budget.reserve.tokens),
  };
}

/** Task field for a session that is to continue with more: `{ usd, tokens }`. */
export function needsNext(reserve: Reservation): NodeFields {
  return { reserve_next: { usd: reserve.usd, tokens: reserve.tokens } };
}

/**
 * Whether a session of the task waits to continue with more. Its spending would otherwise be lost, and it therefore
 * comes before tasks that have not begun.
 */
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

/** Name of a cap as a person sets it: a key of `[budget]`, or an option of the service. */
export type CapName =
  | 'usd_per_day'
  | 'usd_total'
  | 'usd_per_task'
  | 'tokens_per_day'
  | '--budget-usd'
  | '--budget-tokens';

/** One cap, and the amount spent or reserved under it. */
interface Row {
  readonly name: CapName;
  readonly what: string;
  readonly unit: 'usd' | 'tokens';
  readonly cap: number;
  readonly used: number;
}

/** Reason why no run may be claimed, and the size that the cap would need. */
export interface Refusal {
  readonly text: string;
  readonly cap: CapName;
  readonly wanted: number;
}

/**
 * The ledger of one pass. Each claim reserves its amounts before the next one is considered, which keeps concurrent
 * claims within the caps.
 */
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
   * Amounts that a claim of this task may reserve now: the requested amount or the rest that the caps leave; undefined
   * if that is too little for a useful run. A run under a cap always gets a limit: a client without one could spend
   * everything.
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

  /** Reason why no run of this task may be claimed; undefined if one may. */
  refusal(task: Task): Refusal | undefined {
    const request = reservationOf(task, this.budget);
    return UNITS.map((unit) => this.part(task.id, unit, request[unit]).refusal).find(
      (refusal) => refusal !== undefined,
    );
  }

  /** Whether an earlier grant still fits, and limits every unit that is capped now. */
  covers(task: Task, { reserve, limit }: Grant): boolean {
    const rows = this.rows(task.id);
    return this.refusalOf(reserve, task.id) === undefined && rows.every(({ unit }) => limit[unit] !== undefined);
  }

  /** Reason why a fixed amount would exceed a cap, for a task or without one. */
  refusalOf(amounts: Reservation, task?: string): string | undefined {
    const over = this.rows(task).find(({ unit, cap, used }) => used + amounts[unit] > cap + SUM_TOLERANCE);
    return over && refusalText(over, amounts[over.unit]);
  }

  /** The part of an amount that the caps leave for a task; the whole amount if there is no cap. */
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
    if (remaining >= MIN_RESERVATION[unit] - SUM_TOLERANCE)
      return { limit: Math.min(Math.max(amount, MIN_RESERVATION[unit]), remaining) };
    // An option counts from the start of the service.
    const wanted = (first.name.startsWith('--') ? 0 : first.used) + Math.max(amount, MIN_RESERVATION[unit]);
    return { refusal: { text: refusalText(first, MIN_RESERVATION[unit]), cap: first.name, wanted } };
  }

  private rowsOf(task: string, unit: Row['unit']): Row[] {
    return this.rows(task).filter((row) => row.unit === unit);
  }

  /** All caps that are set. */
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
/** Minimum for a useful run. */
export const MIN_RESERVATION: Reservation = {
  usd: WORK_LIMITS.reserveUsdLeast,
  tokens: WORK_LIMITS.reserveTokensLeast,
};

/** The caps that are set. Input rows: name, text, cap, amount used. */
export function rowsWithCap(rows: readonly (readonly [CapName, string, number | undefined, number])[]): Row[] {
  return rows.flatMap(([name, what, cap, used]) => {
    const unit = name.includes('tokens') ? ('tokens' as const) : ('usd' as const);
    return cap === undefined ? [] : [{ name, what, unit, cap, used }];
  });
}

function refusalText({ what, cap, used }: Row, more: number): string {
  return `${shown(used)} of ${shown(cap)} ${what} is spent or reserved; it needs ${shown(more)} more`;
}

/** Command that raises a cap far enough for the refused amount. */
export function raiseCommand({ cap, wanted }: Pick<Refusal, 'cap' | 'wanted'>): string {
  const tokens = cap.includes('tokens');
  const amount = tokens
    ? Math.ceil(wanted / WORK_LIMITS.reserveTokensLeast) * WORK_LIMITS.reserveTokensLeast
    : Math.ceil(wanted);
  if (cap === '--budget-usd') return `troupe service restart --budget-usd ${amount}`;
  if (cap === '--budget-tokens') return `troupe service restart --budget-tokens ${amount}`;
  return `troupe config set budget.${cap} ${amount}`;
}

/** Time at which a cap has room again by itself, as text; empty if it never has. */
export function roomAgain({ cap }: Pick<Refusal, 'cap'>): string {
  return cap.endsWith('_per_day') ? '; more at 00:00 UTC' : '';
}

/** Tolerance for rounding errors in sums. */
export const SUM_TOLERANCE = 1e-9;

/** Formats an amount, rounded to hundredths. */
export function shown(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** All tokens of a run, including those read from or written to a cache. */
export function tokensOf(usage: AttemptUsage): number {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage;
  return (
    (input_tokens ?? 0) + (output_tokens ?? 0) + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0)
  );
}

/** Amounts spent, and the uncertain parts of them. */
export interface SpentBudget extends Reservation {
  /** The part of `usd` computed from tokens and the built-in price table. */
  readonly estimated: number;
  /** The part of `tokens` without a known price; only caps on tokens limit it. */
  readonly unpriced: number;
}

/** Cost of a run or a model call with this usage; unreported usage counts as zero. */
export function spentOf(usage: AttemptUsage): SpentBudget {
  const tokens = tokensOf(usage);
  const { cost_usd: usd, estimated_usd: estimated = 0 } = usage;
  return { usd: usd ?? 0, tokens, estimated, unpriced: usd === undefined ? tokens : 0 };
}

/** Text about usage beyond a limit; undefined if it is within the limit. */
export function aboveLimit(usage: AttemptUsage | undefined, { usd, tokens }: SpendLimit): string | undefined {
  if (usage === undefined) return undefined;
  if (usd !== undefined && (usage.cost_usd ?? 0) > usd + SUM_TOLERANCE)
    return `It has cost $${cents(usage.cost_usd ?? 0)}, and $${cents(usd)} was reserved for it`;
  if (tokens !== undefined && tokensOf(usage) > tokens)
    return `It has used ${tokensOf(usage)} tokens, and ${shown(tokens)} were reserved for it`;
  return undefined;
}

/**
 * Usage to compare with a limit. A client that enforces its own cost limit knows its prices better than the built-in
 * table: estimates are subtracted.
 */
export function chargeable(usage: AttemptUsage, capsItself: boolean): AttemptUsage {
  const { cost_usd: cost, estimated_usd: estimated = 0 } = usage;
  return capsItself && cost !== undefined ? { ...usage, cost_usd: Math.max(0, cost - estimated) } : usage;
}

/** The budget with each reservation raised to the usage of its run, if that is higher or the run has no reservation. */
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

/** Usage from the final result, else from the latest report. */
export function usedBy({ result, usage }: RunFact): AttemptUsage | undefined {
  return result?.usage ?? usage;
}

/** Whether a unit has any cap. */
export function capped(caps: Budget['caps'], unit: Row['unit']): boolean {
  const { usdPerDay, usdTotal, usdByOption, usdPerTask, tokensPerDay, tokensTotal } = caps;
  const ofUnit = unit === 'usd' ? [usdPerDay, usdTotal, usdByOption, usdPerTask] : [tokensPerDay, tokensTotal];
  return ofUnit.some((cap) => cap !== undefined);
}

function cents(value: number): string {
  return value.toFixed(value < 1 ? 4 : 2).replace(/(\.\d\d)0+$/, '$1');
}
