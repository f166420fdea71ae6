import path from 'node:path';
import { expect, test } from 'vitest';
import type { Sieve } from '#core/history/export-fields.js';
import { bestScores } from '#core/history/replay.js';
import { evaluationForPeers, functionInZone, isInZone, taskInZone, ZONES } from '#core/history/zone.js';
import { verifies } from '../../verifies.js';

/** `a` and `b` go along; SECRET is taken out of what people wrote. */
const SIEVE: Sieve = {
  includes: (id) => id === 'a' || id === 'b',
  clean: (text) => text.replaceAll('SECRET', '…'),
  mentions: (text) => text.includes('SECRET'),
};
const AT = '2026-03-01T10:00:00+01:00';
const CYCLE = { max_iterations: 3, no_converge: true, restart_on_failure: false, max_failure_restarts: 2 };
const FUNCTION = {
  ...{ kind: 'function', version: 2, id: 'f', name: 'F SECRET', description: 'D', visibility: 'peer', more: 'SECRET' },
  extracted_from: [
    'a',
    'gone',
    { task_id: 'b', timestamp: AT, run_id: 'SECRET' },
    { task_id: 'gone' },
    { task_id: 'a' },
    7,
    null,
  ],
  ...{ extracted_by: 'SECRET', extracted_at: AT, tags: ['x', 7, 'y'] },
  inputs: [
    {
      name: 'n',
      type: 'string',
      required: true,
      default: 'd SECRET',
      example: 7,
      min: 1,
      max: 9,
      values: ['v', 7, {}, false],
    },
    { name: 'm', required: 'yes', default: {}, min: Number.NaN, values: 'no', description: 'D', own: 'SECRET' },
    'none',
  ],
  tasks: [
    {
      ...{ template_id: 't', title: 'T', description: 'D', skills: ['s'], inputs: ['in.md'], deliverables: ['out.md'] },
      ...{ verify: 'v', after: ['u'], after_success: ['w'], estimate: { hours: 1, cost: 2, own: 3 }, tags: ['t'] },
      ...{ cycle: { ...CYCLE, guard: 'g', delay: '5m', own: 1 }, role_hint: 'r', exec: 'SECRET' },
    },
  ],
  outputs: [{ name: 'o', description: 'D', from_task: 't', field: 'f', own: 1 }],
};
const TASK = {
  ...{ id: 'a', title: 'T SECRET', description: 'D', status: 'done', visibility: 'public', skills: ['s'], tags: ['t'] },
  ...{
    after: ['b', 'gone'],
    before: ['gone', 'a'],
    after_success: ['b'],
    created_at: AT,
    started_at: AT,
    completed_at: AT,
  },
  ...{ loop_iteration: 2, agent: 'h', artifacts: ['art.md'], deliverables: ['out/d.md', 'SECRET.md'], exec: 'SECRET' },
  estimate: { hours: 1, cost: 0.5, own: 7 },
  cycle_config: { ...CYCLE, guard: 'Always', delay: '5m', own: 1 },
};

verifies('graph.zone', 'a task, a function and an evaluation with everything in them, in each zone', async () => {
  const told = {
    'task for peers': taskInZone(TASK, 'peer', SIEVE),
    'task for everybody': taskInZone(TASK, 'public', SIEVE),
    'function for peers': functionInZone(FUNCTION, 'peer', SIEVE),
    'function for everybody': functionInZone(FUNCTION, 'public', SIEVE),
    'function without what its owner keeps': functionInZone(
      { ...FUNCTION, redacted_fields: ['tasks.description', 'min', 'outputs', 7, 'name.x'] },
      'public',
      SIEVE,
    ),
    'evaluation for peers': evaluationForPeers(
      {
        ...{ id: 'e', task_id: 'a', agent_id: 'g', role_id: 'r', tradeoff_id: 't', score: 0.5, source: 'llm' },
        ...{ dimensions: { quality: 1, Wrong: 1, text: 'x' }, timestamp: AT, notes: 'SECRET', evaluator: 'SECRET' },
      },
      SIEVE,
    ),
  };
  const page = `${JSON.stringify(told, undefined, 1)}\n`;
  expect(page).not.toContain('SECRET');
  await expect(page).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/zones.txt'));
  expect(evaluationForPeers({ task_id: 'gone', score: 1 }, SIEVE)).toBeUndefined();
  expect(evaluationForPeers({ score: 1 }, SIEVE)).toBeUndefined();
});

verifies('graph.zone', 'only what says so clearly goes out', () => {
  const zones = (visibility: unknown) => ZONES.map((zone) => isInZone(visibility, zone));
  expect(['public', 'peer', 'internal', undefined, 'Public', true].map(zones)).toEqual([
    ...[
      [true, true, true],
      [true, true, false],
    ],
    ...Array(4).fill([true, false, false]),
  ]);
});

verifies('graph.zone', 'of a guard passes what can be read and names only what goes along', () => {
  const guard = (value: unknown, more: object = {}) =>
    taskInZone({ id: 'a', cycle_config: { guard: value, ...more } } as never, 'public', SIEVE);
  const passes = (value: unknown) =>
    expect(guard(value), JSON.stringify(value)).toEqual({ id: 'a', cycle_config: { guard: value } });
  const stays = (value: unknown) => expect(guard(value), JSON.stringify(value)).toEqual({ id: 'a' });
  for (const value of ['Always', { IterationLessThan: 3 }, { TaskStatus: { task: 'b', status: 'done' } }])
    passes(value);
  for (const value of [
    ...['Never', null, undefined, 7, {}, { IterationLessThan: '3' }, { IterationLessThan: Number.POSITIVE_INFINITY }],
    ...[{ TaskStatus: { task: 'gone', status: 'done' } }, { TaskStatus: { task: 'b', status: 'odd' } }],
    ...[{ TaskStatus: { task: 7, status: 'done' } }, { TaskStatus: {} }],
  ])
    stays(value);
  const delays = (delay: unknown) => guard(undefined, { delay })['cycle_config'];
  expect(['5m', '123456789s', '1w', '1234567890s', '5', 'm', '5y', 7].map(delays)).toEqual([
    ...[{ delay: '5m' }, { delay: '123456789s' }, { delay: '1w' }],
    ...Array(5).fill(undefined),
  ]);
});

verifies('graph.zone', 'where a function was made from is named only as far as it goes along', () => {
  const from = (extracted_from: unknown) =>
    functionInZone({ extracted_from } as never, 'public', SIEVE)['extracted_from'];
  expect(['a', 'gone', 7, [], ['gone'], [{ task_id: 'a', timestamp: 'soon' }], [{}, null, 7]].map(from)).toEqual([
    ...['a', undefined, undefined, undefined, undefined, [{ task_id: 'a' }], undefined],
  ]);
});

test('the best score of each task is the highest that can be one', () => {
  const rows = [
    ...[
      { task_id: 'a', score: 0.5 },
      { task_id: 'a', score: 0.75 },
      { task_id: 'a', score: 0.25 },
      { task_id: 'a', score: 1.1 },
    ],
    ...[
      { task_id: 'b', score: 0 },
      { task_id: 'c', score: 1 },
      { task_id: 'd', score: -0.1 },
      { task_id: 7, score: 1 },
    ],
    ...[{ task_id: 'e', score: '1' }, { score: 1 }],
  ];
  expect([...bestScores(rows)]).toEqual([
    ['a', 0.75],
    ['b', 0],
    ['c', 1],
  ]);
});
