import type { Reservation } from '#core/coordinator/grant.js';
import type { Usage } from '#core/coordinator/snapshot.js';
import type { Entry, EventDraft } from '#core/graph/event.js';
import { timeOf } from '#core/graph/time.js';
import { timestamp } from '#kernel/clock.js';
import { LIMITS } from '#kernel/limits.js';

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
export type CallEnd = { readonly usage?: Usage | undefined } | { readonly free: true };

/** What a question costs at a dear price, however little a claim usually sets aside: nobody stops an answer half-way. */
export function modelReservation(promptBytes: number): Reservation {
  const asked = Math.ceil(promptBytes / LIMITS.bytesPerTokenLeast);
  const { modelAnswerTokens: answered, modelUsdPerMillionIn: dearIn, modelUsdPerMillionOut: dearOut } = LIMITS;
  const usd = (asked * dearIn + answered * dearOut) / 1_000_000;
  return { usd, tokens: asked + answered };
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
export function callEndIn({ op, detail }: Pick<Entry, 'op' | 'detail'>): { id: string; end: CallEnd } | undefined {
  const id = detail?.['call'];
  if (op !== 'model_settled' || typeof id !== 'string') return undefined;
  return { id, end: detail?.['free'] === true ? { free: true } : { usage: detail?.['usage'] as Usage | undefined } };
}
