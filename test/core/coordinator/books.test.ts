import { expect, test } from 'vitest';
import {
  BudgetBook,
  callEndEvent,
  callEvent,
  callIn,
  isBounded,
  type ModelCall,
  modelReservation,
  topUpEvent,
} from '#core/coordinator/budget-book.js';
import type { AttemptUsage } from '#core/coordinator/snapshot.js';
import type { Entry, EventDraft } from '#core/graph/event.js';
import { timestamp } from '#kernel/clock.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { NOW } from './stage.js';

const DAY = 24 * 60 * 60_000;
const MIDNIGHT = Math.ceil(NOW / DAY) * DAY;
const CALL: ModelCall = {
  ...{ id: 'c1', purpose: 'triage', model: 'haiku', task: 'a', reserve: { usd: 2, tokens: 30 }, until: NOW + 1_000 },
};
const entry = (draft: EventDraft, at = NOW): Entry => ({ ...draft, seq: 1, id: 'x', timestamp: timestamp(at) });
const claim = (run: string, task: string, usd: number, tokens: number): EventDraft => ({
  ...{ op: 'claim', task_id: task, actor: run, patch: [], detail: { run, reserve: { usd, tokens } } },
});
const over = (run: string, task: string, usage?: AttemptUsage): EventDraft => ({
  ...{
    op: 'agent_complete',
    task_id: task,
    actor: 'x',
    patch: [],
    detail: { run, ...(usage ? { usage: { ...usage } } : {}) },
  },
});

/** The books after these entries: what is set aside by whom, and what was spent. */
function books(entries: readonly Entry[], now = NOW) {
  const book = new BudgetBook();
  for (const one of entries) book.add(one);
  const { reserved, spent } = book.budget({ caps: {}, reserve: { usd: 1, tokens: 1 } }, now);
  const { usdByTask, ...amounts } = spent;
  const told = Object.entries(amounts).filter(([, amount]) => amount !== 0);
  return {
    reserved: Object.fromEntries(reserved),
    spent: Object.fromEntries(told),
    tasks: Object.fromEntries(usdByTask),
  };
}
const nothing = { reserved: {}, spent: {}, tasks: {} };

test('a run sets aside from its claim to its end, more once it was topped up, and spends what it reports', () => {
  const claimed = entry(claim('agent-1', 'a', 1, 20));
  expect(books([claimed])).toEqual({
    ...nothing,
    reserved: { 'agent-1': expect.objectContaining({ taskId: 'a', usd: 1, tokens: 20 }) },
  });
  const more = topUpEvent({ id: 'agent-1', taskId: 'a' }, { usd: 3, tokens: 40 }, { usd: 1, tokens: 20 });
  expect(more).toMatchObject({ op: 'top_up', task_id: 'a', actor: 'coordinator', patch: [] });
  expect(books([claimed, entry(more)]).reserved['agent-1']).toMatchObject({ usd: 3, tokens: 40 });
  expect(books([claimed, entry(over('agent-1', 'a'))])).toEqual(nothing);
  expect(books([claimed, entry(over('agent-1', 'a', { cost_usd: 0.5, input_tokens: 7, output_tokens: 2 }))])).toEqual({
    ...nothing,
    spent: { usdToday: 0.5, usdTotal: 0.5, tokensToday: 9, tokensTotal: 9 },
    tasks: { a: 0.5 },
  });
  for (const odd of [{ ...claim('agent-1', 'a', 1, 20), op: 'edit' }, claim('agent-1', 'a', 1, 'x' as never)])
    expect(books([entry(odd)])).toEqual(nothing);
});

test('what was decided and not written down is given back', () => {
  const book = new BudgetBook();
  const set = () =>
    [...book.budget({ caps: {}, reserve: { usd: 1, tokens: 1 } }, NOW).reserved].map(([id, { usd }]) => `${id} ${usd}`);
  const more = topUpEvent({ id: 'agent-1', taskId: 'a' }, { usd: 3, tokens: 40 }, { usd: 1, tokens: 20 });
  const steps: readonly [() => void, readonly string[]][] = [
    [() => book.hold(claim('agent-1', 'a', 1, 20)), ['agent-1 1']],
    [() => book.hold(more), ['agent-1 3']],
    [() => book.release(more), ['agent-1 1']],
    [() => book.hold(callEvent(CALL, 'x')), ['agent-1 1', 'call c1 2']],
    [() => book.release(claim('agent-1', 'a', 1, 20)), ['call c1 2']],
    [() => book.release(callEvent(CALL, 'x')), []],
  ];
  for (const [step, said] of steps) {
    step();
    expect(set()).toEqual(said);
  }
});

test('a question sets aside until it is answered, and costs what it reports, or what was set aside', () => {
  const asked = entry(callEvent(CALL, 'x'));
  expect(books([asked])).toEqual({ ...nothing, reserved: { 'call c1': { taskId: 'a', usd: 2, tokens: 30 } } });
  const { task: _, ...ofNone } = CALL;
  expect(books([entry(callEvent(ofNone, 'x'))]).reserved).toEqual({ 'call c1': { taskId: '', usd: 2, tokens: 30 } });
  const answered = (end: Parameters<typeof callEndEvent>[1], at = NOW) =>
    books([asked, entry(callEndEvent('c1', end, 'x'), at)], at);
  const lapsed = {
    ...nothing,
    spent: { usdToday: 2, usdTotal: 2, tokensToday: 30, tokensTotal: 30, usdEstimatedToday: 2, usdEstimatedTotal: 2 },
    tasks: { a: 2 },
  };
  expect(answered({ free: true })).toEqual(nothing);
  expect(answered({ usage: { cost_usd: 0.25, input_tokens: 3 } })).toEqual({
    ...nothing,
    spent: { usdToday: 0.25, usdTotal: 0.25, tokensToday: 3, tokensTotal: 3 },
    tasks: { a: 0.25 },
  });
  expect(answered({ usage: { input_tokens: 3 } })).toEqual({
    ...lapsed,
    spent: { ...lapsed.spent, tokensToday: 3, tokensTotal: 3 },
  });
  expect(answered({})).toEqual(lapsed);
  expect(answered({ free: true }, CALL.until)).toEqual(nothing);
  expect(answered({ free: true }, CALL.until + 1), 'too late').toEqual(lapsed);
  expect(books([asked], CALL.until)).toMatchObject({ spent: {} });
  expect(books([asked], CALL.until + 1), 'nobody has said').toEqual(lapsed);
  expect(books([asked, entry(callEndEvent('c2', { free: true }, 'x'))]).reserved).toHaveProperty('call c1');
});

test('a day ends at midnight, and what comes late counts in total alone', () => {
  const spent = (at: number) => entry(over('agent-1', 'a', { cost_usd: 1 }), at);
  const told = (entries: readonly Entry[], now: number) => {
    const { usdToday = 0, usdTotal = 0 } = books(entries, now).spent as { usdToday?: number; usdTotal?: number };
    return [usdToday, usdTotal];
  };
  expect([
    told([spent(MIDNIGHT - 1)], MIDNIGHT - 1),
    told([spent(MIDNIGHT - 1)], MIDNIGHT),
    told([spent(MIDNIGHT - 1), spent(MIDNIGHT)], MIDNIGHT),
    told([spent(MIDNIGHT), spent(MIDNIGHT - 1)], MIDNIGHT),
    told([spent(MIDNIGHT), spent(MIDNIGHT)], MIDNIGHT + DAY - 1),
  ]).toEqual([
    [1, 1],
    [0, 1],
    [1, 2],
    [1, 2],
    [2, 2],
  ]);
});

test('what is allowed beyond what was spent counts from the opening of the books', () => {
  const book = new BudgetBook();
  book.add(entry(over('agent-1', 'a', { cost_usd: 1, input_tokens: 5 })));
  book.open();
  book.add(entry(over('agent-2', 'a', { cost_usd: 1 })));
  const allowed = { caps: { usdPerDay: 9 }, reserve: { usd: 1, tokens: 1 }, moreUsd: 2, moreTokens: 7 };
  expect(book.budget(allowed, NOW).caps).toEqual({ usdPerDay: 9, usdByOption: 3, tokensTotal: 12 });
  const bounds = [{}, { caps: { usdPerDay: 0 } }, { moreUsd: 0 }, { moreTokens: 0 }, { caps: { usdTotal: undefined } }];
  expect(bounds.map((more) => isBounded({ caps: {}, reserve: { usd: 1, tokens: 1 }, ...more } as never))).toEqual([
    ...[false, true, true, true, false],
  ]);
});

test('a question is read back from the log as it was written; anything else is none', () => {
  expect(callIn(callEvent(CALL, 'x'))).toEqual(CALL);
  const event = callEvent(CALL, 'x');
  for (const more of [{ call: 7 }, { reserve: { usd: 1 } }, { reserve: { tokens: 1 } }, { reserve: undefined }])
    expect(callIn({ ...event, detail: { ...event.detail, ...more } as never }), JSON.stringify(more)).toBeUndefined();
  expect(callIn({ ...event, op: 'claim' })).toBeUndefined();
  expect(callIn({ op: 'model_call' })).toBeUndefined();
  const { bytesPerTokenLeast: bytes, modelAnswerTokens, modelUsdPerMillionIn, modelUsdPerMillionOut } = WORK_LIMITS;
  const answer = (modelAnswerTokens * modelUsdPerMillionOut) / 1e6;
  expect(modelReservation(0)).toEqual({ usd: answer, tokens: modelAnswerTokens });
  const { usd, tokens } = modelReservation(bytes * 10 + 1);
  expect([tokens, usd]).toEqual([
    modelAnswerTokens + 11,
    expect.closeTo(answer + (11 * modelUsdPerMillionIn) / 1e6, 9),
  ]);
});
