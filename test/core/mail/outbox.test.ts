import { expect, test } from 'vitest';
import { OUTBOX_OPS, type OutboxRow, outboxRow, planOf } from '#core/mail/outbox.js';
import { codeOf, commit, graphOf, NOW } from '../graph/graph.js';

const row = (op: OutboxRow['op'], args: unknown): OutboxRow => {
  const read = outboxRow('r-1', op, args);
  if (read === undefined) throw new Error(`no row of ${op}`);
  return read;
};
const said = { name: 'ann' };
const WHOLE = {
  'task.message': { task_id: 'a', from: 'ann', kind: 'person', number: 3 },
  'task.add': {
    created_by: 'ann',
    task: {
      ...{ id: 'new', title: 'N', description: 'D', after: ['a'], after_success: ['a'], tags: ['t'], skills: ['s'] },
      ...{
        agent: 'g',
        member: 'm',
        team: 'crew',
        verify: 'v',
        max_rejections: 2,
        paused: true,
        timeout: '5m',
        parent: 'p',
      },
      ...{ human: true, plan_required: true, plan_of: 'crew', exec_mode: 'light', conversation: 'c' },
    },
  },
  'task.plan-team': {
    created_by: 'ann',
    task: { id: 'plan', title: 'P', team: 'crew', version: 2, tries: 1, member: 'm', agent: 'g' },
  },
  'task.submit': {
    ...{ task_id: 'a', by: { name: 'r', fence: 1, taskId: 'a' }, artifact: 'x', title: 'T', sha256: 'f', summary: 'S' },
    evidence: { commit: 'c' },
  },
  'task.report': { task_id: 'a', by: 'r', fence: 1 },
  'task.done': { task_id: 'a', by: 'ann' },
  'task.abandon': { task_id: 'a', reason: 'why' },
  'team.hold': { team: 'crew', by: 'ann', reason: 'over' },
} as const;

test.each(OUTBOX_OPS)('%s: a row is read as it was kept, and none with more or less than its own fields', (op) => {
  const args = WHOLE[op];
  expect(outboxRow('r-1', op, args)).toEqual({ id: 'r-1', op, args });
  expect(outboxRow('r-1', op, { ...args, more: 1 })).toBeUndefined();
  for (const field of Object.keys(args)) {
    expect(outboxRow('r-1', op, { ...args, [field]: undefined }), field).toBeUndefined();
    expect(outboxRow('r-1', op, { ...args, [field]: [] }), field).toBeUndefined();
  }
  if (!('task' in args)) return;
  expect(outboxRow('r-1', op, { ...args, task: { ...args.task, exec: 'rm -rf /' } }), 'no command').toBeUndefined();
  for (const field of Object.keys(args.task))
    expect(outboxRow('r-1', op, { ...args, task: { ...args.task, [field]: {} } }), field).toBeUndefined();
});

test('flags are true or not there, and all that need not be said may be left out', () => {
  const add = (task: object) =>
    outboxRow('r-1', 'task.add', { created_by: 'ann', task: { id: 'n', title: 'N', ...task } });
  expect(add({})).toBeDefined();
  for (const odd of [{ human: false }, { plan_required: false }, { exec_mode: 'full' }, { paused: 'yes' }])
    expect(add(odd), JSON.stringify(odd)).toBeUndefined();
  expect(add({ paused: false })).toBeDefined();
  const { member: _, agent: __, ...bare } = WHOLE['task.plan-team'].task;
  expect(outboxRow('r-1', 'task.plan-team', { created_by: 'ann', task: bare })).toBeDefined();
  const submit = { ...WHOLE['task.submit'], by: said };
  expect(outboxRow('r-1', 'task.submit', submit)).toBeDefined();
  expect(outboxRow('r-1', 'task.submit', { ...submit, by: { name: 'r', fence: 1 } })).toBeUndefined();
});

test('a task is added once under its own id, whatever has become of it since', () => {
  const graph = graphOf({ id: 'a' });
  commit(graph, planOf(graph, row('task.add', WHOLE['task.add']), NOW));
  expect(graph.task('new')).toMatchObject({
    title: 'N',
    after: ['a'],
    created_by: 'ann',
    member: 'm',
    human: true,
    paused: true,
  });
  expect(graph.task('new')).not.toHaveProperty('unplaced');
  expect(planOf(graph, row('task.add', WHOLE['task.add']), NOW).events).toEqual([]);
});

test('ids of our own begin with a dot', () => {
  const graph = graphOf({ id: 'a' });
  const args = WHOLE['task.add'];
  commit(graph, planOf(graph, row('task.add', { ...args, task: { ...args.task, id: '.plan' } }), NOW));
  expect(graph.task('.plan')?.title).toBe('N');
});

test('the task that plans for a team has the one command there is', () => {
  const graph = graphOf();
  commit(graph, planOf(graph, row('task.plan-team', WHOLE['task.plan-team']), NOW));
  expect(graph.task('plan')).toMatchObject({
    ...{ exec: '"$TROUPE_BIN" team plan-work "$IN_TEAM" "$IN_VERSION" "$IN_TRY" --quiet', team: 'crew', member: 'm' },
    ...{ environment: { IN_TEAM: 'crew', IN_VERSION: '2', IN_TRY: '1' }, created_by: 'ann' },
  });
});

test('what was said of work in teams becomes the moves of its task', () => {
  const held = { id: 'a', status: 'in-progress' as const, assigned: 'r', fence: 1 };
  const team = { ...held, team: 'crew', verify: 'read' };
  const moved = (op: OutboxRow['op'], task: Parameters<typeof graphOf>[0] | undefined, args: unknown = WHOLE[op]) => {
    const graph = task === undefined ? graphOf() : graphOf(task);
    const plan = planOf(graph, row(op, args), NOW);
    commit(graph, plan);
    return { ops: plan.events.map((event) => event.op), task: graph.task('a') };
  };
  expect(moved('task.submit', team).task).toMatchObject({
    ...{
      status: 'pending-validation',
      deliverable: { artifact: 'x', title: 'T', sha256: 'f', summary: 'S', fence: 1 },
    },
  });
  expect(moved('task.report', held).task).toMatchObject({ status: 'in-progress', reported: { fence: 1 } });
  expect(codeOf(() => moved('task.report', { ...held, fence: 2 }))).toBe('stale_attempt');
  expect(moved('task.done', { id: 'a' }).task).toMatchObject({ status: 'done' });
  expect(moved('task.abandon', { id: 'a' }).task).toMatchObject({
    status: 'abandoned',
    log: [{ actor: 'coordinator', message: expect.stringContaining('why') }],
  });
  expect(moved('task.abandon', { id: 'a', status: 'done' })).toMatchObject({ ops: [], task: { status: 'done' } });
  expect(codeOf(() => moved('task.abandon', undefined))).toBe('unknown_task');
  expect(moved('team.hold', { id: 'a', team: 'crew', verify: 'read' }).task).toMatchObject({ paused: true });
  expect(moved('team.hold', { id: 'a', team: 'other', verify: 'read' }).ops).toEqual([]);
  const atWork = { ...held, team: 'crew' };
  expect(moved('team.hold', atWork), 'who is at work goes on').toMatchObject({
    ops: ['pause'],
    task: { status: 'in-progress', assigned: 'r', paused: true },
  });
  const { events } = planOf(graphOf({ id: 'a' }), row('task.message', WHOLE['task.message']), NOW);
  expect(events).toEqual([
    { op: 'message', task_id: 'a', actor: 'ann', detail: { message_id: 'r-1', number: 3, kind: 'person' }, patch: [] },
  ]);
  const waits = { id: 'a', status: 'waiting' as const, wait_condition: { conditions: [{ type: 'message' }] } as never };
  expect(moved('task.message', waits).ops.length).toBeGreaterThan(0);
});
