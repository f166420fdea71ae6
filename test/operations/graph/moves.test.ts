import path from 'node:path';
import { expect, test } from 'vitest';
import { STATUSES } from '#core/graph/task.js';
import { asTroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { exec } from '#operations/graph/exec.js';
import { list, ready } from '#operations/graph/list.js';
import { artifact, log } from '#operations/graph/log.js';
import { claim, fail, reclaim, unclaim, wait } from '#operations/graph/moves.js';
import { settleFirst } from '#operations/graph/settle-first.js';
import { show } from '#operations/graph/show.js';
import { add, edit } from '#operations/graph/tasks.js';
import type { Context } from '#operations/operation.js';
import type { ProgramOutcome } from '#ports/programs.js';
import { collect } from '../../contract/graph-store.js';
import { world } from '../../e2e/world.js';
import { NO_RUNS } from '../../no-runs.js';
import { verifies } from '../../verifies.js';

const GOLDEN = path.join(import.meta.dirname, '../golden/moves.txt');
const coded = (code: string, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });

const SAID = { reason: 'because', actor: 'bob' };
/** What each move is asked for, beside the task. */
const MOVES: readonly (readonly [name: string, input: object])[] = [
  ['task.claim', { actor: 'bob' }],
  ['task.claim', { actor: 'bob', force: true }],
  ['task.unclaim', SAID],
  ['task.done', { ...SAID, skip_verify: true }],
  ['task.done', { force: true, converged: true }],
  ['task.fail', SAID],
  ['task.fail', { ...SAID, eval_reject: true }],
  ['task.abandon', { ...SAID, superseded_by: ['other'] }],
  ['task.retry', SAID],
  ['task.retry', { ...SAID, fresh: true }],
  ['task.reclaim', { from: 'ann', to: 'cid', reason: 'because' }],
  ['task.reschedule', { after: 2, reason: 'because' }],
  ['task.block', SAID],
  ['task.reopen', SAID],
  ['task.pause', SAID],
  ['task.resume', SAID],
  ['task.resume', { only: true }],
  ['task.publish', SAID],
  ['task.reject', SAID],
  ['task.approve', SAID],
  ['task.wait', { ...SAID, until: 'timer:5m', checkpoint: 'half' }],
  ['task.add-dep', { dependency: 'other' }],
  ['task.add-dep', { dependency: 'other', success: true }],
  ['task.add-dep', { dependency: 'nobody', allow_missing: true }],
  ['task.rm-dep', { dependency: 'first' }],
];

verifies(
  'test.bites',
  'what each move does to a task in each status, and what it says, is as it was found good',
  async () => {
    const lines: string[] = [];
    for (const [name, input] of MOVES) {
      const own = world();
      own.context.programs = programs({});
      await own.add('other');
      await own.add('first', { status: 'done' });
      lines.push(`${name} ${JSON.stringify(input)}`);
      for (const status of STATUSES) {
        const held = ['in-progress', 'waiting', 'pending-validation'].includes(status)
          ? { assigned: 'ann', fence: 1 }
          : {};
        await own.add(status, {
          status,
          after: ['first'],
          verify_cmd: 'make check',
          paused: status === 'open',
          ...held,
        });
        const answer = await own.call(name, { id: status, ...input }).then(
          (told) => {
            const {
              task,
              seq: _,
              events,
              id: __,
              status: ___,
              ...rest
            } = told as { task: object; events: { op: string }[] } & Record<string, unknown>;
            const {
              kind: _kind,
              id: _id,
              title,
              created_at,
              after,
              verify_cmd,
              rev,
              ...fields
            } = task as Record<string, unknown>;
            return `${events.map(({ op }) => op)} ${JSON.stringify(rest)}\n    ${JSON.stringify({ after, ...fields })}`;
          },
          (error) => `${asTroupeError(error).code}: ${asTroupeError(error).message}`,
        );
        lines.push(`  ${status}: ${answer}`);
      }
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(GOLDEN);
  },
);

/** The same project as a run of the task sees it. */
const asRun = (context: Context, taskId: string): Context => ({
  ...context,
  caller: { kind: 'run', name: 'agent-1', taskId, fence: 1 } as never,
});

test('a run may not push past what is not finished, and moves under its own name', async () => {
  const own = world();
  await own.add('a', { status: 'in-progress', assigned: 'agent-1', fence: 1 });
  const run = asRun(own.context, 'a');
  await expect(async () => claim.run(run, { id: 'a', force: true })).rejects.toEqual(
    coded('not_yours', 'A run may not use --force.'),
  );
  const { done } = await import('#operations/graph/done.js');
  await expect(async () => done.run(run, { id: 'a', skip_verify: true })).rejects.toEqual(
    coded('not_yours', 'A run may not use --skip-verify.'),
  );
  await expect(exec.run(run, { id: 'a' })).rejects.toEqual(coded('not_yours', 'A run runs its own command only.'));
  await wait.run(run, { id: 'a', until: 'message', actor: 'bob', reason: 'r' });
  const task = (await own.store.view()).task('a');
  expect(task).toMatchObject({
    status: 'waiting',
    wait_condition: { by: 'agent-1' },
    log: [{ actor: 'agent-1', message: expect.stringContaining('r') }],
  });
  await own.add('b', { status: 'in-progress', assigned: 'ann' });
  await wait.run(own.context, { id: 'b', until: 'message' });
  expect((await own.store.view()).task('b')?.wait_condition).not.toHaveProperty('by');
});

/** A command that ends like this. */
const programs =
  (outcome: Partial<ProgramOutcome>, asked: unknown[] = []): Context['programs'] =>
  async () => ({
    run: () => expect.unreachable(),
    command: async (...words) => {
      asked.push(words);
      return { code: 0, end: 'exited', output: 'words', durationMs: 7, ...outcome };
    },
  });

test('a command is run here and now, and how it ended is how its task ends', async () => {
  const own = world();
  const ran = async (id: string, outcome: Partial<ProgramOutcome>, fields: object = {}) => {
    await own.add(id, { exec: 'make', ...fields });
    const asked: unknown[] = [];
    const context = { ...own.context, programs: programs(outcome, asked) };
    const { status, exit_code, output, command } = await exec.run(context, { id });
    const entries = await collect(own.store.entries(1));
    const last = entries.at(-1);
    return [status, command, exit_code, output, (await own.store.view()).task(id)?.failure_reason, last?.detail, asked];
  };
  const told = (id: string, timeMs: number = WORK_LIMITS.taskTimeoutMs) => [
    ['make', { timeMs, variables: { WG_TASK_ID: id, WG_ATTEMPT: '1', WG_FENCE: '1' } }],
  ];
  const detail = (exit_code: number | null) => ({ exit_code, ms: 7 });
  expect(await ran('a', {})).toEqual(['done', 'make', 0, 'words', undefined, detail(0), told('a')]);
  expect(await ran('b', { code: 2 }, { timeout: '5m' })).toEqual([
    'failed',
    'make',
    2,
    'words',
    'The command failed: exit code 2',
    detail(2),
    told('b', 300_000),
  ]);
  expect((await ran('c', { end: 'timed-out' }))[4]).toBe('The command failed: it timed out');
  expect((await ran('d', { code: null, end: 'missing' }))[4]).toBe('The command failed: exit code missing');
  await own.add('e');
  await expect(exec.run(own.context, { id: 'e' })).rejects.toEqual(coded('exec_missing', 'e has no command to run.'));
  const set = await exec.run(own.context, { id: 'e', set: 'true' });
  expect([set.command, set.changed, (await own.store.view()).task('e')?.exec]).toEqual(['true', true, 'true']);
  const { seq } = await own.store.view();
  await expect(exec.run(own.context, { id: 'e', set: 'false', clear: true })).rejects.toEqual(
    coded('usage', 'Use either --set or --clear.'),
  );
  const dry = await exec.run(own.context, { id: 'e', dry_run: true });
  expect(dry).toEqual({
    ...{ id: 'e', status: 'open', changed: false, ready: true, warnings: [], seq, events: [], command: 'true' },
    task: (await own.store.view()).task('e'),
  });
  const cleared = await exec.run(own.context, { id: 'e', clear: true });
  expect([cleared.command, (await own.store.view()).task('e')?.exec]).toEqual([undefined, undefined]);
});

test('what is done to a task is told from the log: all of it, or of one who did it, the latest', async () => {
  const own = world();
  await own.add('a');
  await own.add('b');
  const told = async (input: object) => await log.run(own.context, { id: 'a', ...input });
  expect(await told({})).toEqual({ id: 'a', seq: 2, log: [] });
  expect((await told({ message: 'one' })).log).toMatchObject([{ actor: 'you', message: 'one' }]);
  expect((await told({ message: 'two', actor: 'ann' })).log).toMatchObject([{ actor: 'ann', message: 'two' }]);
  const all = (await told({ message: 'three', list: true })).log; // it is kept, and shown with the others
  expect(all.map(({ message }) => message)).toEqual(['one', 'two', 'three']);
  expect((await told({ agent: 'ann' })).log.map(({ message }) => message)).toEqual(['two']);
  const { operations } = await told({ operations: true });
  expect(operations).toEqual([
    { seq: 1, timestamp: expect.any(String), op: 'add_task' },
    { seq: 3, timestamp: expect.any(String), op: 'log', actor: 'you' },
    { seq: 4, timestamp: expect.any(String), op: 'log', actor: 'ann' },
    { seq: 5, timestamp: expect.any(String), op: 'log', actor: 'you' },
  ]);
  expect((await told({ operations: true, agent: 'ann' })).operations?.map(({ seq }) => seq)).toEqual([4]);
  const whole = async (input: object) => await log.run(own.context, input);
  expect(await whole({})).toEqual({
    ...{ seq: 5, log: [] },
    operations: ['add_task', 'add_task', 'log', 'log', 'log'].map((op) =>
      expect.objectContaining({ op, task_id: expect.any(String) }),
    ),
  });
  expect((await whole({ agent: 'ann' })).operations).toMatchObject([{ seq: 4, op: 'log', task_id: 'a' }]);
  await expect(whole({ message: 'lost' })).rejects.toMatchObject({ code: 'usage' });
  const events = Array.from({ length: WORK_LIMITS.operationsShown }, () => ({
    op: 'x',
    patch: [{ id: 'a', set: { title: 'A' } }],
  }));
  await own.store.commit(() => ({ events, result: undefined }));
  const many = (await told({ operations: true })).operations ?? [];
  expect([many.length, many[0]?.seq, many.at(-1)?.seq]).toEqual([
    WORK_LIMITS.operationsShown,
    6,
    WORK_LIMITS.operationsShown + 5,
  ]);
  expect((await whole({})).operations?.map(({ seq }) => seq)[0]).toBe(6);
  const kept = async (input: object) => (await artifact.run(own.context, { id: 'a', ...input })).artifacts;
  expect([
    await kept({}),
    await kept({ paths: ['x', '/project/y'] }),
    await kept({ paths: ['y'], remove: true }),
  ]).toEqual([[], ['x', 'y'], ['x']]);
  await own.set('a', { artifacts: ['../old', 'x'] });
  expect(await kept({ paths: ['../old'], remove: true })).toEqual(['x']);
  await expect(kept({ paths: ['../out'] })).rejects.toEqual(coded('unsafe_path'));
});

verifies('test.bites', 'lists of tasks: each row whole, by status, by tags and by what is paused', async () => {
  const own = world();
  await own.add('free', { tags: ['x'], not_before: '2026-02-01T00:00:00.000Z' });
  await own.add('later', { after: ['free'], member: 'Ann', ready_after: '2026-04-01T00:00:00.000Z' });
  await own.add('paused', { paused: true });
  await own.add('held', { status: 'in-progress', assigned: 'ann' });
  await own.add('bad', { status: 'done', evidence: { exit: 1 } });
  const bare = { after: [], tags: [], paused: false, ready: false };
  const rows = [
    { ...bare, id: 'bad', title: 'bad', status: 'done', check: 'exit 1' },
    {
      ...bare,
      id: 'free',
      title: 'free',
      status: 'open',
      ready: true,
      tags: ['x'],
      not_before: '2026-02-01T00:00:00.000Z',
    },
    { ...bare, id: 'held', title: 'held', status: 'in-progress', assigned: 'ann', live: false },
    {
      ...bare,
      id: 'later',
      title: 'later',
      status: 'open',
      after: ['free'],
      member: 'Ann',
      ready_after: '2026-04-01T00:00:00.000Z',
    },
    { ...bare, id: 'paused', title: 'paused', status: 'open', paused: true },
  ];
  expect(await list.run(own.context, {})).toEqual({ tasks: rows, total: 5, internal: 0 });
  const ids = async (input: object) => (await list.run(own.context, input)).tasks.map(({ id }) => id);
  expect([
    await ids({ paused: true }),
    await ids({ paused: false }),
    await ids({ status: ['done', 'in-progress'] }),
  ]).toEqual([...[['paused'], ['bad', 'free', 'held', 'later'], ['bad', 'held']]]);
  expect(await ids({ tag: [] })).toHaveLength(5);
  await own.set('free', { not_before: '2026-05-01T00:00:00.000Z' });
  expect((await ready.run(own.context, {})).tasks).toEqual([]);
  own.pass(100 * 24 * 3_600_000);
  expect((await ready.run(own.context, {})).tasks).toEqual([{ id: 'free', title: 'free', tags: ['x'] }]);
});

verifies('test.bites', 'a task is shown whole, now and as it was', async () => {
  const own = world();
  await own.add('first', { status: 'done', title: 'First' });
  await own.add('a', { exec: 'make', after: ['gone', 'first'], estimate: { hours: 2, cost: 3 } });
  await own.add('b', { after: ['a'] });
  const fields = {
    kind: 'task',
    id: 'a',
    title: 'a',
    status: 'open',
    exec: 'make',
    after: ['gone', 'first'],
    created_at: expect.any(String),
    rev: 2,
  };
  const after = [
    { id: 'first', title: 'First', status: 'done' },
    { id: 'gone', title: '', status: 'missing' },
  ];
  const whole = {
    ...{
      ...fields,
      hours: 2,
      cost: 3,
      task: { ...fields, estimate: { hours: 2, cost: 3 } },
      ready: true,
      reasons: [],
      done_by: 'command',
      after,
    },
    before: [{ id: 'b', title: 'b', status: 'open' }],
  };
  expect(await show.run(own.context, { id: 'a' })).toEqual(whole);
  await own.set('a', { status: 'in-progress', assigned: 'agent-1' });
  own.atWork.add('agent-1');
  expect(await show.run(own.context, { id: 'a' })).toMatchObject({ live: true, ready: false, reasons: [] });
  const { done_by: _, ...then } = whole;
  expect(await show.run(own.context, { id: 'a', at: 3 })).toEqual(then);
  expect(await show.run(own.context, { id: 'a', at: 4 })).not.toHaveProperty('live');
  expect((await show.run(own.context, { id: 'b' })).reasons).toEqual([expect.stringContaining('a')]);
  await own.set('b', { status: 'blocked' });
  expect(await show.run(own.context, { id: 'b' })).toMatchObject({ why: expect.any(String), reasons: [] });
  expect(await show.run(own.context, { id: 'b', at: 5 })).not.toHaveProperty('why');
});

test('before a task is taken from a run that has ended, its end is settled', async () => {
  const own = world();
  await own.add('a', { status: 'in-progress', assigned: 'agent-1', fence: 1 });
  await own.add('open');
  own.ended.add('agent-1');
  await settleFirst(own.context, 'a'); // nobody would settle it
  own.coordinate({ executor: 'claude', holds: [] });
  await settleFirst(own.context, 'open');
  await settleFirst(own.context, 'nobody');
  const asked: string[] = [];
  const alive: Context['runs'] = async () => ({
    ...NO_RUNS,
    state: async (run) => {
      asked.push(run);
      return 'at-work';
    },
  });
  await settleFirst({ ...own.context, runs: alive }, 'a');
  expect(asked).toEqual(['agent-1']);
  for (const move of [unclaim, fail, reclaim]) {
    const id = move.name;
    await own.add(id, { status: 'in-progress', assigned: 'agent-1', fence: 1 });
    const moved = move
      .run(own.context, { id, from: 'agent-1', to: 'bob' } as never)
      .catch((error: { code: string }) => error.code);
    await own.set(id, { assigned: 'agent-2', status: 'in-progress', fence: 2 });
    expect(await moved, id).not.toBe('task_running');
  }
});

test('a new task and a changed one: what is said of when it begins, and what is refused', async () => {
  const own = world();
  const told = await add.run(own.context, { title: '  First ', delay: '2h', after: [], hours: 1 });
  expect(told).toMatchObject({
    id: 'first',
    title: 'First',
    ready: false,
    warnings: [],
    seq: 1,
    events: [{ seq: 1, op: 'add_task', task_id: 'first' }],
  });
  expect(told).not.toHaveProperty('note');
  expect(told.task?.['not_before']).toBe('2026-03-01T12:00:00.000Z');
  const second = await add.run(own.context, { title: 'Second', after: ['first'], not_before: '2027-01-01T00:00:00Z' });
  expect(second.note).toBe(
    'It is queued when its dependencies have ended, even if they failed; --after-success waits for success.',
  );
  expect(second.task?.['not_before']).toBe('2027-01-01T00:00:00.000Z');
  const both = { delay: '1h', not_before: '2027-01-01T00:00:00Z' };
  for (const run of [
    () => add.run(own.context, { title: 'x', ...both }),
    () => edit.run(own.context, { id: 'first', ...both }),
  ])
    await expect(run).rejects.toEqual(coded('usage', 'Use --delay or --not-before, not both.'));
  for (const odd of [{ timeout: 'soon' }, { not_before: 'soon' }, { delay: 'soon' }]) {
    await expect(async () => add.run(own.context, { title: 'x', ...odd }), JSON.stringify(odd)).rejects.toEqual(
      coded('bad_input'),
    );
    await expect(async () => edit.run(own.context, { id: 'first', ...odd }), JSON.stringify(odd)).rejects.toEqual(
      coded('bad_input'),
    );
  }
  await expect(edit.run(own.context, { id: 'first', add_after: ['nobody'] })).rejects.toEqual(coded('unknown_task'));
  const edited = await edit.run(own.context, { id: 'first', add_after: ['nobody'], allow_missing: true, delay: '1h' });
  expect(edited).toMatchObject({ changed: true, warnings: [expect.stringContaining('nobody')] });
  expect(edited.task?.['not_before']).toBe('2026-03-01T11:00:00.000Z');
});
