import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { chosenModel } from '#adapters/models/chosen-model.js';
import { RecordedModel } from '#adapters/models/recorded-model.js';
import { ScriptedModel } from '#adapters/models/scripted-model.js';
import type { ModelChoice } from '#core/settings/model-choice.js';
import { LIMITS } from '#kernel/limits.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { modelServer } from './model-server.js';

const ask = { prompt: 'Who fits?', timeMs: 20_000, purpose: 'casting' };
const coded = (code: string) => expect.objectContaining({ code });
const unused = () => Promise.reject(new Error('no program is started here'));
const programs = { run: unused, command: unused };

function choose(choice: Partial<ModelChoice>, ours: NodeJS.ProcessEnv, folder = path.join(room('runs'), 'model-runs')) {
  const clock = { now: () => Date.parse('2026-07-01T10:00:00Z') };
  return { folder, model: chosenModel({ orClient: false, ...choice }, { programs, shared: {}, ours, folder, clock }) };
}
const texts = (folder: string) => readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));

test('without a word the keys of the environment choose; without a key there is no model', async () => {
  const { url, received } = await modelServer({ say: 'hello' });
  const none = await choose({}, {}).model;
  await expect(none.ready()).rejects.toThrow(coded('no_model'));
  const ours = { OPENAI_API_KEY: 'k-openai-0123456789', OPENAI_BASE_URL: url, ANTHROPIC_API_KEY: '' };
  const { model, folder } = choose({}, ours);
  const answer = await (await model).complete(ask);
  expect(received[0]?.path).toBe('/chat/completions');
  expect((await model).name, 'who answered stands in what is kept of it').toBe('openai gpt-5-mini');
  const [record] = texts(folder).map((text) => JSON.parse(text));
  expect(record).toMatchObject({
    run_id: answer.runId,
    model: 'openai gpt-5-mini',
    status: 'answered',
    prompt: 'Who fits?',
    answer: 'hello',
    input_tokens: 11,
    output_tokens: 7,
  });
  expect(JSON.stringify(record)).not.toContain('k-openai');
});

verifies('model.limits', 'a key that comes back in an answer is not in the record', async () => {
  const key = 'plain words as a key';
  const { url } = await modelServer({ say: `your key is ${key}` });
  const { model, folder } = choose({ provider: 'anthropic' }, { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url });
  await (await model).complete(ask);
  expect(texts(folder).join()).not.toContain(key);
});

test('a script answers by purpose and words; a bad one is no model', async () => {
  const file = path.join(room('script'), 'script.json');
  const lines = [
    { purpose: 'other', reply: 'no' },
    { purpose: 'casting', match: 'nobody', reply: 'no' },
    { match: 'fits', reply: 'yes' },
  ];
  writeFileSync(file, JSON.stringify(lines));
  const model = await choose({ provider: 'scripted' }, { TROUPE_MODEL_SCRIPT: file }).model;
  expect((await model.complete(ask)).text).toBe('yes');
  await expect(model.complete({ ...ask, prompt: 'Else?' })).rejects.toThrow(coded('bad_model_answer'));
  writeFileSync(file, '{"reply": "x"}');
  await expect(model.ready()).rejects.toThrow(coded('no_model'));
  await expect((await choose({ provider: 'scripted' }, {}).model).ready()).rejects.toThrow(coded('no_model'));
});

test('the newest records are kept, and none through a link', async () => {
  const folder = path.join(room('many'), 'service', 'model-runs');
  let now = Date.parse('2026-07-01T10:00:00Z');
  const answers = Array.from({ length: LIMITS.modelRunsKept + 3 }, (_, index) => `answer ${index}`);
  const model = new RecordedModel({ model: new ScriptedModel(answers), folder, clock: { now: () => (now += 1_000) } });
  for (const _ of answers) await model.complete(ask);
  expect(readdirSync(folder)).toHaveLength(LIMITS.modelRunsKept);
  expect(texts(folder).join()).toContain(answers.at(-1));
  expect(texts(folder).join()).not.toContain('"answer 0"');
  const elsewhere = room('elsewhere');
  const linked = path.join(room('linked'), 'model-runs');
  symlinkSync(elsewhere, linked);
  const astray = new RecordedModel({ model: new ScriptedModel(['x']), folder: linked, clock: { now: () => now } });
  await expect(astray.complete(ask)).rejects.toThrow(coded('unsafe_path'));
  expect(readdirSync(elsewhere)).toEqual([]);
});
