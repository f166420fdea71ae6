import { expect, test } from 'vitest';
import type { Task } from '#core/graph/task.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { done, verify } from '#operations/graph/done.js';
import { exec } from '#operations/graph/exec.js';
import type { Context } from '#operations/operation.js';
import type { ProgramOutcome } from '#ports/programs.js';
import { agreedTo } from '../../agreed.js';
import { bothPorts } from '../../both-ports.js';
import { world } from '../../e2e/world.js';

/** Checks a task by a command that ends like this. */
async function checked(outcome: Pick<ProgramOutcome, 'code' | 'end'>) {
  const { context, store, add } = world();
  await add('a', { verify_cmd: 'make check' });
  const programs = {
    run: () => Promise.reject(new Error('a check is a command')),
    command: async () => ({ ...outcome, output: 'words', durationMs: 7 }),
  };
  const own: Context = { ...context, programs: async () => programs };
  return await verify(own, (await store.view()).task('a') as Task, 'make check', undefined);
}

test('a check counts when it ended by itself and well; otherwise it says how it ended', async () => {
  expect(await checked({ code: 0, end: 'exited' })).toEqual({ command: 'make check', exit: 0, ms: 7 });
  const refused = (what: string) =>
    expect.objectContaining({ code: 'verify_failed', message: expect.stringContaining(what) });
  await expect(checked({ code: 1, end: 'exited' })).rejects.toEqual(refused('ended with 1'));
  await expect(checked({ code: 0, end: 'stopped' })).rejects.toEqual(refused('ended with 0'));
  await expect(checked({ code: null, end: 'missing' })).rejects.toEqual(refused('ended with missing'));
  await expect(checked({ code: null, end: 'timed-out' })).rejects.toEqual(
    refused(`took longer than ${WORK_LIMITS.verifyMs / 1_000} s`),
  );
});

/** A command that ends well, with what it was asked for. */
const well =
  (asked: unknown[]): Context['programs'] =>
  async () => ({
    run: () => Promise.reject(new Error('it is a command')),
    command: async (...words) => {
      asked.push(words);
      return { code: 0, end: 'exited', output: 'x'.repeat(5_000), durationMs: 7 };
    },
  });

test('a check runs where the work lies, and is told which; in the project nothing of that', async () => {
  const own = world();
  await own.add('a', { verify_cmd: 'make check' });
  const task = (await own.store.view()).task('a') as Task;
  const asked: unknown[] = [];
  const tree = { path: '/tree', branch: 'wg/a/2' };
  const attempt = { task: 'a', attempt: 2, folder: '/tree/sub', branch: 'wg/a/2' };
  let there: object | undefined = tree;
  const context = {
    ...own.context,
    programs: well(asked),
    ...bothPorts(async () => ({ stateOf: async () => there }) as never),
  };
  await verify(context, task, 'make check', attempt as never);
  await verify(context, task, 'make check', undefined);
  there = undefined;
  await verify(context, task, 'make check', attempt as never);
  const [timeMs, plain] = [WORK_LIMITS.verifyMs, { WG_TASK_ID: 'a' }];
  const placed = { ...plain, WG_WORKTREE_PATH: '/tree', WG_BRANCH: 'wg/a/2' };
  expect(asked).toEqual([
    ['make check', { timeMs, variables: placed, folder: '/tree/sub' }],
    ['make check', { timeMs, variables: plain }],
    ['make check', { timeMs, variables: plain }],
  ]);
});

test('of what a failed check said the end is kept, and a command that nobody agreed to is not run', async () => {
  const own = world();
  await own.add('a', { verify_cmd: 'make check', exec: 'make' });
  const asked: unknown[] = [];
  const programs = well(asked);
  const failing: Context['programs'] = async () => ({
    ...(await programs()),
    command: async () => ({ code: 1, end: 'exited', output: `begin${'x'.repeat(4_096)}`, durationMs: 7 }),
  });
  const task = (await own.store.view()).task('a') as Task;
  await expect(verify({ ...own.context, programs: failing }, task, 'make check', undefined)).rejects.toMatchObject({
    details: { id: 'a', code: 1, end: 'exited', output: 'x'.repeat(4_096) },
  });
  const untrusted = { ...own.context, programs, trustedCommands: async () => agreedTo() };
  const refused = expect.objectContaining({ code: 'untrusted_graph' });
  await expect(exec.run(untrusted, { id: 'a' })).rejects.toEqual(refused);
  await expect(verify(untrusted, task, 'make check', undefined)).rejects.toEqual(refused);
  expect(asked).toEqual([]);
  expect((await own.store.view()).task('a')?.status).toBe('open');
});

test('what was checked stands in the evidence: nothing where there was nothing to check', async () => {
  const own = world();
  const asked: unknown[] = [];
  const context = { ...own.context, programs: well(asked) };
  const evidence = async (id: string, input: object, fields: Readonly<Record<string, unknown>> = {}) => {
    await own.add(id, fields);
    await done.run(context, { id, ...input });
    return (await own.store.view()).task(id)?.['evidence' as never];
  };
  expect(await evidence('a', {})).toBeUndefined();
  expect(await evidence('b', { skip_verify: true })).toBeUndefined();
  expect(await evidence('c', {}, { verify_cmd: 'make' })).toEqual({ verify_cmd: 'make', exit: 0, ms: 7 });
  expect(await evidence('d', { skip_verify: true }, { verify_cmd: 'make' })).toEqual({
    verify_cmd: 'make',
    unchecked: 'skipped',
  });
  expect(asked).toHaveLength(1);
  await own.add('later', { after: ['missing-yet'] });
  await own.add('missing-yet');
  await expect(done.run(context, { id: 'later' })).rejects.toMatchObject({ code: 'unresolved' });
  await expect(done.run(context, { id: 'nobody' })).rejects.toMatchObject({ code: 'unknown_task' });
  await own.add('asker', { status: 'in-progress', assigned: 'agent-1', fence: 1 });
  const mail = { ...(await own.context.mail()), taskMail: async () => [{ task: 'asker', open: 2 }] } as never;
  const run = {
    ...context,
    mail: async () => mail,
    caller: { kind: 'run', name: 'agent-1', taskId: 'asker', fence: 1 },
  };
  await expect(done.run(run as never, { id: 'asker' })).rejects.toMatchObject({
    ...{ code: 'conversations_open', message: '2 conversations opened from asker are still unanswered.' },
    details: { id: 'asker', open: 2 },
  });
});
