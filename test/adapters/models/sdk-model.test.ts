import { expect, test } from 'vitest';
import { SdkModel } from '#adapters/models/sdk-model.js';
import type { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';
import { modelServer, type Step } from './model-server.js';

const KEY = 'key-of-this-test-0123456789';
const SERVICES = [
  ['anthropic', 'ANTHROPIC', '/v1/messages', 'claude-haiku-4-5'],
  ['openai', 'OPENAI', '/chat/completions', 'gpt-5-mini'],
  ['openrouter', 'OPENROUTER', '/chat/completions', 'anthropic/claude-haiku-4.5'],
  ['local', 'TROUPE_LOCAL_MODEL', '/chat/completions', 'default'],
] as const;
type Row = (typeof SERVICES)[number];

function modelAt(url: string, [service, prefix]: Row | readonly [Row[0], Row[1]], model?: string) {
  const waits: number[] = [];
  const environment =
    service === 'local'
      ? { TROUPE_LOCAL_MODEL_URL: url, TROUPE_LOCAL_MODEL_KEY: KEY }
      : { [`${prefix}_API_KEY`]: KEY, [`${prefix}_BASE_URL`]: url };
  const pause = async (ms: number) => void waits.push(ms);
  return { waits, model: new SdkModel({ service, model, environment, pause, chance: () => 0.5 }) };
}
const ask = { prompt: 'Who fits?', timeMs: 20_000 };
const anthropic = (...script: Step[]) =>
  modelServer(...script).then((server) => ({ ...server, ...modelAt(server.url, SERVICES[0]) }));
const bad = (what: RegExp) =>
  expect.objectContaining({ code: 'bad_model_answer', message: expect.stringMatching(what) });

for (const row of SERVICES) {
  const [service, , path, name] = row;
  test(`${service} is asked in its own form, with the key of the environment, and answers text and tokens`, async () => {
    const { url, received } = await modelServer({ say: '{"roles": []}' });
    const { model } = modelAt(url, row);
    await model.ready();
    const answer = await model.complete(ask);
    expect(answer.text).toBe('{"roles": []}');
    expect(answer.usage).toEqual({
      inputTokens: 11,
      outputTokens: 7,
      ...(service === 'openrouter' ? { costUsd: 0.0042 } : {}),
    });
    const [request] = received;
    expect(request?.path).toBe(path);
    expect(request?.body['model']).toBe(name);
    expect(JSON.stringify(request?.body)).toContain('Who fits?');
    expect(request?.body['tools']).toBeUndefined();
    expect([request?.headers['x-api-key'], request?.headers.authorization]).toContain(
      service === 'anthropic' ? KEY : `Bearer ${KEY}`,
    );
    expect(model.name).toBe(`${service} ${name}`);
  });
}

verifies(
  'model.chain',
  'without a word about it the cheap model of the provider answers; short names are known',
  async () => {
    const { url, received } = await modelServer({ say: 'a' }, { say: 'b' }, { say: 'c' });
    for (const name of [undefined, 'opus', 'some-model']) await modelAt(url, SERVICES[0], name).model.complete(ask);
    expect(received.map(({ body }) => body['model'])).toEqual(['claude-haiku-4-5', 'claude-opus-4-5', 'some-model']);
  },
);

verifies('model.limits', 'an answer is waited for as long as is said, and the library prints nothing', async () => {
  Reflect.deleteProperty(globalThis, 'AI_SDK_LOG_WARNINGS');
  const { model } = await anthropic('hang');
  await expect(model.complete({ ...ask, timeMs: 600 })).rejects.toThrow(bad(/took longer than 1 s/));
  expect(globalThis.AI_SDK_LOG_WARNINGS).toBe(false);
  const empty = await anthropic({ status: 204 });
  await expect(empty.model.complete(ask)).rejects.toThrow(bad(/./));
});

verifies('model.limits', 'a wait is from half to one and a half times as long', async () => {
  for (const [chance, factor] of [
    [0, 0.5],
    [0.25, 0.75],
    [1, 1.5],
  ] as const) {
    const { url } = await modelServer({ status: 429 }, { status: 500 }, { say: 'third' });
    const waits: number[] = [];
    const pause = async (ms: number) => void waits.push(ms);
    const environment = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: `${url}//` };
    const model = new SdkModel({ service: 'anthropic', environment, pause, chance: () => chance });
    expect((await model.complete(ask)).text).toBe('third');
    expect(waits).toEqual([TEAM_LIMITS.modelRetryMs * factor, TEAM_LIMITS.modelRetryMs * 2 * factor]);
  }
});

test('what is asked may have a usual model; it counts where none is said and the provider has it', () => {
  const parts = { environment: {}, pause: async () => undefined, chance: () => 0 };
  const named = (service: 'anthropic' | 'openai', more: object) => new SdkModel({ ...parts, service, ...more }).name;
  expect(named('anthropic', { usual: 'opus' })).toBe('anthropic claude-opus-4-5');
  expect(named('anthropic', { usual: 'opus', model: 'haiku' })).toBe('anthropic claude-haiku-4-5');
  expect(named('openai', { usual: 'opus' })).toBe('openai gpt-5-mini');
});

verifies('model.limits', 'turned away or broken, it is asked twice more, after waits that are spread', async () => {
  const { model, waits, received } = await anthropic({ status: 429 }, { status: 503 }, { say: 'third' });
  expect((await model.complete(ask)).text).toBe('third');
  expect(waits).toEqual([TEAM_LIMITS.modelRetryMs, TEAM_LIMITS.modelRetryMs * 2]);
  expect(received).toHaveLength(3);
  const lost = await anthropic({ status: 500 }, { status: 500 }, { status: 500 }, { say: 'too late' });
  await expect(lost.model.complete(ask)).rejects.toThrow(bad(/anthropic claude-haiku-4-5: 500/));
  expect(lost.received).toHaveLength(3);
});

test('a refusal, a dropped line, an answer of another form and silence are not tried again', async () => {
  for (const step of [
    { status: 401, body: { error: { message: 'no' } } },
    { status: 404 },
    { status: 400 },
    { status: 200 },
    { say: '  ' },
  ] as const) {
    const { model, received } = await anthropic(step, { say: 'never' });
    const failure = await model.complete(ask).catch((error: TroupeError) => error);
    expect(failure, JSON.stringify(step)).toEqual(bad(/^anthropic /));
    // Only what was turned away by its status costs nothing.
    const isTurnedAway = 'status' in step && step.status >= 400;
    expect((failure as TroupeError).details['unspent'], JSON.stringify(step)).toBe(isTurnedAway || undefined);
    expect(received).toHaveLength(1);
  }
  const dropped = await (await anthropic('drop')).model.complete(ask).catch((error: TroupeError) => error);
  expect(dropped).toEqual(bad(/^anthropic /));
  expect((dropped as TroupeError).details['unspent']).toBeUndefined();
});

verifies('model.limits', 'one that says nothing is given up when its time is over', async () => {
  const { model } = await anthropic('hang');
  await expect(model.complete({ ...ask, timeMs: 300 })).rejects.toThrow(bad(/took longer/));
});

verifies('model.limits', 'an answer without end is not kept; a redirect is not followed with the key', async () => {
  await expect((await anthropic('flood')).model.complete(ask)).rejects.toThrow(bad(/^anthropic /));
  await expect(
    (await anthropic({ say: 'x'.repeat(TEAM_LIMITS.modelAnswerBytes + 1) })).model.complete(ask),
  ).rejects.toThrow(bad(/said more than/));
  const other = await modelServer({ say: 'stolen' });
  const { model } = await anthropic({ status: 307, headers: { location: `${other.url}/v1/messages` } });
  await expect(model.complete(ask)).rejects.toThrow(bad(/^anthropic /));
  expect(other.received).toEqual([]);
});

test('without a key, and for a local one without an address, there is no model; which is missing is said', async () => {
  const parts = { environment: {}, pause: async () => undefined, chance: () => 0 };
  const missing = (hint: string) => expect.objectContaining({ code: 'no_model', hint: expect.stringContaining(hint) });
  await expect(new SdkModel({ ...parts, service: 'openai' }).ready()).rejects.toThrow(missing('OPENAI_API_KEY'));
  await expect(new SdkModel({ ...parts, service: 'local' }).ready()).rejects.toThrow(missing('models.local_url'));
  await expect(new SdkModel({ ...parts, service: 'local', url: 'file:///etc/passwd' }).ready()).rejects.toThrow(
    missing('http://'),
  );
  const named = new SdkModel({ ...parts, service: 'local', url: 'http://127.0.0.1:9', keyVariable: 'MY_KEY' });
  await expect(named.ready()).resolves.toBeUndefined();
});

test('a key never stands in an error', async () => {
  const { model } = await anthropic({
    status: 400,
    body: { type: 'error', error: { type: 'x', message: `bad sk-${'a1'.repeat(20)}` } },
  });
  const error: Error = await model.complete(ask).then(
    () => new Error('answered'),
    (thrown) => thrown,
  );
  expect(error.message).toContain('********');
  expect(error.message).not.toContain('a1a1a1');
});
