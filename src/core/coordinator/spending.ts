// Spending of running attempts: which get a larger reservation, which are ended, and how their sessions continue.

import { type Plan, withFields } from '#core/graph/event.js';
import { type MoveOptions, unclaimTask } from '#core/graph/moves.js';
import { builtInExecutor } from '#core/runs/executor-table.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { numberOf } from '#kernel/numbers.js';
import {
  aboveLimit,
  capped,
  chargeable,
  Ledger,
  MIN_RESERVATION,
  needsNext,
  type Reservation,
  rowsWithCap,
  type SpendLimit,
  SUM_TOLERANCE,
  shown,
  tokensOf,
  usedBy,
  withUse,
} from './budget.js';
import { topUpEvent } from './budget-book.js';
import { type Budget, isClientRun, type RunFact } from './snapshot.js';
import type { BaseDecision, Tick } from './tick.js';

/** Raises the reservation of a run that has nearly used it up. */
export interface TopUpDecision extends BaseDecision {
  readonly do: 'top-up';
  readonly run: string;
  readonly task: string;
  /** New limit of the run. */
  readonly limit: SpendLimit;
}

function capsItself({ executor = 'shell' }: RunFact): boolean {
  return builtInExecutor(executor)?.capsItself === true;
}

/**
 * Finds runs that must end because of their cost: a run beyond its own reservation, and every run under an exceeded
 * cap.
 */
export class Meter {
  private readonly budget: Budget;
  private readonly ledger: Ledger;
  private usd = 0;
  private tokens = 0;

  constructor(budget: Budget, runs: readonly RunFact[]) {
    this.budget = budget;
    this.ledger = new Ledger(withUse(budget, runs));
    for (const run of runs) {
      const usage = chargeable(usedBy(run) ?? {}, capsItself(run));
      this.usd += usage.cost_usd ?? 0;
      this.tokens += tokensOf(usage);
    }
  }

  /** Raises the reservation of a run that has nearly used it up, as far as the caps allow; undefined if they do not. */
  topUp(tick: Tick, run: RunFact): TopUpDecision | undefined {
    const before = this.budget.reserved.get(run.id);
    if (!isClientRun(run) || before === undefined) return undefined;
    const usage = usedBy(run) ?? {};
    // A client with a limit of its own cannot be given another while it runs: its session is resumed with more instead.
    const reserve = {
      usd: capsItself(run) ? before.usd : this.grown(run, 'usd', before, usage.cost_usd ?? 0),
      tokens: this.grown(run, 'tokens', before, tokensOf(usage)),
    };
    if (reserve.usd === before.usd && reserve.tokens === before.tokens) return undefined;
    this.ledger.take(run.taskId, { usd: reserve.usd - before.usd, tokens: reserve.tokens - before.tokens });
    tick.raised.set(run.id, { taskId: run.taskId, ...reserve });
    return {
      do: 'top-up',
      run: run.id,
      task: run.taskId,
      limit: this.limitOf(reserve),
      reason: 'It has nearly used what was reserved for it',
      events: tick.act({ events: [topUpEvent(run, reserve, before)], result: undefined }),
    };
  }

  private grown(run: RunFact, unit: 'usd' | 'tokens', before: Reservation, used: number): number {
    if (!capped(this.budget.caps, unit) || used < before[unit] * WORK_LIMITS.topUpFrom) return before[unit];
    const more = this.ledger.room(run.taskId, unit, Math.max(before[unit], MIN_RESERVATION[unit]));
    return more < MIN_RESERVATION[unit] - SUM_TOLERANCE ? before[unit] : before[unit] + more;
  }

  private limitOf({ usd, tokens }: Reservation): SpendLimit {
    const { caps } = this.budget;
    return { ...(capped(caps, 'usd') ? { usd } : {}), ...(capped(caps, 'tokens') ? { tokens } : {}) };
  }

  /** Reason to end this run; undefined if it may continue. */
  overspent(run: RunFact): string | undefined {
    const { id, taskId } = run;
    if (!isClientRun(run)) return undefined;
    const usage = chargeable(usedBy(run) ?? {}, capsItself(run));
    const { caps, spent, reserved } = this.budget;
    const own = reserved.get(id);
    const above = own && aboveLimit(usage, this.limitOf(own));
    if (above !== undefined) return above;
    // A cap was lowered or added after the run began, or another run exceeded it: no run may continue under it.
    const ofTask = numberOf(spent.usdByTask, taskId) + (usage.cost_usd ?? 0);
    const over = rowsWithCap([
      ['usd_per_day', 'USD today', caps.usdPerDay, spent.usdToday + this.usd],
      ['usd_total', 'USD in total', caps.usdTotal, spent.usdTotal + this.usd],
      ['--budget-usd', 'USD in total', caps.usdByOption, spent.usdTotal + this.usd],
      ['usd_per_task', `USD on ${taskId}`, caps.usdPerTask, ofTask],
      ['tokens_per_day', 'tokens today', caps.tokensPerDay, spent.tokensToday + this.tokens],
      ['--budget-tokens', 'tokens in total', caps.tokensTotal, spent.tokensTotal + this.tokens],
    ]).find(({ cap, used }) => used > cap + SUM_TOLERANCE);
    return over && `${shown(over.used)} ${over.what} is spent; the cap is ${shown(over.cap)}`;
  }
}

/** Whether the run ended because its reservation was used up, which does not affect the state of its task. */
export function isSpent({ ended, result }: RunFact): boolean {
  return ended === 'budget' || (ended === undefined && result?.spent === true);
}

export const SPENT = 'It used what was reserved for it; its session goes on with more';

/**
 * Releases the task of a run that used up its reservation. Its session is resumed once the budget allows twice the
 * amount for the exhausted unit.
 */
export function releaseSpentTask(tick: Tick, run: RunFact, options: MoveOptions): Plan<unknown> {
  const { graph, facts } = tick;
  const reason = 'it used what was reserved for it; its session goes on with more';
  const plan = unclaimTask(graph, run.taskId, { ...options, reason });
  const reserved = facts.budget?.reserved.get(run.id);
  if (reserved === undefined) return plan;
  const usage = usedBy(run) ?? {};
  const next = (unit: 'usd' | 'tokens', used: number) =>
    used >= reserved[unit] * WORK_LIMITS.topUpFrom
      ? 2 * Math.max(reserved[unit], MIN_RESERVATION[unit])
      : reserved[unit];
  const reserve = { usd: next('usd', usage.cost_usd ?? 0), tokens: next('tokens', tokensOf(usage)) };
  return withFields(plan, run.taskId, needsNext(reserve));
}
