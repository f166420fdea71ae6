import path from 'node:path';
import { expect, test } from 'vitest';
import { mergeTexts, newestTime, renamedNode } from '#core/history/merge-graphs.js';
import { byTime, kindOf, mergedCounters, mergedList, mergedLog, sameNode } from '#core/history/merge-node.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const at = (minute: number) => `2026-03-21T10:${String(minute).padStart(2, '0')}:00.000Z`;
const word = (minute: number, message: string, actor?: string) => ({
  timestamp: at(minute),
  message,
  ...(actor === undefined ? {} : { actor }),
});
const task = (id: string, fields: object = {}) => ({
  kind: 'task',
  id,
  title: id,
  status: 'open',
  created_at: at(0),
  ...fields,
});
const text = (...lines: (object | string)[]) =>
  `${lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')}\n`;

const BASE = [
  task('one', {
    tags: ['a', 'b'],
    retry_count: 1,
    log: [word(1, 'began')],
    token_usage: { input_tokens: 5 },
    description: 'Old.',
  }),
  task('gone here'),
  task('gone there'),
  task('gone here, changed there'),
  task('run', { status: 'in-progress', assigned: 'agent-1', started_at: at(1) }),
  task('unset', { description: 'Old.', verify: 'Old.' }),
  { kind: 'resource', id: 'gpu', available: 1 },
];
const OURS = [
  '# ours',
  task('one', {
    title: 'Ours',
    tags: ['a', 'c'],
    retry_count: 3,
    log: [word(1, 'began'), word(4, 'ours', 'ann'), word(4, 'ours', 'ann')],
    token_usage: { input_tokens: 9, cost_usd: 1 },
    description: 'Ours.',
    priority: 1,
    rev: 5,
  }),
  task('gone there'),
  task('run', { status: 'done', completed_at: at(9) }),
  task('unset', { verify: 'Ours.' }),
  { kind: 'resource', id: 'gpu', available: 2 },
  task('fresh', { title: 'Fresh of ours' }),
  task('user', { after: ['fresh'] }),
  'not a line of ours',
];
const THEIRS = [
  '# theirs',
  task('one', {
    title: 'Theirs',
    tags: ['b', 'd'],
    retry_count: 2,
    log: [word(1, 'began'), word(4, 'ours', 'ann'), word(3, 'theirs', 'bob')],
    token_usage: { input_tokens: 7, output_tokens: 2 },
    description: 'Theirs.',
    priority: 2,
    rev: 7,
  }),
  task('gone here'),
  task('gone here, changed there', { title: 'Changed' }),
  task('run', { status: 'failed', failure_reason: 'no', completed_at: at(8) }),
  task('unset', { description: 'Old.' }),
  { kind: 'resource', id: 'gpu', available: 3 },
  task('fresh', { title: 'Fresh of theirs', after: ['one'] }),
  task('their user', {
    after: ['fresh'],
    before: ['fresh'],
    after_success: ['fresh', 'one'],
    parent: 'fresh',
    cycle_config: { max_iterations: 2, guard: { TaskStatus: { task: 'fresh', status: 'done' } } },
    wait_condition: { mode: 'all', conditions: [{ type: 'task-status', task_id: 'fresh' }] },
  }),
  'not a line of theirs',
];

test('two sides of a file that have everything, put together both ways', async () => {
  const told = [
    mergeTexts(text(...BASE), text(...OURS), text(...THEIRS)),
    mergeTexts(text(...BASE), text(...THEIRS), text(...OURS)),
    mergeTexts('', text(...OURS), text(...THEIRS)),
    mergeTexts(text(...BASE), text(...BASE), text(...THEIRS)),
    mergeTexts(text(...BASE), text(...OURS), text(...OURS)),
  ].flatMap((merged) => [
    '==',
    ...Object.entries(merged).map(
      ([name, value]) => `${name}: ${typeof value === 'string' ? `\n${value}` : JSON.stringify(value)}`,
    ),
  ]);
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'merged.txt'));
});

test('lists, logs and counters of two sides', () => {
  const rows: [unknown, unknown, unknown, string[]][] = [
    [
      ['a', 'b'],
      ['a', 'b', 'c'],
      ['a', 'b', 'd'],
      ['a', 'b', 'c', 'd'],
    ],
    [['a', 'b'], ['b'], ['a'], []],
    [['a'], ['b', 'a'], ['a', 'b'], ['b', 'a']],
    [undefined, ['a', 'a'], ['b', 7], ['a', 'b']],
    ['x', 7, ['a'], ['a']],
  ];
  for (const [base, ours, theirs, wanted] of rows)
    expect(mergedList(base, ours, theirs), JSON.stringify([base, ours, theirs])).toEqual(wanted);
  const logs = mergedLog(
    [word(2, 'b'), word(2, 'b'), 7],
    [word(1, 'a'), word(2, 'b'), word(2, 'b', 'x'), word(2, 'b'), word(2, 'b')],
  );
  expect(logs.map(({ message, actor = '-' }) => message + actor)).toEqual(['a-', 'b-', 'b-', 'bx', 'b-']);
  expect(
    byTime([word(2, 'b'), { timestamp: 'never', message: 'n' }, word(1, 'a')]).map(({ message }) => message),
  ).toEqual(['n', 'a', 'b']);
  expect(mergedLog('x', undefined)).toEqual([]);
  expect(mergedCounters({ a: 1, b: 5, c: 'x' }, { a: 3, b: 2, c: 9, d: 4 })).toEqual({ a: 3, b: 5, c: 'x', d: 4 });
  expect([mergedCounters(7, {}), mergedCounters({}, 7)]).toEqual([undefined, undefined]);
});

test('which rule a field follows, when two nodes are the same, and when one was touched last', () => {
  const kinds: [string, unknown[], string][] = [
    ['log', [], 'log'],
    ['token_usage', [], 'counters'],
    ['status', ['open'], 'execution'],
    ['tags', ['x'], 'list'],
    ['unheard_of', [['a'], undefined, []], 'list'],
    ['unheard_of', [['a'], 7], 'other'],
    ['unheard_of', [['a', 7]], 'other'],
    ['retry_count', [1, undefined, 2], 'counter'],
    ['retry_count', [1, 'x'], 'other'],
    ['unheard_of', [1, 2], 'other'],
  ];
  for (const [field, values, kind] of kinds)
    expect(kindOf(field, values), `${field} ${JSON.stringify(values)}`).toBe(kind);
  expect([sameNode(task('a', { rev: 1 }), task('a', { rev: 2 })), sameNode(task('a'), task('a', { x: 1 }))]).toEqual([
    true,
    false,
  ]);
  const times = [
    task('a'),
    task('a', { started_at: at(5) }),
    task('a', { completed_at: at(6) }),
    task('a', { log: [word(1, 'x'), word(7, 'x')] }),
    { kind: 'x', id: 'y' },
  ];
  expect(times.map(newestTime)).toEqual([...[0, 5, 6, 7].map((minute) => Date.parse(at(minute))), 0]);
  const ids = new Map([['a', 'b']]);
  expect(renamedNode(task('a', { parent: 'a', after: ['x', 'a'], title: 'a' }), ids)).toEqual(
    task('b', { parent: 'b', after: ['x', 'b'], title: 'a' }),
  );
  expect(renamedNode(task('c', { parent: 'd', after: ['x'] }), ids)).toEqual(task('c', { parent: 'd', after: ['x'] }));
});
