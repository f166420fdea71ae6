import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { chosenModel } from '#adapters/models/chosen-model.js';
import { RecordedModel } from '#adapters/models/recorded-model.js';
import { ScriptedModel, ScriptFile } from '#adapters/models/scripted-model.js';
import type { ModelChoice } from '#core/settings/model-choice.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
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
  const answers = Array.from({ length: TEAM_LIMITS.modelRunsKept + 3 }, (_, index) => `answer ${index}`);
  const model = new RecordedModel({ model: new ScriptedModel(answers), folder, clock: { now: () => (now += 1_000) } });
  for (const _ of answers) await model.complete(ask);
  expect(readdirSync(folder)).toHaveLength(TEAM_LIMITS.modelRunsKept);
  expect(texts(folder).join()).toContain(answers.at(-1));
  expect(texts(folder).join()).not.toContain('"answer 0"');
  const elsewhere = room('elsewhere');
  const linked = path.join(room('linked'), 'model-runs');
  symlinkSync(elsewhere, linked);
  const astray = new RecordedModel({ model: new ScriptedModel(['x']), folder: linked, clock: { now: () => now } });
  await expect(astray.complete(ask)).rejects.toThrow(coded('unsafe_path'));
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('the first key there is chooses, a provider that is named before it, a client after it', async () => {
  const keys = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'b', OPENROUTER_API_KEY: 'c', TROUPE_LOCAL_MODEL_KEY: 'd' };
  const chosen = async (choice: Partial<ModelChoice>, ...names: (keyof typeof keys)[]) =>
    (await choose(choice, Object.fromEntries(names.map((name) => [name, keys[name]]))).model).name?.split(' ')[0];
  expect(await chosen({}, 'OPENROUTER_API_KEY', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY')).toBe('anthropic');
  expect(await chosen({}, 'OPENROUTER_API_KEY', 'OPENAI_API_KEY')).toBe('openai');
  expect(await chosen({}, 'OPENROUTER_API_KEY')).toBe('openrouter');
  expect([await chosen({}, 'TROUPE_LOCAL_MODEL_KEY'), await chosen({ orClient: true })]).toEqual([
    undefined,
    'claude-cli',
  ]);
  expect(await chosen({ orClient: true }, 'OPENAI_API_KEY')).toBe('openai');
  expect(await chosen({ provider: 'claude-cli', model: 'm', usual: 'u' }, 'OPENAI_API_KEY')).toBe('claude-cli');
  for (const [choice, name] of [
    [{ model: 'm', usual: 'u' }, 'claude-cli m'],
    [{ usual: 'u' }, 'claude-cli u'],
    [{}, 'claude-cli default'],
  ] as const)
    expect((await choose({ provider: 'claude-cli', ...choice }, {}).model).name).toBe(name);
  const none = await choose({}, {}).model;
  await expect(none.complete(ask)).rejects.toThrow(coded('no_model'));
});

test('no key of the environment stands in a record, nor that of the variable that was named', async () => {
  const secrets = ['one plain key', 'two plain key', 'three plain key', 'four plain key', 'five plain key'];
  const [ANTHROPIC_API_KEY, OPENAI_API_KEY, OPENROUTER_API_KEY, TROUPE_LOCAL_MODEL_KEY, MINE] = secrets;
  const file = path.join(room('script'), 'script.json');
  writeFileSync(file, JSON.stringify([{ reply: secrets.join(', ') }]));
  const keys = { ANTHROPIC_API_KEY, OPENAI_API_KEY, OPENROUTER_API_KEY, TROUPE_LOCAL_MODEL_KEY, MINE };
  const { model, folder } = choose({ provider: 'scripted', keyVariable: 'MINE' }, {
    ...keys,
    TROUPE_MODEL_SCRIPT: file,
  } as NodeJS.ProcessEnv);
  await (await model).complete({ ...ask, prompt: secrets.join('; ') });
  for (const secret of secrets) expect(texts(folder).join(), secret).not.toContain(secret);
});

test('a script that is none says why, and which variable names one', async () => {
  const folder = room('script');
  const file = path.join(folder, 'script.json');
  const why = async (script: string | undefined) =>
    await new ScriptFile(script, 'THERE').ready().then(
      () => 'ready',
      ({ code, message, hint }) => [code, message, hint],
    );
  const hint = 'Name a file of answers in THERE.';
  expect(await why(undefined)).toEqual(['no_model', 'THERE names no file.', hint]);
  expect(await why('')).toEqual(['no_model', 'THERE names no file.', hint]);
  expect(await why(file)).toEqual(['no_model', 'The script of the model cannot be read.', hint]);
  writeFileSync(file, '[]'.padEnd(TEAM_LIMITS.squadFileBytes + 1));
  expect(await why(file)).toEqual(['no_model', 'The script of the model is too large.', hint]);
  writeFileSync(file, '[]'.padEnd(TEAM_LIMITS.squadFileBytes));
  expect(await why(file)).toBe('ready');
  writeFileSync(file, '[{"reply":"x","more":1}]');
  expect(await why(file)).toEqual(['no_model', expect.stringMatching(/is not a list/), hint]);
  writeFileSync(file, '[{"purpose":"casting","reply":"a"},{"match":"fits","reply":"b"},{"reply":"c"}]');
  const script = new ScriptFile(file, 'THERE');
  const said = async (prompt: string, purpose?: string) =>
    (await script.complete({ prompt, timeMs: 1, ...(purpose === undefined ? {} : { purpose }) })).text;
  expect([await said('it fits', 'casting'), await said('it fits'), await said('x', 'other')]).toEqual(['a', 'b', 'c']);
});

test('a call leaves a file from when it was asked, with what it took and what became of it', async () => {
  const folder = path.join(room('records'), 'service', 'model-runs');
  let now = Date.parse('2026-07-01T10:00:00.123Z');
  const clock = { now: () => (now += 5) };
  const record = () => JSON.parse(texts(folder).join());
  const during: unknown[] = [];
  const usage = { inputTokens: 1, outputTokens: 2, costUsd: 0.5 };
  const asked = (answer: () => unknown, name?: string) =>
    new RecordedModel({
      ...{ folder, clock },
      model: {
        ready: async () => undefined,
        ...(name === undefined ? {} : { name }),
        complete: async () => {
          during.push(record());
          return answer() as never;
        },
      },
    });
  const clear = () => rmSync(folder, { recursive: true, force: true });
  const request = { run_id: expect.stringMatching(/^20260701T1000\d{5}Z-[0-9a-f]{8}$/), at: expect.any(String) };
  const named = asked(() => ({ text: 'yes', usage }), 'named');
  const { runId, ...answer } = await named.complete(ask);
  expect([answer, named.name]).toEqual([{ text: 'yes', usage }, 'named']);
  expect(during[0]).toEqual({ ...request, purpose: 'casting', model: 'named', prompt: 'Who fits?', status: 'asked' });
  expect(record()).toEqual({
    ...{ ...request, run_id: runId, purpose: 'casting', model: 'named', prompt: 'Who fits?', status: 'answered' },
    ...{ duration_ms: 5, input_tokens: 1, output_tokens: 2, cost_usd: 0.5, answer: 'yes' },
  });
  const [file = ''] = readdirSync(folder);
  expect(file).toBe(`${runId}.json`);
  expect([statSync(path.join(folder, file)).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
  clear();
  const full = 'x'.repeat(TEAM_LIMITS.modelAnswerBytes);
  expect((await asked(() => ({ text: full })).complete({ prompt: 'p', timeMs: 1 })).usage).toEqual({});
  expect(record()).toMatchObject({ purpose: 'text', model: 'unknown', status: 'answered' });
  clear();
  await expect(asked(() => ({ text: `${full}x` })).complete(ask)).rejects.toThrow(coded('bad_model_answer'));
  expect(record()).toMatchObject({
    status: 'failed',
    duration_ms: 5,
    error: expect.stringMatching(/^bad_model_answer: /),
  });
  clear();
  const cause = new TroupeError('no_model', { what: 'None.', hint: 'Get one.', details: { a: 1 } });
  const failure = await asked(() => {
    throw cause;
  })
    .complete(ask)
    .catch((error) => error);
  expect(failure).toMatchObject({ code: 'no_model', message: 'None.', hint: 'Get one.', cause });
  expect((failure as TroupeError).details).toEqual({ a: 1, run_id: record().run_id });
  for (const link of ['', 'service', 'service/model-runs']) {
    const top = path.join(room('linked'), 'graph');
    mkdirSync(path.dirname(path.join(top, link)), { recursive: true });
    symlinkSync(room('elsewhere'), path.join(top, link).replace(/\/$/, ''));
    const parts = { model: new ScriptedModel(['x']), folder: path.join(top, 'service/model-runs'), clock };
    await expect(new RecordedModel(parts).complete(ask), link).rejects.toThrow(coded('unsafe_path'));
  }
});

test('answers that were given ahead come one a question, an error among them is thrown', async () => {
  const model = new ScriptedModel(['one', new TroupeError('no_model')]);
  await model.ready();
  expect(await model.complete(ask)).toEqual({ text: 'one' });
  await expect(model.complete(ask)).rejects.toThrow(coded('no_model'));
  await expect(model.complete(ask)).rejects.toThrow(coded('bad_model_answer'));
  expect(model.asked).toEqual([ask, ask, ask]);
  await expect(new ScriptedModel([]).ready()).rejects.toThrow(coded('no_model'));
});
