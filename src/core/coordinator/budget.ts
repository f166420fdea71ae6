import type { Budget, Usage } from '#core/coordinator/snapshot.js';
import type { Task } from '#core/graph/task.js';

export interface Reservation {
  readonly usd: number;
  readonly tokens: number;
}

/** What a claim of this task sets aside: what the task says, else what its estimate costs, else the usual. */
export function reservationOf(task: Task, budget: Budget): Reservation {
  const own = task['reserve'] as { usd?: unknown; tokens?: unknown } | undefined;
  return {
    usd: amount(own?.usd) ?? amount(task.estimate?.cost) ?? budget.reserve.usd,
    tokens: amount(own?.tokens) ?? budget.reserve.tokens,
  };
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The ledger of one pass: each claim takes its part before the next is weighed, so no cap is passed whoever races. */
export class Ledger {
  private readonly budget: Budget;
  private usd = 0;
  private tokens = 0;
  private readonly usdByTask = new Map<string, number>();

  constructor(budget: Budget) {
    this.budget = budget;
    for (const { taskId, usd, tokens } of budget.reserved.values()) this.set(taskId, { usd, tokens });
  }

  /** Why this claim would pass a cap; undefined when it may be made. */
  refusal(task: Task): string | undefined {
    return this.refusalOf(reservationOf(task, this.budget), task.id);
  }

  /** The same of any amount, for a task or for none. */
  refusalOf({ usd, tokens }: Reservation, task?: string): string | undefined {
    const { caps, spent } = this.budget;
    const ofTask = task === undefined ? 0 : (spent.usdByTask.get(task) ?? 0) + (this.usdByTask.get(task) ?? 0);
    const rows: [string, number | undefined, number, number][] = [
      ['today', caps.usdPerDay, spent.usdToday + this.usd, usd],
      ['in total', caps.usdTotal, spent.usdTotal + this.usd, usd],
      [`on ${task ?? 'one task'}`, caps.usdPerTask, ofTask, usd],
      ['tokens today', caps.tokensPerDay, spent.tokensToday + this.tokens, tokens],
      ['tokens in total', caps.tokensTotal, (spent.tokensTotal ?? 0) + this.tokens, tokens],
    ];
    const over = rows.find(([, cap, taken, more]) => cap !== undefined && taken + more > cap + TINY);
    if (!over) return undefined;
    const [what, cap = 0, taken, more] = over;
    return `${round(taken)} of ${round(cap)} ${what} is spent or set aside; it would need ${round(more)} more`;
  }

  /** What the caps leave a run of this task in US dollars, beside what others have set aside; undefined without a cap. */
  left({ id }: Task): number | undefined {
    const { caps, spent } = this.budget;
    const ofTask = (spent.usdByTask.get(id) ?? 0) + (this.usdByTask.get(id) ?? 0);
    const left = [
      caps.usdPerDay === undefined ? undefined : caps.usdPerDay - spent.usdToday - this.usd,
      caps.usdTotal === undefined ? undefined : caps.usdTotal - spent.usdTotal - this.usd,
      caps.usdPerTask === undefined ? undefined : caps.usdPerTask - ofTask,
    ].filter((amount) => amount !== undefined);
    return left.length === 0 ? undefined : Math.max(0, Math.min(...left));
  }

  take(task: Task): Reservation {
    const reservation = reservationOf(task, this.budget);
    this.set(task.id, reservation);
    return reservation;
  }

  private set(taskId: string, { usd, tokens }: Reservation): void {
    this.usd += usd;
    this.tokens += tokens;
    this.usdByTask.set(taskId, (this.usdByTask.get(taskId) ?? 0) + usd);
  }
}

/** Sums of tenths are not exact. */
const TINY = 1e-9;

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** What a settled run counts as: what its client said it cost; where it said nothing, what was set aside. */
export function settledCost(usage: Usage | undefined, reserved: Reservation | undefined): Reservation {
  const tokens =
    usage === undefined
      ? undefined
      : (usage.input_tokens ?? 0) +
        (usage.output_tokens ?? 0) +
        (usage.cache_read_input_tokens ?? 0) +
        (usage.cache_creation_input_tokens ?? 0);
  return { usd: usage?.cost_usd ?? reserved?.usd ?? 0, tokens: tokens ?? reserved?.tokens ?? 0 };
}

/** Has a run used more than was set aside for it and the caps still allow? Then it is ended. */
export function overspent(usage: Usage | undefined, task: Task | undefined, budget: Budget): string | undefined {
  if (usage?.cost_usd === undefined || !task) return undefined;
  const { caps, spent } = budget;
  const ofTask = (spent.usdByTask.get(task.id) ?? 0) + usage.cost_usd;
  if (caps.usdPerTask !== undefined && ofTask > caps.usdPerTask + TINY)
    return `${task.id} has cost ${round(ofTask)} USD`;
  if (caps.usdPerDay !== undefined && spent.usdToday + usage.cost_usd > caps.usdPerDay + TINY)
    return `${round(spent.usdToday + usage.cost_usd)} USD are spent today`;
  if (caps.usdTotal !== undefined && spent.usdTotal + usage.cost_usd > caps.usdTotal + TINY)
    return `${round(spent.usdTotal + usage.cost_usd)} USD are spent in total`;
  return undefined;
}
