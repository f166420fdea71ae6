import { expect } from 'vitest';
import { toldOf, toldReports } from '#adapters/workers/told-schema.js';
import { TROUBLES } from '#core/runs/provider-trouble.js';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import { verifies } from '../../verifies.js';

const FACT = {
  ...{ id: 'r', taskId: 't', fence: 1, startedAt: 2, timeoutMs: 3, alive: false, started: true, outputBytes: 4 },
};
const LISTED = { id: 'r', task_id: 't', executor: 'claude', status: 'done', started_at: 'then' };
const MARKED = {
  ...FACT,
  executor: 'claude',
  branch: 'wg/t',
  turns: 1,
  progressAt: 2,
  leaseUntil: 3,
  silentEnd: 'ask',
};
const json = (fact: object = {}, listed: object = {}, more: object = {}) =>
  JSON.stringify({ fact: { ...FACT, ...fact }, listed: { ...LISTED, ...listed }, ...more });
const accepts = (text: string) => toldOf(text, undefined).report !== undefined;

verifies('fleet.told', 'every word a worker may say of a run is understood, and no other', () => {
  const usage = { cost_usd: 1, estimated_usd: 2, input_tokens: 3, output_tokens: 4 };
  const all = { ...usage, cache_read_input_tokens: 5, cache_creation_input_tokens: 6 };
  const result = {
    ...{
      outcome: 'failed',
      reason: 'why',
      usage: all,
      sessionId: 's',
      turns: 1,
      toolCalls: 2,
      resetsAt: 3,
      spent: true,
    },
    ...{ lastWords: 'w', check: { code: 1, ms: 2, lastLines: 'l' }, signal: 'SIGTERM' },
  };
  const exit = { code: 1, check: { lastLines: 'l' }, lastLines: 'm', durationMs: 5 };
  const fact = { ...MARKED, usage: all, result, exit, startError: 'e', ended: 'idle' };
  const listed = { ...LISTED, last_heartbeat: 'now', model: 'm', usage: all };
  const said = { fact, listed };
  expect(toldOf(JSON.stringify(said), undefined)).toEqual({ report: said });
  for (const ended of ['timeout', 'idle', 'output', 'stopped', 'superseded', 'silent', 'budget', 'lost'])
    expect(accepts(json({ ended })), ended).toBe(true);
  for (const status of ['starting', 'working', 'stopping', 'parked', 'done', 'failed', 'dead'])
    expect(accepts(json({}, { status })), status).toBe(true);
  for (const outcome of ['succeeded', 'failed'])
    expect(accepts(json({ result: { outcome, reason: '' } })), outcome).toBe(true);
  for (const trouble of Object.keys(TROUBLES))
    expect(accepts(json({ result: { outcome: 'failed', reason: '', trouble } })), trouble).toBe(true);
  for (const text of [
    ...[json({ ended: 'x' }), json({}, { status: 'x' }), json({ result: { outcome: 'x', reason: '' } })],
    ...[json({ outputBytes: -1 }), json({ fence: 0.5 }), json({ result: { ...result, spent: false } }), '[]', '{'],
    json().padEnd(WORKER_LIMITS.toldCharacters + 1),
  ])
    expect(accepts(text), text.slice(0, 80)).toBe(false);
  expect(accepts(json().padEnd(WORKER_LIMITS.toldCharacters))).toBe(true);
});

verifies('fleet.told', 'an end says where the work is; one that cannot be read is no end', () => {
  const publications = [
    { outcome: 'published', branch: 'wg/t', commit: 'abcd', base: '0123', committed: true, leftOut: ['x'] },
    { outcome: 'published', branch: 'wg/t', commit: 'abcd', committed: false, leftOut: [] },
    { outcome: 'nothing', commit: 'abcd', before: false },
    { outcome: 'kept', reason: 'unfinished', text: 'why' },
    { outcome: 'kept', reason: 'moved', text: 'why' },
  ];
  const report = JSON.parse(json());
  for (const publication of publications)
    expect(toldOf(undefined, json({}, {}, { publication }))).toEqual({
      end: { ...report, publication, unpublished: undefined },
    });
  expect(toldOf(undefined, json({}, {}, { unpublished: 'no' }))).toEqual({
    end: { ...report, publication: undefined, unpublished: 'no' },
  });
  expect(toldOf(json(), json())).toMatchObject({ report, end: report });
  expect(toldOf(undefined, undefined)).toEqual({});
  expect(toldOf('{', undefined)).toEqual({});
  for (const publication of [
    { outcome: 'nothing', commit: 'abcd', before: true },
    { outcome: 'nothing', commit: 'HEAD', before: false },
    { outcome: 'kept', reason: 'x', text: 'why' },
  ])
    expect(toldOf(undefined, json({}, {}, { publication }))).toEqual({
      outcome: 'garbled',
      reason: expect.any(String),
    });
});

verifies('fleet.told', 'the reports of a heartbeat belong to its runs one by one', () => {
  const report = JSON.parse(json());
  expect(toldReports(['a', 'b', 'c'], ['{', json(), '[]'])).toEqual({
    reports: [report],
    unread: [
      { run: 'a', why: expect.any(String) },
      { run: 'c', why: expect.any(String) },
    ],
  });
  expect(toldReports([], ['{']).unread).toEqual([{ run: '', why: expect.any(String) }]);
});
