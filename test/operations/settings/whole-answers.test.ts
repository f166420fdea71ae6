import { expect, test } from 'vitest';
import { callEvent } from '#core/coordinator/budget-book.js';
import type { GraphView } from '#core/graph/view.js';
import { priceTable } from '#core/runs/prices.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Context } from '#operations/operation.js';
import { ask, type ModelRequest, modelFor, modelOrRefusal, promptText } from '#operations/settings/ask.js';
import { Books, bookIn } from '#operations/settings/books.js';
import { ProjectBudget, ReservedModel } from '#operations/settings/budget.js';
import type { Model, ModelAnswer, ModelQuestion } from '#ports/model.js';
import { world } from '../../e2e/world.js';
import { GraphInMemory } from '../../graph-in-memory.js';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const refused = (code: 'no_model' | 'bad_model_answer' | 'budget_spent', details = {}) =>
  new TroupeError(code, { what: 'No.', hint: 'Help.', details });

type Step = Partial<ModelAnswer> | Error;

function stage(steps: readonly Step[], { config = {}, ...more }: { config?: object } & Partial<Model> = {}) {
  const asked: ModelQuestion[] = [];
  const left = [...steps];
  const model: Model = {
    ready: async () => undefined,
    complete: async (question) => {
      asked.push(question);
      const step = left.shift() ?? new Error('asked too often');
      if (step instanceof Error) throw step;
      return { text: 'yes', ...step };
    },
    ...more,
  };
  const settings = async () => ({
    name: 'config.toml',
    read: async () => config as never,
    set: async () => ({ kept: true }),
  });
  const context: Context = { ...world().context, settings, model: async () => model, freshId: () => 'a-b/c' };
  const question = (wish: Partial<ModelRequest<string>> = {}) =>
    ask<string>(context, {
      ...{ purpose: 'placing', name: 'place', blocks: [] },
      ...{ take: (text: string) => (text === 'yes' ? text : undefined), ...wish },
    });
  return { asked, context, question };
}

test('a reply tells who was asked what, the records of all calls, and what they cost together', async () => {
  const { asked, question } = stage(
    [
      { text: 'no', runId: 'r1', usage: { costUsd: 0.5 } },
      refused('bad_model_answer', { run_id: 'r2' }),
      { runId: 'r3', usage: { costUsd: 0.25 } },
    ],
    { name: 'anthropic small' },
  );
  const reply = await question({ tries: 3, task: 'a', timeMs: 7 });
  const prompt = asked[0]?.prompt;
  expect(reply).toEqual({ answer: 'yes', model: 'anthropic small', runIds: ['r1', 'r2', 'r3'], prompt, costUsd: 0.75 });
  expect(asked).toEqual(Array(3).fill({ prompt, timeMs: 7, purpose: 'placing', task: 'a' }));
  const plain = stage([{}]);
  expect(await plain.question()).toEqual({ answer: 'yes', model: 'a model', runIds: [], prompt: expect.any(String) });
  expect(plain.asked[0]).toEqual({ prompt: expect.any(String), timeMs: TEAM_LIMITS.modelCallMs, purpose: 'placing' });
});

test('each way to have no answer, in all its parts', async () => {
  const failure = async (
    step: Step,
    more: Parameters<typeof stage>[1] = {},
    wish: Partial<ModelRequest<string>> = {},
  ) => {
    const { failure: why, ...reply } = await stage([step], more).question(wish);
    return [why, reply.model, reply.runIds];
  };
  const of = (code: string) => ({ code, reason: 'No.', hint: 'Help.', expected: true });
  expect(await failure(refused('no_model'))).toEqual([of('no_model'), 'a model', []]);
  expect(await failure(refused('budget_spent'), { name: 'm' })).toEqual([of('budget_spent'), 'm', []]);
  expect(await failure(refused('bad_model_answer', { run_id: 'r' }))).toEqual([of('call_failed'), 'a model', ['r']]);
  expect(await failure({ text: 'prose' })).toEqual([
    { ...of('bad_answer'), reason: expect.any(String), hint: 'Try again, or continue without a model.' },
    ...['a model', []],
  ]);
  const unready = { ready: () => Promise.reject(refused('no_model')) };
  const casting = { purpose: 'casting' as const };
  expect(await failure({}, unready, casting)).toEqual([{ ...of('no_model'), expected: false }, 'a model', []]);
  const named = { ...casting, named: { provider: 'anthropic' as const } };
  expect(await failure({}, unready, named)).toEqual([of('no_model'), 'a model', []]);
  const never = { config: { models: { ask: 'never' } } };
  const forbidden = { code: 'no_model', reason: expect.any(String), hint: expect.any(String) };
  expect(await failure({}, never, casting)).toEqual([{ ...forbidden, expected: false }, 'none', []]);
  expect(await failure({}, never, named)).toEqual([{ ...forbidden, expected: true }, 'none', []]);
  const odd = new Error('odd');
  await expect(stage([odd]).question()).rejects.toBe(odd);
  await expect(stage([new TroupeError('disk_full')]).question()).rejects.toMatchObject({ code: 'disk_full' });
  const take = () => {
    throw odd;
  };
  await expect(stage([{}]).question({ take })).rejects.toBe(odd);
});

test('who would be asked is told before, or refused', async () => {
  expect(await modelFor(stage([], { name: 'm' }).context, 'placing')).toMatchObject({ name: 'm' });
  const unready = stage([], { ready: () => Promise.reject(refused('no_model')) }).context;
  await expect(modelOrRefusal(unready, 'placing')).rejects.toMatchObject({
    code: 'no_model',
    message: 'No.',
    hint: 'Help.',
  });
  await expect(modelOrRefusal(stage([]).context, 'placing')).resolves.toBeUndefined();
});

test('a question goes out under a nonce of letters and digits, with the values of its words', async () => {
  const { context } = stage([]);
  const words = { place: 'Say {{word}}, not {{nonce}}.' };
  const wording = async () => ({ load: async () => words }) as never;
  const prompt = async (freshId: () => string) =>
    await promptText({ ...context, wording, freshId }, { name: 'place', values: { word: 'yes' }, blocks: [] });
  const nonceIn = (text: string) => /not ([\w-]+)\./.exec(text)?.[1];
  const text = await prompt(() => 'a-b/c');
  expect([nonceIn(text), text.includes('Say yes,')]).toEqual(['a-bca-bc0000', true]);
  expect(nonceIn(await prompt(() => 'x'.repeat(40)))).toBe('x'.repeat(64));
});

test('where the service ends nobody waits for a model', async () => {
  const ending = new AbortController();
  const { question } = stage([], { complete: () => new Promise<ModelAnswer>(() => undefined) });
  const waiting = question({ signal: ending.signal, tries: 3 });
  ending.abort();
  expect((await waiting).failure).toMatchObject({ code: 'call_failed', reason: 'The service has stopped.' });
  expect((await question({ signal: ending.signal })).failure?.code).toBe('call_failed');
  const asked = new AbortController();
  const complete = () => {
    queueMicrotask(() => asked.abort());
    return new Promise<ModelAnswer>(() => undefined);
  };
  expect((await stage([], { complete }).question({ signal: asked.signal })).failure?.code, 'while it is asked').toBe(
    'call_failed',
  );
  const open = new AbortController().signal;
  expect((await stage([{}]).question({ signal: open })).answer).toBe('yes');
  expect((await stage([refused('no_model')]).question({ signal: open })).failure?.code).toBe('no_model');
});

const call = (id: string) =>
  callEvent({ id, purpose: 'p', model: 'm', task: 'a', reserve: { usd: 1, tokens: 2 }, until: NOW + 1_000 }, 'ann');
const heldIn = (book: { budget: Awaited<ReturnType<typeof bookIn>>['budget'] }) => [
  ...book.budget({ caps: {}, reserve: { usd: 1, tokens: 1 } }, NOW).reserved.keys(),
];

test('what is set aside stands in the ledger at once; of what is not committed nothing stays', async () => {
  const store = new GraphInMemory({ now: () => NOW });
  await store.commit(() => ({ events: [call('before')], result: undefined }));
  for (const alone of [true, false]) {
    const books = new Books({ store: async () => store, alone });
    const book = await books.open();
    expect(await books.open()).toBe(book);
    const before = heldIn(book);
    const odd = new Error('odd');
    await expect(
      books.commit(() => {
        throw odd;
      }),
    ).rejects.toBe(odd);
    expect(heldIn(book)).toEqual(before);
    await books.commit((_, open) => {
      expect(open).toBe(book);
      return { events: [call(`own-${alone}`)], result: undefined };
    });
    expect(heldIn(book)).toEqual([...before, `call own-${alone}`]);
  }
  expect(heldIn(await bookIn(store))).toEqual(['call before', 'call own-true', 'call own-false']);
});

test('what is decided twice is held once, and what the log did not take is not', async () => {
  const store = new GraphInMemory({ now: () => NOW });
  let way: 'twice' | 'lost' = 'twice';
  const watched = {
    ...{ view: () => store.view(), entries: (from: number) => store.entries(from) },
    commit: async (decide: (view: GraphView) => never) => {
      decide((await store.view()) as GraphView);
      if (way === 'lost') throw new TroupeError('disk_full');
      return await store.commit(decide);
    },
  };
  const books = new Books({ store: async () => watched as never, alone: true });
  const book = await books.open();
  const before: string[][] = [];
  const ask = async (id: string) =>
    await books.commit(() => {
      before.push(heldIn(book));
      return { events: [call(id)], result: undefined };
    });
  await ask('one');
  expect(before).toEqual([[], []]);
  way = 'lost';
  await expect(ask('two')).rejects.toMatchObject({ code: 'disk_full' });
  expect(heldIn(book)).toEqual(['call one']);
});

test('before somebody asks for the ledger commits go by it; it waits for those that are on their way', async () => {
  const store = new GraphInMemory({ now: () => NOW });
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  let stores = 0;
  const slow = async () => {
    if (stores++ === 0) await gate;
    return store;
  };
  const books = new Books({ store: slow, alone: true });
  const early = books.commit((_, book) => ({ events: [call('early')], result: book }));
  const opening = books.open();
  go();
  expect((await early).result).toBeUndefined();
  expect(heldIn(await opening)).toEqual(['call early']);
});

test('who is not alone looks at the log before it decides, again and again, and gives up', async () => {
  const store = new GraphInMemory({ now: () => NOW });
  const books = new Books({ store: async () => store, alone: false });
  const book = await books.open();
  await store.commit(() => ({ events: [call('foreign')], result: undefined }));
  expect(heldIn((await books.commit((_, open) => ({ events: [], result: open }))).result as never)).toEqual([
    'call foreign',
  ]);
  let looks = 0;
  const busy = {
    ...{ entries: (from: number) => store.entries(from), view: () => store.view() },
    commit: async (decide: (view: GraphView) => unknown) => {
      looks++;
      return decide({ seq: 999 } as GraphView);
    },
  };
  const late = new Books({ store: async () => busy as never, alone: false });
  await expect(late.open().then(() => late.commit(() => ({ events: [], result: 1 })))).rejects.toMatchObject({
    code: 'locked',
  });
  expect(looks, 'twice a try, and once to begin').toBe(1 + 2 * WORK_LIMITS.budgetTries);
  expect(heldIn(book)).toEqual(['call foreign']);
});

test('what a model reports in tokens alone is paid by the table; what went wrong before it was asked is free', async () => {
  const ends: unknown[] = [];
  const questions: unknown[] = [];
  const budget = (id: string | undefined) => ({
    reserve: async (question: unknown) => {
      questions.push(question);
      return id;
    },
    settle: async (_: string, end: unknown) => void ends.push(end),
  });
  const prices = async () =>
    priceTable({
      as_of: '2026-03-01',
      source: 'test',
      clients: {},
      aliases: {},
      models: { small: { input: 1, output: 10 } },
    } as never);
  const complete = async (step: Step, id: string | undefined = 'c', name: string | null = 'anthropic small') => {
    const answering = async () => {
      if (step instanceof Error) throw step;
      return { text: 'yes', ...step };
    };
    const model: Model = { ready: async () => undefined, complete: answering, ...(name === null ? {} : { name }) };
    return await new ReservedModel(model, budget(id), prices)
      .complete({ prompt: 'ä', timeMs: 5 })
      .catch((error) => error.code ?? error);
  };
  const usage = { inputTokens: 1_000_000, outputTokens: 100_000 };
  const paid = { text: 'yes', usage: { ...usage, costUsd: 2, estimatedUsd: 2 } };
  expect([await complete({ usage }), await complete({ usage }, undefined)]).toEqual([paid, paid]);
  expect(await complete({ usage: { inputTokens: 1_000_000 } })).toMatchObject({ usage: { costUsd: 1 } });
  expect(await complete({ usage: { outputTokens: 100_000 } })).toMatchObject({ usage: { costUsd: 1 } });
  const dear = { usage: { inputTokens: 1, costUsd: 7 } };
  expect([await complete(dear), await complete({})]).toEqual([{ text: 'yes', ...dear }, { text: 'yes' }]);
  expect(await complete({ usage }, 'c', null)).toEqual({ text: 'yes', usage });
  const odd = new Error('odd');
  expect(await complete(odd)).toBe(odd);
  expect(await complete(refused('no_model'))).toBe('no_model');
  expect(await complete(refused('bad_model_answer', { unspent: true }))).toBe('bad_model_answer');
  expect(await complete(refused('bad_model_answer'))).toBe('bad_model_answer');
  expect(ends).toMatchInlineSnapshot(`
    [
      {
        "usage": {
          "cost_usd": 2,
          "estimated_usd": 2,
          "input_tokens": 1000000,
          "output_tokens": 100000,
        },
      },
      {
        "usage": {
          "cost_usd": 2,
          "estimated_usd": 2,
          "input_tokens": 1000000,
          "output_tokens": 100000,
        },
      },
      {
        "usage": {
          "cost_usd": 1,
          "estimated_usd": 1,
          "input_tokens": 1000000,
        },
      },
      {
        "usage": {
          "cost_usd": 1,
          "estimated_usd": 1,
          "output_tokens": 100000,
        },
      },
      {
        "usage": {
          "cost_usd": 7,
          "input_tokens": 1,
        },
      },
      {
        "usage": undefined,
      },
      {
        "usage": {
          "input_tokens": 1000000,
          "output_tokens": 100000,
        },
      },
      {},
      {
        "free": true,
      },
      {
        "free": true,
      },
      {},
    ]
  `);
  expect(questions.slice(0, 2)).toEqual(
    Array(2).fill({ purpose: 'text', model: 'anthropic small', promptBytes: 2, timeMs: 5 }),
  );
  expect(questions[6]).toMatchObject({ model: 'unknown' });
});

test('without a graph there is no ledger, and without a bound none is kept', async () => {
  const commits: unknown[] = [];
  const of = (code: 'not_initialized' | 'data_corrupt', caps: object) => {
    const store = () => {
      commits.push(code);
      return Promise.reject(new TroupeError(code));
    };
    const books = new Books({ store, alone: true });
    const allowance = async () => ({ caps, reserve: { usd: 1, tokens: 1 } });
    const parts = { books, clock: { now: () => NOW }, actor: 'ann', allowance, freshId: () => 'c' };
    return new ProjectBudget(parts).reserve({ purpose: 'p', model: 'm', promptBytes: 1, timeMs: 1 });
  };
  expect([await of('data_corrupt', {}), commits]).toEqual([undefined, []]);
  expect(await of('not_initialized', { usdPerDay: 1 })).toBeUndefined();
  await expect(of('data_corrupt', { usdPerDay: 1 })).rejects.toMatchObject({ code: 'data_corrupt' });
});
