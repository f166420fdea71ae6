import { expect } from 'vitest';
import { NO_AGENCY } from '#core/coordinator/agency.js';
import { decide } from '#core/coordinator/parts.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { TroupeError } from '#kernel/errors.js';
import { evaluationRecord } from '#operations/agency/evaluations.js';
import { evaluationRun, evaluationVerify } from '#operations/agency/model-evaluations.js';
import { quietSnapshot } from '../../core/coordinator/quiet-snapshot.js';
import { verifies } from '../../verifies.js';
import { court } from './court.js';

const coded = (code: string) => expect.objectContaining({ code });
const bad = new TroupeError('bad_model_answer');
const CONFIRM = 'Well. {"verdict":"confirm","reason":"out/a.txt parses\\nall of it"}';
const REJECT = '{"verdict":"reject","reason":"It is a lexer, no parser."}';
const BELOW = { agency: { flip_verification_threshold: 0.5 } };

/** A project in which the flip score of `a` is low. */
async function doubt(...answers: (string | TroupeError)[]) {
  const own = await court(...answers);
  own.configure(BELOW);
  const { evaluation_id } = await own.call(evaluationRecord, {
    id: 'a',
    score: 0.31,
    source: 'flip',
    notes: 'Far off.',
  });
  const a = async () => (await own.store.view()).task('a');
  return { ...own, evaluation_id, a };
}

verifies('flip.verify', 'a low flip score alone puts its task in doubt; a better one takes that back', async () => {
  const { call, configure, put, as, store } = await court();
  const check = async () => fieldsOf((await store.view()).task('a'))['flip_check'];
  const score = async (number: number, source = 'flip') => call(evaluationRecord, { id: 'a', score: number, source });
  await score(0.1);
  expect(await check(), 'no threshold is set').toBeUndefined();
  configure(BELOW);
  await score(0.1, 'llm');
  await score(0.5);
  expect(await check(), 'at the threshold, and from elsewhere').toBeUndefined();
  const { evaluation_id: evaluation } = await score(0.49);
  expect(await check()).toEqual({ evaluation, score: 0.49, attempt: 2, state: 'low' });
  await score(0.9);
  expect(await check()).toBeUndefined();
  await put('other', { status: 'in-progress', assigned: 'agent-9', fence: 1 });
  as({ kind: 'run', name: 'agent-9', taskId: 'other', fence: 1 });
  await score(0.1);
  expect(await check(), 'no run but that of its evaluation puts it in doubt').toBeUndefined();
  await store.close();
});

verifies(
  ['flip.verify', 'meta.flip'],
  'work that is confirmed says so and stays as it is; the model of the settings saw work and doubt as data',
  async () => {
    const { call, configure, chosen, model, store, a, evaluation_id } = await doubt('no', bad, CONFIRM);
    const dry = await call(evaluationVerify, { id: 'a', dry_run: true });
    expect(Object.keys(dry)).toEqual(['task_id', 'prompt']);
    expect(model.asked).toEqual([]);
    expect(await call(evaluationVerify, { id: 'a' })).toMatchObject({
      verdict: 'confirmed',
      status: 'done',
      evaluation_id,
      score: 0.31,
    });
    expect(chosen.at(-1), 'a strong one, where nobody says which').toMatchObject({ usual: 'opus' });
    expect(model.asked).toHaveLength(3);
    const prompt = model.asked[0]?.prompt ?? '';
    for (const part of ['Write a parser', 'the work itself', 'Far off.', ' why it is in doubt\n']) {
      expect(prompt).toContain(part);
    }
    expect(prompt).not.toContain('<<<data-x');
    expect(await a()).toMatchObject({ status: 'done', flip_check: { state: 'confirmed' } });
    const said = (await a())?.log?.at(-1)?.message;
    expect(said).toMatch(/^flip verification confirmed: score 0\.31: out\/a\.txt parses.*all of it$/);
    expect(await call(evaluationVerify, { id: 'a' })).toMatchObject({ verdict: 'moot' });
    expect(model.asked).toHaveLength(3);
    configure({
      agency: { ...BELOW.agency, flip_verification_model: 'm-9', flip_verification_provider: 'scripted' },
    });
    await call(evaluationRecord, { id: 'a', score: 0.2, source: 'flip' });
    await expect(call(evaluationVerify, { id: 'a' })).rejects.toThrow();
    expect(chosen.at(-1)).toEqual({ provider: 'scripted', model: 'm-9', orClient: true });
    await store.close();
  },
);

verifies(
  ['flip.verify', 'meta.flip'],
  'work that is rejected fails with the reason, and whoever builds on it already is named',
  async () => {
    const { call, put, store, a } = await doubt(REJECT);
    await put('begun', { after: ['a'], status: 'in-progress', assigned: 'agent-3', fence: 1 });
    await put('waits', { after: ['a'] });
    const said = await call(evaluationVerify, { id: 'a' });
    expect(said).toMatchObject({ verdict: 'rejected', status: 'failed' });
    expect(said.warnings).toEqual(['begun is already running on the rejected work.']);
    expect(await a()).toMatchObject({
      status: 'failed',
      failure_reason: 'flip verification rejected: score 0.31: It is a lexer, no parser.',
      flip_check: { state: 'rejected' },
      retry_count: 1,
    });
    expect(await call(evaluationVerify, { id: 'a' })).toMatchObject({ verdict: 'moot' });
    await store.close();
  },
);

verifies(
  'flip.verify',
  'without a model, and without an answer that fits, nothing is changed; what was tried again since is left alone',
  async () => {
    const none = await doubt();
    const before = (await none.store.view()).seq;
    await expect(none.call(evaluationVerify, { id: 'a' })).rejects.toThrow(
      expect.objectContaining({ code: 'model_required', message: expect.stringContaining('evaluate run --verify') }),
    );
    expect((await none.store.view()).seq).toBe(before);
    await none.store.close();

    const odd = ['{"verdict":"maybe","reason":"x"}', '{"verdict":"confirm"}', '{"verdict":"reject","reason":" "}'];
    const { call, model, put, store, a, evaluation_id } = await doubt(...odd, REJECT);
    await expect(call(evaluationVerify, { id: 'a' })).rejects.toThrow(coded('bad_evaluation'));
    expect(await a()).toMatchObject({ status: 'done', flip_check: { state: 'low' } });
    const complete = model.complete.bind(model);
    model.complete = async (question) => {
      await put('a', {
        status: 'open',
        fence: 2,
        flip_check: { evaluation: evaluation_id, score: 0.31, attempt: 1, state: 'low' },
      });
      return await complete(question);
    };
    expect(await call(evaluationVerify, { id: 'a' })).toMatchObject({ verdict: 'moot', status: 'open' });
    expect((await a())?.status).toBe('open');
    await put('fine', { status: 'done' });
    await expect(call(evaluationVerify, { id: 'fine' })).rejects.toThrow(coded('not_evaluable'));
    await store.close();
  },
);

verifies('flip.verify', 'an answer about one score says nothing of another that came meanwhile', async () => {
  const { call, model, store, a } = await doubt(REJECT);
  const complete = model.complete.bind(model);
  model.complete = async (question) => {
    await call(evaluationRecord, { id: 'a', score: 0.2, source: 'flip' });
    return await complete(question);
  };
  expect(await call(evaluationVerify, { id: 'a' })).toMatchObject({ verdict: 'moot', status: 'done' });
  expect(await a()).toMatchObject({ status: 'done', flip_check: { score: 0.2, state: 'low' } });
  await store.close();
});

verifies(
  'flip.verify',
  'a run looks into a task only as the one that was made for it, while its claim holds',
  async () => {
    const { call, put, as, store, a } = await doubt(REJECT);
    const run = { kind: 'run' as const, name: 'agent-9', fence: 1 };
    const held = { status: 'in-progress', assigned: 'agent-9', fence: 1 };
    await put('mine', held);
    as({ ...run, taskId: 'mine' });
    await expect(call(evaluationVerify, { id: 'a' })).rejects.toThrow(coded('not_yours'));
    await put('.verify-flip-a', { ...held, fence: 2, tags: ['evaluation'], after: ['a'] });
    as({ ...run, taskId: '.verify-flip-a' });
    await expect(call(evaluationVerify, { id: 'a' })).rejects.toThrow(coded('stale_attempt'));
    as({ ...run, fence: 2, taskId: '.verify-flip-a' });
    await call(evaluationVerify, { id: 'a' });
    expect((await a())?.status).toBe('failed');
    await store.close();
  },
);

verifies(
  ['flip.verify', 'coord.tick.flip'],
  'evaluated, guessed, looked into: one run of the evaluation leads to one task, whatever dies in between',
  async () => {
    const parts = { correctness: 0.9, completeness: 0.8, efficiency: 0.6, style_adherence: 0.4 };
    const flip = { semantic_match: 0.2, requirement_coverage: 0.2, specificity_match: 0.3, hallucination_rate: 0.9 };
    const { call, store, configure } = await court(
      JSON.stringify({ dimensions: parts, notes: 'Fine.' }),
      JSON.stringify({ inferred_prompt: 'Write a poem.' }),
      JSON.stringify({ score: 0.2, dimensions: flip, notes: 'Another task.' }),
    );
    configure({ agency: { ...BELOW.agency, flip_enabled: true } });
    const { flip: kept } = await call(evaluationRun, { id: 'a' });
    expect(fieldsOf((await store.view()).task('a'))['flip_check']).toMatchObject({
      evaluation: kept?.evaluation_id,
      state: 'low',
    });
    const agency = { ...NO_AGENCY, verifyBelow: 0.5 };
    const tick = async () => {
      const { result } = await store.commit((view) => {
        const decided = decide({ ...quietSnapshot(view), agency }, 0);
        return { events: decided.flatMap(({ events }) => events), result: decided.map((one) => one.do) };
      });
      return result;
    };
    expect(await tick()).toEqual(['add-task']);
    expect(await tick()).toEqual([]);
    expect((await store.view()).task('.verify-flip-a')?.status).toBe('open');
    await store.close();
  },
);
