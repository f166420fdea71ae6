import type { Entry, EventDraft } from '#core/graph/event.js';
import { timeOf } from '#core/graph/time.js';
import { timestamp } from '#kernel/clock.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { numberOf } from '#kernel/numbers.js';
import { type Reservation, type SpentBudget, spentOf } from './budget.js';
import type { AttemptUsage, Budget } from './snapshot.js';

const DAY_MS = 24 * 60 * 60_000;

/**
 * Amounts that a person allows. `moreUsd` and `moreTokens` count from the opening of the book, the others from the
 * first event.
 */
export interface Allowance {
  readonly caps: Budget['caps'];
  readonly reserve: Budget['reserve'];
  readonly moreUsd?: number;
  readonly moreTokens?: number;
}

/** An amount that was spent, by a run or by a call of a model. */
export interface Spending extends SpentBudget {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly task?: string | undefined;
  readonly run?: string | undefined;
  readonly client?: string | undefined;
  readonly model?: string | undefined;
}

/** The ledger of a project, derived from its log. Each entry is added once; a tick need not read earlier entries. */
export class BudgetBook {
  private readonly reserved = new Map<string, { taskId: string; usd: number; tokens: number }>();
  /** Model calls under way. */
  private readonly calls = new Map<string, ModelCall>();
  private readonly usdByTask = new Map<string, number>();
  private total: SpentBudget = NOTHING;
  private today = { ...NOTHING, day: 0 };
  private opened: Reservation = NOTHING;
  private readonly onSpend: ((spending: Spending) => void) | undefined;

  /** `onSpend` receives each amount that the ledger counts. */
  constructor(onSpend?: (spending: Spending) => void) {
    this.onSpend = onSpend;
  }

  /** Starts counting for `moreUsd` and `moreTokens`: earlier spending does not count against them. */
  open(): void {
    this.opened = this.total;
  }

  add(entry: Entry): void {
    this.hold(entry);
    const run = entry.detail?.['run'];
    if (entry.op === 'agent_complete' && typeof run === 'string' && entry.task_id !== undefined)
      this.settle(entry, entry.task_id, run);
    this.settleCall(entry);
  }

  /**
   * Reserves the amounts of an event as soon as it is decided, before it is written: no other decision may use them
   * meanwhile.
   */
  hold(event: EventDraft): void {
    const claim = claimIn(event) ?? topUpIn(event, 'reserve');
    if (claim) this.reserved.set(claim.run, claim);
    const call = callIn(event);
    if (call) this.calls.set(call.id, call);
  }

  /** Undoes `hold` for an event that was not written. */
  release(event: EventDraft): void {
    const claim = claimIn(event);
    if (claim) this.reserved.delete(claim.run);
    const before = topUpIn(event, 'before');
    if (before) this.reserved.set(before.run, before);
    const call = callIn(event);
    if (call) this.calls.delete(call.id);
  }

  /** The budget at a given time. */
  budget({ caps, reserve, moreUsd, moreTokens }: Allowance, now: number): Budget {
    for (const call of this.calls.values()) if (call.until < now) this.lapse(call);
    const today = this.today.day === dayOf(now) ? this.today : NOTHING;
    return {
      caps: {
        ...caps,
        ...(moreUsd === undefined ? {} : { usdByOption: this.opened.usd + moreUsd }),
        ...(moreTokens === undefined ? {} : { tokensTotal: this.opened.tokens + moreTokens }),
      },
      reserve,
      spent: {
        usdToday: today.usd,
        usdTotal: this.total.usd,
        tokensToday: today.tokens,
        tokensTotal: this.total.tokens,
        usdEstimatedToday: today.estimated,
        usdEstimatedTotal: this.total.estimated,
        tokensUnpricedToday: today.unpriced,
        usdByTask: this.usdByTask,
      },
      reserved: this.setAside(),
    };
  }

  private setAside(): Budget['reserved'] {
    if (this.calls.size === 0) return this.reserved;
    const calls = [...this.calls.values()].map(({ id, task, reserve }) => {
      return [`call ${id}`, { taskId: task ?? '', ...reserve }] as const;
    });
    return new Map([...this.reserved, ...calls]);
  }

  private settleCall(entry: Entry): void {
    const ended = callEndIn(entry);
    const call = ended && this.calls.get(ended.id);
    if (!call) return;
    const at = timeOf(entry.timestamp);
    this.calls.delete(call.id);
    if (at > call.until)
      this.lapse(call); // counted as expired meanwhile
    else if (!('free' in ended.end)) this.spendCall(callCost(ended.end.usage, call.reserve), at, call);
  }

  /**
   * Ends a model call without a result: its caller is gone, and the reserved amount counts as spent because it may have
   * been.
   */
  private lapse(call: ModelCall): void {
    this.calls.delete(call.id);
    this.spendCall(callCost(undefined, call.reserve), call.until, call);
  }

  private spendCall(cost: SpentBudget, at: number, { task, model }: ModelCall): void {
    this.spend({ ...cost, at, task, model });
  }

  /**
   * Records the reported usage of a run, regardless of its outcome; the reservation itself is never counted as spent.
   */
  private settle(entry: Entry, taskId: string, run: string): void {
    this.reserved.delete(run);
    const usage = entry.detail?.['usage'] as AttemptUsage | undefined;
    const { executor, model } = entry.detail ?? {};
    if (usage === undefined) return;
    this.spend({
      ...spentOf(usage),
      at: timeOf(entry.timestamp),
      task: taskId,
      run,
      client: typeof executor === 'string' ? executor : undefined,
      model: typeof model === 'string' ? model : undefined,
    });
  }

  private spend(cost: Spending): void {
    const { at, task } = cost;
    this.onSpend?.(cost);
    const day = dayOf(at);
    if (day > this.today.day) this.today = { ...NOTHING, day };
    if (day === this.today.day) this.today = { ...sum(this.today, cost), day };
    this.total = sum(this.total, cost);
    if (cost.usd > 0 && task !== undefined) this.usdByTask.set(task, numberOf(this.usdByTask, task) + cost.usd);
  }
}

const NOTHING: SpentBudget = { usd: 0, tokens: 0, estimated: 0, unpriced: 0 };

function sum(left: SpentBudget, right: SpentBudget): SpentBudget {
  return {
    usd: left.usd + right.usd,
    tokens: left.tokens + right.tokens,
    estimated: left.estimated + right.estimated,
    unpriced: left.unpriced + right.unpriced,
  };
}

/**
 * Cost of a model call: the reported usage, or the reserved amount if none was reported, as an answer cannot be stopped
 * half-way.
 */
function callCost(usage: AttemptUsage | undefined, { usd, tokens }: Reservation): SpentBudget {
  if (usage?.cost_usd !== undefined) return spentOf(usage);
  return { usd, tokens: usage === undefined ? tokens : spentOf(usage).tokens, estimated: usd, unpriced: 0 };
}

function claimIn(event: EventDraft) {
  return event.op === 'claim' ? reservationIn(event, 'reserve') : undefined;
}

/** New or previous reservation of a run in a top-up. */
function topUpIn(event: EventDraft, part: 'reserve' | 'before') {
  return event.op === TOP_UP ? reservationIn(event, part) : undefined;
}

function reservationIn({ task_id: taskId, detail }: EventDraft, part: 'reserve' | 'before') {
  const run = detail?.['run'];
  if (typeof run !== 'string' || taskId === undefined) return undefined;
  const { usd, tokens } = (detail?.[part] ?? {}) as { usd?: unknown; tokens?: unknown };
  return typeof usd === 'number' && typeof tokens === 'number' ? { run, taskId, usd, tokens } : undefined;
}

const TOP_UP = 'top_up';

/** Event that raises the reservation of a run. */
export function topUpEvent(
  run: { readonly id: string; readonly taskId: string },
  reserve: Reservation,
  before: Reservation,
): EventDraft {
  const detail = { run: run.id, reserve: { ...reserve }, before: { usd: before.usd, tokens: before.tokens } };
  return { op: TOP_UP, task_id: run.taskId, actor: 'coordinator', detail, patch: [] };
}

function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

/** Whether any limit is set; without one no ledger is needed. */
export function isBounded({ caps, moreUsd, moreTokens }: Allowance): boolean {
  return moreUsd !== undefined || moreTokens !== undefined || Object.values(caps).some((cap) => cap !== undefined);
}

/** A model call, as recorded in the log. */
export interface ModelCall {
  readonly id: string;
  readonly purpose: string;
  readonly model: string;
  readonly task?: string | undefined;
  readonly reserve: Reservation;
  /** Deadline in milliseconds since 1970: by then the caller has its answer, or is gone. */
  readonly until: number;
}

/** Result of a model call: its usage, if known; `free` if nothing can have been spent. */
export type CallEnd = { readonly usage?: AttemptUsage | undefined } | { readonly free: true };

/**
 * Amounts to reserve for a model call, at high prices and independent of the usual reservation: an answer cannot be
 * stopped half-way.
 */
export function modelReservation(promptBytes: number): Reservation {
  const questionTokens = Math.ceil(promptBytes / WORK_LIMITS.bytesPerTokenLeast);
  const { modelAnswerTokens: answered, modelUsdPerMillionIn: dearIn, modelUsdPerMillionOut: dearOut } = WORK_LIMITS;
  const usd = (questionTokens * dearIn + answered * dearOut) / 1_000_000;
  return { usd, tokens: questionTokens + answered };
}

export function callEvent({ id, purpose, model, task, reserve, until }: ModelCall, actor: string): EventDraft {
  const detail = { call: id, purpose, model, reserve: { ...reserve }, until: timestamp(until) };
  return { op: 'model_call', ...(task === undefined ? {} : { task_id: task }), actor, detail, patch: [] };
}

export function callEndEvent(id: string, end: CallEnd, actor: string): EventDraft {
  const detail =
    'free' in end ? { call: id, free: true } : { call: id, ...(end.usage ? { usage: { ...end.usage } } : {}) };
  return { op: 'model_settled', actor, detail, patch: [] };
}

/** The model call that an entry starts; undefined if there is none. */
export function callIn({ op, task_id: task, detail }: Pick<Entry, 'op' | 'task_id' | 'detail'>): ModelCall | undefined {
  if (op !== 'model_call') return undefined;
  const { call, purpose, model, until } = detail ?? {};
  const { usd, tokens } = (detail?.['reserve'] ?? {}) as Partial<Record<'usd' | 'tokens', unknown>>;
  if (typeof call !== 'string' || typeof usd !== 'number' || typeof tokens !== 'number') return undefined;
  const ends = timeOf(typeof until === 'string' ? until : undefined);
  return { id: call, purpose: String(purpose), model: String(model), task, reserve: { usd, tokens }, until: ends };
}

/** The end of a model call that an entry records. */
function callEndIn({ op, detail }: Pick<Entry, 'op' | 'detail'>): { id: string; end: CallEnd } | undefined {
  const id = detail?.['call'];
  if (op !== 'model_settled' || typeof id !== 'string') return undefined;
  return {
    id,
    end: detail?.['free'] === true ? { free: true } : { usage: detail?.['usage'] as AttemptUsage | undefined },
  };
}
