import { expect } from 'vitest';
import { addTask, type TaskDraft } from '#core/graph/add.js';
import { misfits, operationLine, taskLine } from '#core/graph/file-schemas.js';
import { nodeLine } from '#core/graph/line.js';
import type { Task } from '#core/graph/task.js';
import { parseWait, waitTask } from '#core/graph/wait.js';
import { checkGraph } from '#core/insight/check.js';
import { verifies } from '../../verifies.js';
import { NOW, Play } from './graph.js';

/** One task that says something in every field a person can set, and what becomes of it. */
function full(): Play {
  const play = new Play({ id: 'z' });
  const draft = {
    ...{ title: 'A', id: 'a', description: 'd', after: ['z'], after_success: ['z'], tags: ['t'], skills: ['s'] },
    ...{
      inputs: ['i'],
      deliverables: ['o'],
      exec: 'true',
      exec_mode: 'shell',
      delay: '5m',
      timeout: '1m',
      member: 'Ann',
    },
    ...{
      agent: 'abc',
      model: 'm',
      provider: 'local',
      verify: 'v',
      verify_cmd: 'true',
      max_retries: 2,
      hours: 1,
      cost: 2,
    },
    ...{
      max_rejections: 1,
      visibility: 'peer',
      context_scope: 'full',
      requires: ['r'],
      place_near: ['z'],
      team: 'one',
    },
    ...{ max_iterations: 2, cycle_guard: 'iteration<1', cycle_delay: '1s', no_converge: true, max_failure_restarts: 1 },
  };
  play.move((view, { now }) =>
    addTask(view, { ...(draft as TaskDraft), not_before: '2026-01-01T00:00:00.000Z' }, { now, actor: 'ann' }),
  );
  play.done('z');
  play.claim('a');
  play.move((view, options) => {
    const wait = parseWait(view, 'timer:1h|message|file:x|task:z=failed', { now: NOW, by: 'ann', files: new Map() });
    return waitTask(view, 'a', wait, { ...options, checkpoint: 'c' });
  });
  return play;
}

verifies('graph.field', 'what we write ourselves fits the schema of the file, in the order of the fields', () => {
  const play = full();
  for (const id of ['a', 'z']) expect(misfits(play.task(id))).toEqual([]);
  const line = nodeLine(play.task('a'));
  expect(taskLine.safeParse(JSON.parse(line)).success).toBe(true);
  const keys = Object.keys(JSON.parse(line) as object);
  const order = Object.keys(taskLine.shape);
  expect(keys.filter((key) => !order.includes(key))).toEqual([]);
  expect(keys).toEqual(order.filter((key) => keys.includes(key)));
  expect(keys.length).toBeGreaterThan(35);
  for (const entry of play.entries) expect(operationLine.safeParse(entry).success).toBe(true);
});

verifies('graph.field', 'empty values, zero and false are left out; only four keys are needed', () => {
  const bare = { kind: 'task', id: 'a', title: 'A', status: 'open' } as const;
  const idle = { tags: [], paused: false, retry_count: 0, description: '', before: [] };
  expect(nodeLine({ ...bare, ...idle } as Task)).toBe(JSON.stringify(bare));
  // No further attempt is another bound than none that was said.
  const bound = { ...bare, max_retries: 0, max_rejections: 0 };
  expect([nodeLine({ paused: false, ...bound } as Task), nodeLine(bound)]).toEqual(
    Array(2).fill(JSON.stringify(bound)),
  );
  expect(misfits(bare)).toEqual([]);
});

verifies('graph.field', 'what does not fit is named; what nobody knows is left alone', () => {
  const odd = {
    kind: 'task',
    id: 'a',
    title: 'A',
    status: 'open',
    after: 'b',
    paused: 'yes',
    timeout: 'soon',
    moon: 1,
  };
  expect(misfits(odd as never).map(({ field }) => field)).toEqual(['after', 'paused', 'timeout']);
  expect(misfits({ kind: 'resource', id: 'gpu', available: 'many' } as never).map(({ field }) => field)).toEqual([
    'available',
  ]);
  expect(misfits({ kind: 'planet', id: 'x', after: 1 } as never)).toEqual([]);
});

verifies('graph.show.check', 'the check tells of fields that cannot be read', () => {
  const play = new Play({ id: 'a', timeout: 'soon' });
  expect(checkGraph(play.state, []).problems).toMatchObject([
    { code: 'bad_field', severity: 'warning', task_id: 'a', ids: ['timeout'] },
  ]);
});
