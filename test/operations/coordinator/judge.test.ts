import { expect } from 'vitest';
import { settingsFrom } from '#core/settings/settings.js';
import { TroupeError } from '#kernel/errors.js';
import { evaluationRecord } from '#operations/agency/evaluations.js';
import { Judge, Unscored } from '#operations/coordinator/agency-watch.js';
import { contextOf } from '../../context-of.js';
import { verifies } from '../../verifies.js';
import { stage } from '../agency/place.js';

verifies(
  'who.replay',
  'what ended without a score is known as long as scores are asked for and none is on its way',
  async () => {
    const { call, put, store, context } = await stage();
    for (const id of ['scored', 'old', 'older']) await put(id, { status: 'done' });
    await put('failed', { status: 'failed' });
    await put('open');
    await call(evaluationRecord, { id: 'scored', score: 0.5 });
    const unscored = new Unscored(context());
    expect(await unscored.look(false)).toEqual([]);
    expect(await unscored.look(true)).toEqual(['failed', 'old', 'older']);
    await put('evaluate-old');
    expect(await unscored.look(true)).toEqual(['failed', 'older']);
    await store.close();
  },
);

verifies('meta.evaluate', 'a model is looked for until there is one, and again when another is named', async () => {
  let there = false;
  let looks = 0;
  const judge = new Judge(
    contextOf({
      settings: async () => ({ name: 'config.toml', read: async () => ({}), set: async () => ({ kept: true }) }),
      trust: async () => ({}) as never,
      model: async () => ({
        ready: async () => {
          looks++;
          if (!there) throw new TroupeError('no_model', { what: 'There is no key for anthropic.' });
        },
        complete: () => Promise.reject(new Error('nobody asks it anything here')),
      }),
    }),
  );
  const settings = (more: object = {}) => settingsFrom({ agency: { auto_evaluate: true, ...more } }).settings;
  for (let tick = 0; tick < 2; tick++)
    expect(await judge.look(settings())).toMatchObject({ unjudged: 'There is no key for anthropic.' });
  there = true;
  expect(await judge.look(settings())).toMatchObject({ judgeIsNew: true });
  there = false;
  expect(await judge.look(settings())).toMatchObject({ judgeIsNew: false });
  expect(looks).toBe(3);
  expect(await judge.look(settings({ evaluator_provider: 'openai' }))).toMatchObject({ unjudged: expect.any(String) });
  there = true;
  expect(await judge.look(settings())).toMatchObject({ judgeIsNew: true });
  const others = settingsFrom({ agency: { auto_evaluate: true }, models: { ask: 'never' } }).settings;
  expect(await judge.look(others), 'another setting').toMatchObject({ judgeIsNew: true });
  expect(looks).toBe(6);
});
