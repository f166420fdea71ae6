import path from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '#adapters/models/scripted-model.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { initialiseStore } from '#adapters/store/files/initialise.js';
import type { Allowance } from '#core/coordinator/budget-book.js';
import type { EventDraft } from '#core/graph/event.js';
import { priceTable } from '#core/runs/prices.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { Books } from '#operations/settings/books.js';
import { ProjectBudget, ReservedModel } from '#operations/settings/budget.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { ModelAnswer, ModelQuestion } from '#ports/model.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const START = Date.parse('2026-03-01T10:00:00Z');
const PROMPT = 'x'.repeat(300);
/** What a question of that prompt sets aside. */
const PART = 0.1029;
const prices = (models: object) => async () =>
  priceTable({ as_of: '2026-03-01', source: 'test', clients: {}, aliases: {}, models });
const NO_PRICES = prices({});
let last = 0;
const freshId = () => `call-${++last}`;

function budgetOf(store: GraphStore, allowance: Allowance, alone = true, clock = { now: () => START }): ProjectBudget {
  const books = new Books({ store: async () => store, alone });
  return new ProjectBudget({ books, clock, actor: 'ann', allowance: async () => allowance, freshId });
}

const capped = (usdPerDay: number): Allowance => ({ caps: { usdPerDay }, reserve: { usd: 1, tokens: 200_000 } });

async function eventsOf(store: GraphStore): Promise<EventDraft[]> {
  const found: EventDraft[] = [];
  for await (const { op, task_id, detail, patch } of store.entries(1)) {
    found.push({ op, ...(task_id === undefined ? {} : { task_id }), ...(detail ? { detail } : {}), patch });
  }
  return found;
}

verifies(
  ['model.limits', 'budget.reserve'],
  'a question is set aside in the log before it goes out and settled after it; what does not fit is never asked',
  async () => {
    const store = new GraphInMemory({ now: () => START });
    const asking = new ScriptedModel(['yes', 'yes']);
    const logWhenAsked: string[][] = [];
    const model = new ReservedModel(
      {
        name: 'scripted',
        ready: () => asking.ready(),
        complete: async (question) => {
          logWhenAsked.push((await eventsOf(store)).map(({ op }) => op));
          const answer = await asking.complete(question);
          return { ...answer, usage: { inputTokens: 10, outputTokens: 2, costUsd: 0.15 } };
        },
      },
      budgetOf(store, capped(0.2)),
      NO_PRICES,
    );
    const question = { prompt: PROMPT, timeMs: 30_000, purpose: 'triage', task: 'a' };
    expect((await model.complete(question)).text).toBe('yes');
    expect(logWhenAsked).toEqual([['model_call']]);
    const [call, end] = await eventsOf(store);
    expect(call).toMatchObject({
      task_id: 'a',
      detail: { purpose: 'triage', model: 'scripted', until: '2026-03-01T10:01:30.000Z', reserve: { tokens: 4_196 } },
      patch: [],
    });
    expect(end).toMatchObject({
      op: 'model_settled',
      detail: { call: call?.detail?.['call'], usage: { cost_usd: 0.15, input_tokens: 10, output_tokens: 2 } },
    });
    await expect(model.complete(question)).rejects.toMatchObject({
      code: 'budget_spent',
      message: expect.stringContaining('0.15 of 0.2 today'),
    });
    expect(asking.asked).toHaveLength(1);
    expect(await eventsOf(store)).toHaveLength(2);
  },
);

verifies(
  'model.limits',
  'a question that failed counts as what was set aside; one that was turned away is free',
  async () => {
    const unspent = new TroupeError('bad_model_answer', { details: { unspent: true } });
    for (const [failure, free] of [
      [new TroupeError('bad_model_answer'), undefined],
      [unspent, true],
      [new TroupeError('no_model'), true],
    ] as const) {
      const store = new GraphInMemory({ now: () => START });
      const model = new ReservedModel(new ScriptedModel([failure]), budgetOf(store, capped(1)), NO_PRICES);
      await expect(model.complete({ prompt: PROMPT, timeMs: 1_000 })).rejects.toBe(failure);
      const [, end] = await eventsOf(store);
      expect([end?.op, end?.detail?.['free']]).toEqual(['model_settled', free]);
    }
  },
);

verifies(
  'pay.unpriced',
  'an answer with tokens and no price is paid by the table, with and without a budget; without a price what was set aside counts',
  async () => {
    const answering = new ScriptedModel(['yes', 'yes', 'yes']);
    const named = (name: string) => ({
      name,
      ready: () => answering.ready(),
      complete: async (question: ModelQuestion) => ({
        ...(await answering.complete(question)),
        usage: { inputTokens: 1_000, outputTokens: 100 },
      }),
    });
    const store = new GraphInMemory({ now: () => START });
    const table = prices({ 'house-1': { input: 2, output: 10 } });
    const paid = { inputTokens: 1_000, outputTokens: 100, costUsd: 0.003, estimatedUsd: 0.003 };
    const question = { prompt: PROMPT, timeMs: 1_000 };
    const bounded = new ReservedModel(named('anthropic house-1'), budgetOf(store, capped(1)), table);
    expect((await bounded.complete(question)).usage).toEqual(paid);
    const [, end] = await eventsOf(store);
    expect(end?.detail?.['usage']).toMatchObject({ cost_usd: 0.003, estimated_usd: 0.003, input_tokens: 1_000 });
    const free = budgetOf(store, { caps: {}, reserve: { usd: 1, tokens: 1 } });
    expect((await new ReservedModel(named('house-1'), free, table).complete(question)).usage).toEqual(paid);
    const unknown = await new ReservedModel(named('house-2'), free, table).complete(question);
    expect(unknown.usage).toEqual({ inputTokens: 1_000, outputTokens: 100 });
  },
);

test('where nothing is bounded the log hears of nothing; an answer is not lost when its price cannot be written', async () => {
  const store = new GraphInMemory({ now: () => START });
  const free = budgetOf(store, { caps: {}, reserve: { usd: 1, tokens: 1 } });
  await new ReservedModel(new ScriptedModel(['yes']), free, NO_PRICES).complete({ prompt: PROMPT, timeMs: 1_000 });
  expect(await eventsOf(store)).toEqual([]);
  const broken = { reserve: async () => 'one', settle: () => Promise.reject(new TroupeError('disk_full')) };
  const answer = await new ReservedModel(new ScriptedModel(['yes']), broken, NO_PRICES).complete({
    prompt: PROMPT,
    timeMs: 1_000,
  });
  expect(answer.text).toBe('yes');
});

verifies('model.limits', 'whoever was killed while asking holds its part until its time is over', async () => {
  const store = new GraphInMemory({ now: () => START });
  const question = { purpose: 'triage', model: 'm', promptBytes: 300, timeMs: 30_000 };
  expect(await budgetOf(store, capped(PART * 1.5)).reserve(question)).toBeDefined(); // and never heard of again
  const at = (ms: number) => budgetOf(store, capped(PART * 1.5), true, { now: () => START + ms }).reserve(question);
  await expect(at(30_000 + WORK_LIMITS.modelReservationGraceMs)).rejects.toMatchObject({ code: 'budget_spent' });
  const nextDay = await at(24 * 60 * 60_000);
  expect(nextDay).toBeDefined();
});

verifies(
  ['model.limits', 'budget.reserve'],
  'however many ask at once, in one process or in several, no cap is passed',
  async () => {
    const question = { purpose: 'placing', model: 'm', promptBytes: 300, timeMs: 30_000 };
    const taken = async (budgets: readonly ProjectBudget[]) => {
      const outcomes = await Promise.allSettled(budgets.map((budget) => budget.reserve(question)));
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
      expect(new Set(refused)).toEqual(new Set(['budget_spent']));
      return outcomes.filter(({ status }) => status === 'fulfilled').length;
    };
    const one = budgetOf(new GraphInMemory({ now: () => START }), capped(PART * 3.5));
    expect(await taken(Array.from({ length: 12 }, () => one))).toBe(3);
    const folder = path.join(room(), '.workgraph');
    initialiseStore(folder);
    const clock = { now: () => START };
    const stores = await Promise.all(
      Array.from({ length: 6 }, () => FileStore.open({ folder, clock, processes: new ProcessTable(), hold: false })),
    );
    expect(await taken(stores.map((store) => budgetOf(store, capped(PART * 3.5), false)))).toBe(3);
    for (const store of stores) await store.close();
  },
);

verifies('pay.task', 'what is settled names what the provider said, and nothing of what it left out', async () => {
  const settledAs = async (usage: ModelAnswer['usage']) => {
    const store = new GraphInMemory({ now: () => START });
    const answering = new ScriptedModel(['yes']);
    const complete = async (question: ModelQuestion) => {
      const answer = await answering.complete(question);
      return usage === undefined ? answer : { ...answer, usage };
    };
    const model = { name: 'scripted', ready: () => answering.ready(), complete };
    await new ReservedModel(model, budgetOf(store, capped(1)), NO_PRICES).complete({ prompt: PROMPT, timeMs: 1_000 });
    return (await eventsOf(store))[1]?.detail?.['usage'];
  };
  expect(await settledAs(undefined)).toBeUndefined();
  expect(await settledAs({ inputTokens: 3 })).toEqual({ input_tokens: 3 });
  expect(await settledAs({ outputTokens: 4 })).toEqual({ output_tokens: 4 });
  expect(await settledAs({ costUsd: 0 })).toEqual({ cost_usd: 0 });
  expect(await settledAs({ costUsd: 0.2, estimatedUsd: 0.1 })).toEqual({ cost_usd: 0.2, estimated_usd: 0.1 });
});
