import { expect, test } from 'vitest';
import {
  type Allowance,
  BudgetBook,
  callEndEvent,
  callEvent,
  modelReservation,
} from '#core/coordinator/budget-book.js';
import type { Entry, EventDraft } from '#core/graph/event.js';
import { timestamp } from '#kernel/clock.js';
import { verifies } from '../../verifies.js';
import { NOW } from './stage.js';

const MINUTE = 60_000;
const allowance: Allowance = { caps: { usdPerDay: 10 }, reserve: { usd: 1, tokens: 200_000 } };
const call = (id: string, fields: object = {}) =>
  callEvent(
    {
      id,
      purpose: 'triage',
      model: 'm',
      task: 'a',
      reserve: { usd: 0.5, tokens: 900 },
      until: NOW + MINUTE,
      ...fields,
    },
    'ann',
  );
const written = (event: EventDraft, at = NOW): Entry => ({ ...event, seq: 1, id: 'x', timestamp: timestamp(at) });

function bookOf(...entries: Entry[]): BudgetBook {
  const book = new BudgetBook();
  for (const entry of entries) book.add(entry);
  return book;
}

verifies(
  ['model.limits', 'budget.reserve'],
  'a question holds its part until it is settled: with its price, without one as what was set aside, or free',
  () => {
    const asked = bookOf(written(call('one'))).budget(allowance, NOW);
    expect([...asked.reserved.values()]).toEqual([{ taskId: 'a', usd: 0.5, tokens: 900 }]);
    expect(asked.spent.usdToday).toBe(0);
    const after = (end: Parameters<typeof callEndEvent>[1]) => {
      const book = bookOf(written(call('one')), written(callEndEvent('one', end, 'ann'), NOW + 1_000));
      const { reserved, spent } = book.budget(allowance, NOW + 2_000);
      return { left: reserved.size, usd: spent.usdToday, tokens: spent.tokensToday, ofTask: spent.usdByTask.get('a') };
    };
    expect(after({ usage: { cost_usd: 0.02, input_tokens: 10, output_tokens: 5 } })).toEqual({
      ...{ left: 0, usd: 0.02, tokens: 15, ofTask: 0.02 },
    });
    expect(after({ usage: { input_tokens: 10 } })).toEqual({ left: 0, usd: 0.5, tokens: 10, ofTask: 0.5 });
    expect(after({})).toEqual({ left: 0, usd: 0.5, tokens: 900, ofTask: 0.5 });
    expect(after({ free: true })).toEqual({ left: 0, usd: 0, tokens: 0, ofTask: undefined });
  },
);

verifies('model.limits', 'a reservation whose process was killed ends by its time and counts as spent, once', () => {
  const book = bookOf(written(call('one', { task: undefined })));
  expect(book.budget(allowance, NOW + MINUTE).reserved.size).toBe(1);
  const later = book.budget(allowance, NOW + MINUTE + 1);
  expect([later.reserved.size, later.spent.usdToday]).toEqual([0, 0.5]);
  expect(book.budget(allowance, NOW + 5 * MINUTE).spent.usdToday).toBe(0.5);
  // Who comes late after all changes nothing, whether the book saw it lapse or reads it all at once.
  const late = written(callEndEvent('one', { usage: { cost_usd: 9 } }, 'ann'), NOW + 2 * MINUTE);
  book.add(late);
  expect(book.budget(allowance, NOW + 5 * MINUTE).spent.usdToday).toBe(0.5);
  expect(bookOf(written(call('one')), late).budget(allowance, NOW + 5 * MINUTE).spent.usdToday).toBe(0.5);
});

test('what is held before it is written down is taken, and free again when it was not written down', () => {
  const book = new BudgetBook();
  book.hold(call('one'));
  expect(book.budget(allowance, NOW).reserved.size).toBe(1);
  book.release(call('one'));
  expect(book.budget(allowance, NOW).reserved.size).toBe(0);
  const claim = { op: 'claim', task_id: 'a', detail: { run: 'agent-1', reserve: { usd: 1, tokens: 5 } }, patch: [] };
  book.hold(claim);
  book.add(written(claim));
  expect([...book.budget(allowance, NOW).reserved]).toEqual([
    ['agent-1', { run: 'agent-1', taskId: 'a', usd: 1, tokens: 5 }],
  ]);
  book.add(written({ op: 'model_call', detail: { call: 'odd', reserve: { usd: 'much' } }, patch: [] }));
  expect(book.budget(allowance, NOW).reserved.size).toBe(1);
});

test('a question sets aside what it may cost at a dear price, however long it is', () => {
  const short = modelReservation(300);
  expect(short.tokens).toBe(100 + 4_096);
  expect(short.usd).toBeCloseTo(0.1029, 4);
  expect(modelReservation(3_000_000).usd).toBeGreaterThan(5);
});
