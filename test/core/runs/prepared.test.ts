import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { parserOf } from '#core/runs/parser.js';
import { CLIENTS, type Client } from '#core/runs/plan.js';
import { limitIn, troubleIn, troubleOfStatus } from '#core/runs/provider-trouble.js';
import { amountAt, isSessionId, objectsAt, priceAt, textAt } from '#core/runs/reader.js';
import { resetIn, resetMoment } from '#core/runs/reset-time.js';
import { cloudsOf, namesToPass, passedFrom } from '#core/runs/variables.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { randomFrom } from '#kernel/random.js';
import { transcriptOf } from '../../contract/executor.js';
import { planOf } from './plans.js';

const golden = (name: string) => path.join(import.meta.dirname, `golden/${name}.txt`);
const said = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return `${error.code}: ${error.message}`;
  }
};

const AGENTS = { critic: { description: 'Argues against it', prompt: 'Be hard.' } };
const PLANS = {
  plain: {},
  'another mode': { mode: 'light' },
  'little of it': { mode: 'bare', agents: AGENTS },
  'without a model': { model: undefined, provider: 'azure' },
  'of a provider': { model: 'openai/gpt', provider: 'openai', budgetUsd: 2.5 },
  'of another provider': { model: 'gpt', provider: 'amazon-bedrock' },
  'going on': { resume: true, agents: AGENTS },
  'without a session': { sessionId: undefined, resume: true },
  'of the project': { projectSettings: true, allowUnsafe: true },
  'a wrong model': { model: '--help' },
  'a wrong provider': { provider: '../x' },
  'a wrong session': { sessionId: '--all' },
  'a wrong folder': { folder: 'here' },
} as const;

test.each(CLIENTS)('%s: what is started for each kind of plan, whole', async (client) => {
  const before = new Map<string, string>();
  const told = Object.entries(PLANS).flatMap(([name, changes]) => {
    const prepared = said(() => EXECUTORS[client].prepare(planOf(changes as never)));
    const fields = typeof prepared === 'string' ? { refused: prepared } : (prepared as object);
    // Of each plan only what is different from the first.
    const rows = Object.entries(fields).flatMap(([field, value]) => {
      const row = `${field}: ${JSON.stringify(value)}`;
      if (name === 'plain') before.set(field, row);
      return name === 'plain' || before.get(field) !== row ? [row] : [];
    });
    return [`== ${name}`, ...rows];
  });
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(golden(`prepared.${client}`));
});

const TRANSCRIPTS = path.join(import.meta.dirname, '../../fixtures/transcripts');
const WITH = CLIENTS.filter((client) => readdirSync(TRANSCRIPTS).includes(client));

/** Transcripts as they would be with lines gone, doubled, torn or of another form: what is made of each end. */
test.each(WITH)(
  '%s: lines that are missing, doubled, torn or of another form are passed over',
  async (client: Client) => {
    const names = readdirSync(path.join(TRANSCRIPTS, client)).map((file) => path.parse(file).name);
    const told = names.sort().flatMap((name, number) => {
      const lines = transcriptOf(client, name).split('\n');
      return [0, 1, 2].map((turn) => {
        const next = randomFrom(100 * number + turn);
        const changed = lines.flatMap((line) => {
          const luck = next();
          if (luck < 0.15) return [];
          if (luck < 0.25) return [line, line];
          if (luck < 0.3) return [line.slice(0, Math.floor(line.length * next()))];
          if (luck < 0.4)
            return [
              line.replace(/:(\d+(?:\.\d+)?)/g, (_all, figure: string) => (next() < 0.5 ? `:-${figure}` : ':null')),
            ];
          if (luck < 0.5) return [line.replace(/"(text|message|content|error|status|type|subtype)":"[^"]*"/, '"$1":7')];
          if (luck < 0.55) return [line.replace(/:\{/, ':[{').replace(/\}$/, '}]')];
          return [line];
        });
        const parser = parserOf(EXECUTORS[client].reader());
        const events = parser.feed(changed.join('\n'));
        const counts = new Map<string, number>();
        for (const { kind = 'x', type = kind } of events as never as { kind?: string; type?: string }[])
          counts.set(type, (counts.get(type) ?? 0) + 1);
        const last = JSON.stringify(events.at(-1) ?? null);
        return `${name} ${turn}: ${[...counts].map(([type, count]) => `${count} ${type}`).join(', ')} | ${last.slice(0, 160)} | ${JSON.stringify(parser.end({ code: turn === 1 ? 1 : 0, signal: null }))}`;
      });
    });
    await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(golden(`changed.${client}`));
  },
);

test('fields of a line that have another form count as not there', () => {
  const line = {
    text: 'x',
    seven: 7,
    none: 0,
    less: -1,
    far: Number.POSITIVE_INFINITY,
    not: Number.NaN,
    list: [{ a: 1 }, 7, null],
    object: {},
  } as never;
  expect(['text', 'seven', 'gone'].map((key) => textAt(line, key))).toEqual(['x', undefined, undefined]);
  expect(['seven', 'none', 'less', 'far', 'not', 'text'].map((key) => amountAt(line, key))).toEqual([7, 0, 0, 0, 0, 0]);
  expect(['seven', 'none', 'far', 'text'].map((key) => priceAt(line, key))).toEqual([
    { cost_usd: 7 },
    { cost_usd: 0 },
    { cost_usd: 0 },
    {},
  ]);
  expect([objectsAt(line, 'list'), objectsAt(line, 'object'), amountAt(undefined, 'x')]).toEqual([[{ a: 1 }], [], 0]);
  expect(
    ['0b1c2d3e-0000-4000-8000-000000000001', 'ses_1', '-x', '', 'a b', 'x'.repeat(300)].map(isSessionId),
  ).toMatchInlineSnapshot(`
    [
      true,
      true,
      false,
      false,
      false,
      false,
    ]
  `);
});

test('moments at which a limit is over, in the words of providers', () => {
  const now = Date.parse('2026-03-21T10:00:00.000Z');
  const texts = [
    ...[
      'resets at 3pm',
      'resets 3:59pm (UTC)',
      'resets 3:60pm',
      'resets at 12am',
      'resets 12pm',
      'resets 13:00 GMT',
      'resets 24:00',
    ],
    ...[
      'resets Mon 9am',
      'resets Mar 24, 9am (Europe/Berlin)',
      'try again in 2h 5m',
      'try again in 90 seconds',
      'retry after 30',
    ],
    ...[
      'Retry-After: 120',
      'reset at 1774094400',
      'reset at 1774094400000',
      '2026-03-21T12:00:00Z',
      '2026-03-21 12:00:00 UTC',
      'nothing of it',
    ],
  ];
  const told = texts.map((text) => {
    const reset = resetIn(text);
    const moment = reset && resetMoment(reset, now, 'Europe/Paris');
    return `${text}: ${JSON.stringify(reset)} ${moment === undefined ? '-' : new Date(moment).toISOString()}`;
  });
  expect(told).toMatchInlineSnapshot(`
    [
      "resets at 3pm: {"hour":15,"minute":0} 2026-03-21T14:00:00.000Z",
      "resets 3:59pm (UTC): {"hour":15,"minute":59,"zone":"UTC"} 2026-03-21T15:59:00.000Z",
      "resets 3:60pm: undefined -",
      "resets at 12am: {"hour":0,"minute":0} 2026-03-21T23:00:00.000Z",
      "resets 12pm: {"hour":12,"minute":0} 2026-03-21T11:00:00.000Z",
      "resets 13:00 GMT: {"hour":13,"minute":0,"zone":"UTC"} 2026-03-21T13:00:00.000Z",
      "resets 24:00: undefined -",
      "resets Mon 9am: {"hour":9,"minute":0,"weekday":1} 2026-03-23T08:00:00.000Z",
      "resets Mar 24, 9am (Europe/Berlin): {"hour":9,"minute":0,"zone":"Europe/Berlin","month":3,"day":24} 2026-03-24T08:00:00.000Z",
      "try again in 2h 5m: {"inMs":7500000} 2026-03-21T12:05:00.000Z",
      "try again in 90 seconds: {"inMs":90000} 2026-03-21T10:01:30.000Z",
      "retry after 30: {"inMs":30000} 2026-03-21T10:00:30.000Z",
      "Retry-After: 120: {"inMs":120000} 2026-03-21T10:02:00.000Z",
      "reset at 1774094400: undefined -",
      "reset at 1774094400000: undefined -",
      "2026-03-21T12:00:00Z: {"at":1774094400000} 2026-03-21T12:00:00.000Z",
      "2026-03-21 12:00:00 UTC: {"at":1774094400000} 2026-03-21T12:00:00.000Z",
      "nothing of it: undefined -",
    ]
  `);
});

test('trouble of a provider, by status and by words', () => {
  const statuses = [200, 400, 401, 402, 403, 404, 429, 499, 500, 529, 599, 600];
  expect(statuses.map((status) => `${status} ${troubleOfStatus(status)}`)).toMatchInlineSnapshot(`
    [
      "200 undefined",
      "400 undefined",
      "401 key-refused",
      "402 no-credit",
      "403 access-refused",
      "404 not-found",
      "429 limited",
      "499 undefined",
      "500 failing",
      "529 overloaded",
      "599 failing",
      "600 undefined",
    ]
  `);
  const texts = [
    'HTTP 429 Too Many Requests',
    'status 401',
    'API Error: 529 overloaded',
    'weekly limit reached',
    'credit balance is too low',
    'error 200',
    '400 then 503 Service Unavailable',
    'all is well',
    'invalid api key',
  ];
  expect(texts.map((text) => `${text}: ${troubleIn(text)} ${limitIn(text)}`)).toMatchInlineSnapshot(`
    [
      "HTTP 429 Too Many Requests: limited limited",
      "status 401: key-refused undefined",
      "API Error: 529 overloaded: overloaded undefined",
      "weekly limit reached: weekly-limit weekly-limit",
      "credit balance is too low: no-credit no-credit",
      "error 200: undefined undefined",
      "400 then 503 Service Unavailable: undefined undefined",
      "all is well: undefined undefined",
      "invalid api key: key-refused undefined",
    ]
  `);
});

test('variables of clouds and of people', () => {
  const clouds = (model?: string, provider?: string) =>
    cloudsOf({ model, provider })
      .map((name) => name.split('_')[0])
      .filter((name, at, all) => all.indexOf(name) === at)
      .join(' ');
  expect([
    clouds(),
    clouds('m'),
    clouds('m', 'azure'),
    clouds('foundry/x'),
    clouds('bedrock/x'),
    clouds('x', 'vertex'),
  ]).toMatchInlineSnapshot(`
    [
      "AWS GOOGLE GCLOUD CLOUDSDK CLOUD VERTEX AZURE",
      "",
      "AZURE",
      "AZURE",
      "AWS",
      "GOOGLE GCLOUD CLOUDSDK CLOUD VERTEX",
    ]
  `);
  const many = Array.from({ length: TEAM_LIMITS.passedVariables + 1 }, (_, at) => `V${at}`);
  expect(namesToPass(many.slice(1))).toHaveLength(TEAM_LIMITS.passedVariables);
  expect(
    [many, 'V', [7], ['1V'], ['WG_X'], ['UID'], ['V'.repeat(101)]].map((value) => said(() => namesToPass(value))),
  ).toMatchInlineSnapshot(`
    [
      "bad_config: executors.pass_env: it must be a list of at most 100 names.",
      "bad_config: executors.pass_env: it must be a list of at most 100 names.",
      "bad_config: executors.pass_env: 7 is not a variable name.",
      "bad_config: executors.pass_env: "1V" is not a variable name.",
      "bad_config: executors.pass_env: WG_X cannot be passed: every run has its own, or none.",
      "bad_config: executors.pass_env: UID cannot be passed: every run has its own, or none.",
      "bad_config: executors.pass_env: "VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV" is not a variable name.",
    ]
  `);
  const environment = { A: '1', B: '', C_1: 'x', C_2: 'y\0', D: 'z' };
  expect(passedFrom(['A', 'B', 'C_*', 'E', { when: ['B'], names: ['D'] }], environment)).toEqual({
    A: '1',
    B: '',
    C_1: 'x',
  });
  expect(passedFrom([{ when: ['B', 'A'], names: ['D'] }], environment)).toEqual({ D: 'z' });
});
