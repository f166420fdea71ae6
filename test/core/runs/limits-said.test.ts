import { expect, test } from 'vitest';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { parserOf } from '#core/runs/parser.js';
import type { Client } from '#core/runs/plan.js';
import { type Trouble, troubleIn, troubleOfStatus } from '#core/runs/provider-trouble.js';
import { type Reset, resetIn, resetMoment } from '#core/runs/reset-time.js';
import { processorMs } from '../../processor-time.js';
import { verifies } from '../../verifies.js';

const NOW = Date.parse('2026-03-21T10:00:00.000Z'); // a Saturday
const HOUR = 3_600_000;

const SAID: Readonly<Record<string, readonly string[]>> = {
  'usage-limit': [
    "You've hit your limit · resets 3pm",
    'Claude AI usage limit reached|1774116000',
    "You've hit your usage limit. Upgrade to Pro or try again in 5 days 3 hours.",
    'You are out of usage for now',
  ],
  'session-limit': [
    "You've hit your session limit",
    '5-hour limit reached ∙ resets 11pm',
    'Your five hour limit is exhausted',
  ],
  'weekly-limit': [
    "You've hit your weekly limit · resets Mon 9am",
    '7-day limit reached',
    'The limit of this week is used up',
  ],
  'model-limit': ['Opus limit reached', "You've reached your Sonnet 5 limit"],
  'spending-limit': [
    'Spending cap reached',
    "You're out of extra usage",
    'Monthly limit of this organization exceeded',
  ],
  overloaded: ['You have exhausted your capacity on this model', 'The API is at capacity'],
  quota: [
    "Quota exceeded for quota metric 'Generate requests' and limit 'per day'",
    'Individual quota reached. Contact your administrator. {"code":429}',
    'Resource has been exhausted (e.g. check quota).',
    'Free usage exceeded, add credits to go on',
    '429 You exceeded your current quota, please check your plan and billing details. Please retry in 51.4s',
  ],
  limited: [
    'Rate limit exceeded: 50 requests per minute',
    'Too many requests',
    '429 slow down',
    'Request limit reached',
  ],
  'no-credit': ['Your credit balance is too low', '429 insufficient_quota: You exceeded your current quota'],
  'access-refused': ['This organization has been disabled.', 'Your account is suspended'],
  'not-found': [
    '404 model: claude-typo-9',
    "There's an issue with the selected model (claude-typo-9). It may not exist or you may not have access to it.",
    'The model claude-x is not available on your bedrock deployment.',
    'The model `gpt-99` does not exist',
  ],
};

verifies('pay.words', 'notices are told apart by kind, for wordings that nobody listed too', () => {
  for (const [trouble, texts] of Object.entries(SAID))
    for (const text of texts) expect(troubleIn(text), text).toBe(trouble);
  for (const text of [
    '400 prompt is too long: it exceeds the context limit',
    "Claude's response exceeded the 128000 output token maximum",
    'error_max_turns: Reached maximum number of turns (5)',
    'The file size limit is exceeded',
    'Tests failed: expected 401 to be 200',
    'No response requested.',
  ])
    expect(troubleIn(text), text).toBeUndefined();
});

verifies('pay.words', 'a status alone says the kind, and the words that come with it say it better', () => {
  expect([401, 402, 403, 404, 429, 529, 500, 400, 422].map((status) => troubleOfStatus(status))).toEqual([
    ...['key-refused', 'no-credit', 'access-refused', 'not-found', 'limited', 'overloaded', 'failing'],
    ...[undefined, undefined],
  ]);
  // A refusal is not a lack of money unless it says so.
  expect(troubleOfStatus(403, 'Request not allowed')).toBe('access-refused');
  expect(troubleOfStatus(403, 'Your credit balance is too low')).toBe('no-credit');
  expect(troubleOfStatus(400, 'Your credit balance is too low')).toBe('no-credit');
  expect(troubleOfStatus(400, 'The model gpt-99 does not exist')).toBe('not-found');
  expect(troubleOfStatus(429, "You've hit your weekly limit")).toBe('weekly-limit');
});

verifies('pay.words', 'the reset is read as an epoch, a moment, a span and a time of day in a zone', () => {
  const at = (text: string, zone = 'UTC') => {
    const reset = resetIn(text);
    const moment = reset && resetMoment(reset, NOW, zone);
    return moment === undefined ? undefined : new Date(moment).toISOString().slice(0, 16);
  };
  const rows: [string, string | undefined][] = [
    ['Claude AI usage limit reached|1774116000', '2026-03-21T18:00'],
    ['"resetsAt":1774116000000', '2026-03-21T18:00'],
    ['quota resets at 2026-03-22T09:30:00Z', '2026-03-22T09:30'],
    ['try again after 2026-03-21 18:00:00+02:00', '2026-03-21T16:00'],
    ['try again in 2 h', '2026-03-21T12:00'],
    ['try again in 5 days 3 hours 20 minutes.', '2026-03-26T13:20'],
    ['Your quota will reset after 18h31m10s.', '2026-03-22T04:31'],
    ['Please retry in 51.4s', '2026-03-21T10:00'],
    ['Retry-After: 600', '2026-03-21T10:10'],
    ['resets 11pm (Europe/Paris)', '2026-03-21T22:00'],
    ['resets at 9am (Europe/Paris)', '2026-03-22T08:00'],
    ['limit reached ∙ resets 3:30 PM', '2026-03-21T15:30'],
    ['try again at 10:00', '2026-03-22T10:00'],
    ['resets Mon 9am (UTC)', '2026-03-23T09:00'],
    ['resets Apr 6, 1pm (America/New_York)', '2026-04-06T17:00'],
    ['resets Mar 29 at 3am (Europe/Berlin)', '2026-03-29T01:00'],
    ['resets 12am (UTC)', '2026-03-22T00:00'],
    ['resets 25:00', undefined],
    ['resets 3pm (Nowhere/Land)', undefined],
    ['Claude AI usage limit reached|1574116000', undefined],
    ['try again in 400 days', undefined],
    ['in 3 files', undefined],
    ['Try again later.', undefined],
  ];
  for (const [text, moment] of rows) expect(at(text), text).toBe(moment);
  expect(at('resets 11pm', 'Asia/Tokyo'), 'of this machine').toBe('2026-03-21T14:00');
});

function verdictOf(client: Client, ...lines: object[]) {
  const parser = parserOf(EXECUTORS[client].reader());
  parser.feed(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { outcome, trouble, reset } = parser.end({ code: 0, signal: null });
  return { outcome, trouble, reset };
}
const limited = (trouble: Trouble, reset?: Reset) => ({ outcome: 'failed', trouble, reset });
const result = (fields: object = {}) => ({
  ...{ type: 'result', subtype: 'success', is_error: false, result: 'over', usage: { output_tokens: 0 } },
  ...fields,
});
const synthetic = (text: string) => ({
  type: 'assistant',
  message: { id: 'm', model: '<synthetic>', content: [{ type: 'text', text }] },
});
const answer = {
  type: 'assistant',
  message: { id: 'n', model: 'x', content: [{ type: 'text', text: 'hello' }], usage: { output_tokens: 9 } },
};

verifies('pay.words', 'a notice is never a good end, whatever its client calls it; an answer after it is', () => {
  const notice = "You've hit your weekly limit, resets in 2 h";
  const weekly = limited('weekly-limit', { inMs: 2 * HOUR });
  expect(verdictOf('claude', synthetic(notice), result())).toEqual(weekly);
  expect(verdictOf('claude', result({ result: notice }))).toEqual(weekly);
  expect(verdictOf('claude', answer, synthetic(notice), result({ usage: { output_tokens: 9 } }))).toEqual(weekly);
  expect(verdictOf('claude', synthetic(notice), answer, result()).outcome).toBe('succeeded');
  expect(verdictOf('claude', synthetic('No response requested.'), answer, result()).outcome).toBe('succeeded');
  const words = { ...answer, message: { ...answer.message, content: [{ type: 'text', text: notice }] } };
  const said = result({ result: notice, usage: { output_tokens: 9 } });
  expect(verdictOf('claude', words, said).outcome, 'a model may write of limits').toBe('succeeded');
  const rejected = (fields: object) => ({
    type: 'rate_limit_event',
    rate_limit_info: { status: 'rejected', ...fields },
  });
  const opus = rejected({ rateLimitType: 'seven_day_opus', resetsAt: 1_774_116_000 });
  expect(verdictOf('claude', opus, result())).toEqual(limited('model-limit', { at: 1_774_116_000_000 }));
  expect(verdictOf('claude', rejected({}), result()).trouble).toBe('usage-limit');
  expect(verdictOf('claude', rejected({ isUsingOverage: true }), answer, result()).outcome).toBe('succeeded');
  expect(
    verdictOf('claude', { ...opus, rate_limit_info: { status: 'allowed_warning' } }, answer, result()).outcome,
  ).toBe('succeeded');
  const codex = { type: 'error', message: "You've hit your usage limit. Try again in 2 h" };
  const turn = { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 0 } };
  expect(verdictOf('codex', codex, turn)).toEqual(limited('usage-limit', { inMs: 2 * HOUR }));
  const gemini = {
    type: 'error',
    message: 'You have exhausted your capacity on this model. Your quota will reset after 2h0m0s.',
  };
  const ended = { type: 'result', status: 'success', stats: {} };
  expect(verdictOf('gemini', gemini, ended)).toEqual(limited('overloaded', { inMs: 2 * HOUR }));
});

test('lines of any length are read in time', () => {
  const hostile = [
    ...['limit '.repeat(20_000), 'resets '.repeat(20_000)],
    ...['1h'.repeat(40_000), `in ${'1 h and '.repeat(9_000)}`],
  ];
  const reading = () => {
    for (const text of hostile) {
      troubleIn(text);
      resetIn(text);
    }
  };
  expect(processorMs(reading)).toBeLessThan(5_000);
});

test('a duration is the sum of its parts, to the millisecond', () => {
  expect(
    ['1 day', '2 hours', '3 minutes', '4 seconds', '1d 2h3m and 4.5s', '1 DAY, 1 Hour'].map((span) =>
      resetIn(`Retry in ${span}.`),
    ),
  ).toEqual([86_400_000, 7_200_000, 180_000, 4_000, 93_784_500, 90_000_000].map((inMs) => ({ inMs })));
  expect(['retry-after: 7', 'Retry after 70 '].map(resetIn)).toEqual([{ inMs: 7_000 }, { inMs: 70_000 }]);
});
