import type { Entry, EventDraft } from '#core/graph/event.js';
import { timeOf } from '#core/graph/time.js';
import { timestamp } from '#kernel/clock.js';
import { LIMITS } from '#kernel/limits.js';
import { numberOf } from '#kernel/numbers.js';
import { type Reservation, type SpentBudget, spentOf } from './budget.js';
import type { AttemptUsage, Budget } from './snapshot.js';

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
  /** Questions to models that are under way. */
  private readonly calls = new Map<string, ModelCall>();
  private readonly usdByTask = new Map<string, number>();
  private total: SpentBudget = NOTHING;
  private today = { ...NOTHING, day: 0 };
  private opened: Reservation = NOTHING;

  /** What was spent until now does not count against what is allowed beyond it. */
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

  /** What an event sets aside, from the moment it is decided: nobody else may take that while it is written down. */
  hold(event: EventDraft): void {
    const claim = claimIn(event) ?? topUpIn(event, 'reserve');
    if (claim) this.reserved.set(claim.run, claim);
    const call = callIn(event);
    if (call) this.calls.set(call.id, call);
  }

  /** It was not written down after all. */
  release(event: EventDraft): void {
    const claim = claimIn(event);
    if (claim) this.reserved.delete(claim.run);
    const before = topUpIn(event, 'before');
    if (before) this.reserved.set(before.run, before);
    const call = callIn(event);
    if (call) this.calls.delete(call.id);
  }

  /** The books as of a moment. */
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
      this.lapse(call); // as it was counted meanwhile
    else if (!('free' in ended.end)) this.spend(callCost(ended.end.usage, call.reserve), at, call.task);
  }

  /** Nobody said how it ended: whoever asked is gone, and what was set aside may have been spent. */
  private lapse(call: ModelCall): void {
    this.calls.delete(call.id);
    this.spend(callCost(undefined, call.reserve), call.until, call.task);
  }

  /** However a run ended, what it reported is what it spent: its reservation was never money. */
  private settle(entry: Entry, taskId: string, run: string): void {
    this.reserved.delete(run);
    const usage = entry.detail?.['usage'] as AttemptUsage | undefined;
    if (usage !== undefined) this.spend(spentOf(usage), timeOf(entry.timestamp), taskId);
  }

  private spend(cost: SpentBudget, at: number, task: string | undefined): void {
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

/** Cost of a question: where nobody says what it used, what was set aside, as nobody stops an answer half-way. */
function callCost(usage: AttemptUsage | undefined, { usd, tokens }: Reservation): SpentBudget {
  if (usage?.cost_usd !== undefined) return spentOf(usage);
  return { usd, tokens: usage === undefined ? tokens : spentOf(usage).tokens, estimated: usd, unpriced: 0 };
}

function claimIn(event: EventDraft) {
  return event.op === 'claim' ? reservationIn(event, 'reserve') : undefined;
}

/** What a run may use from then on, or what it might before. */
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

/** More is set aside for a run at work. */
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

/** Is anything bounded at all? Without a bound nobody need keep a ledger. */
export function isBounded({ caps, moreUsd, moreTokens }: Allowance): boolean {
  return moreUsd !== undefined || moreTokens !== undefined || Object.values(caps).some((cap) => cap !== undefined);
}

/** A question to a model, as the log has it. */
export interface ModelCall {
  readonly id: string;
  readonly purpose: string;
  readonly model: string;
  readonly task?: string | undefined;
  readonly reserve: Reservation;
  /** Milliseconds since 1970: whoever asked has its answer until then, or is gone. */
  readonly until: number;
}

/** How it went: what it used, as far as that is known; `free` when nothing can have been spent. */
export type CallEnd = { readonly usage?: AttemptUsage | undefined } | { readonly free: true };

/** What a question costs at a dear price, however little a claim usually sets aside: nobody stops an answer half-way. */
export function modelReservation(promptBytes: number): Reservation {
  const questionTokens = Math.ceil(promptBytes / LIMITS.bytesPerTokenLeast);
  const { modelAnswerTokens: answered, modelUsdPerMillionIn: dearIn, modelUsdPerMillionOut: dearOut } = LIMITS;
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

/** The call that an entry begins; undefined when it begins none. */
export function callIn({ op, task_id: task, detail }: Pick<Entry, 'op' | 'task_id' | 'detail'>): ModelCall | undefined {
  if (op !== 'model_call') return undefined;
  const { call, purpose, model, until } = detail ?? {};
  const { usd, tokens } = (detail?.['reserve'] ?? {}) as Partial<Record<'usd' | 'tokens', unknown>>;
  if (typeof call !== 'string' || typeof usd !== 'number' || typeof tokens !== 'number') return undefined;
  const ends = timeOf(typeof until === 'string' ? until : undefined);
  return { id: call, purpose: String(purpose), model: String(model), task, reserve: { usd, tokens }, until: ends };
}

/** How a call ended that an entry tells of. */
function callEndIn({ op, detail }: Pick<Entry, 'op' | 'detail'>): { id: string; end: CallEnd } | undefined {
  const id = detail?.['call'];
  if (op !== 'model_settled' || typeof id !== 'string') return undefined;
  return {
    id,
    end: detail?.['free'] === true ? { free: true } : { usage: detail?.['usage'] as AttemptUsage | undefined },
  };
}
