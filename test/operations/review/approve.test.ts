import { expect, test } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { approve } from '#operations/graph/approve.js';
import type { Context } from '#operations/operation.js';
import { bothPorts, PUBLISHED } from '../../both-ports.js';
import { world } from '../../e2e/world.js';
import { NO_RUNS } from '../../no-runs.js';

const RUN = {
  ...{ taskId: 'a', fence: 2, mail: 'none' },
  tree: { branch: 'troupe/a/1', folder: '/trees/a-1' },
};

/** A task that waits for its review, whose work lies in a worktree, and what is done to that in its order. */
async function stage(merge: () => Promise<object> | object, state = 'ended') {
  const own = world();
  const steps: string[] = [];
  const worktrees = {
    publishedPaths: async () => [],
    publish: async ({ attempt }: { attempt: number }) => {
      steps.push(`hand over ${attempt}`);
      return PUBLISHED;
    },
    take: async (_: unknown, { how, attempt }: { how: string; attempt: number }) => {
      steps.push(`${how} ${attempt}`);
      return await merge();
    },
    stateOf: async () => ({ head: 'abc', clean: true, base: 'base' }),
    remove: async ({ attempt }: { attempt: number }) => {
      steps.push(`remove ${attempt}`);
      throw new TroupeError('unsafe_path', { what: 'The worktree stays.' });
    },
  };
  const context: Context = {
    ...own.context,
    runs: async () => ({ ...NO_RUNS, identity: async () => RUN as never, state: async () => state as never }),
    ...bothPorts(async () => worktrees as never),
    settings: async () => ({ name: 'config.toml', read: async () => ({}), set: () => expect.unreachable() }),
  };
  await own.add('a', {
    status: 'pending-validation',
    assigned: 'agent-1',
    fence: 2,
    evidence: { exit: 0, verify_cmd: 'make' },
  });
  const ops = async () => {
    const found: string[] = [];
    for await (const { op } of own.store.entries(2)) found.push(op);
    return found;
  };
  const task = async () => (await own.store.view()).task('a');
  return { ...own, context, steps, ops, task };
}

test('work that is approved is accepted, merged and done; what went wrong afterwards is told', async () => {
  const { context, steps, ops, task } = await stage(() => ({ outcome: 'merged', commit: 'c0ffee' }));
  const answer = await approve.run(context, { id: 'a' });
  expect(answer.warnings).toEqual(['The worktree stays.']);
  expect(steps).toEqual(['hand over 1', 'merge 1', 'remove 1']);
  expect(await ops()).toEqual(['accept', 'approve']);
  expect(await task()).toMatchObject({
    status: 'done',
    evidence: { exit: 0, verify_cmd: 'make', commit: 'abc', clean: true, base: 'base' },
    merged: 'c0ffee',
  });
  const nothing = await stage(() => ({ outcome: 'nothing', before: false }));
  await approve.run(nothing.context, { id: 'a' });
  expect((await nothing.task())?.status).toBe('done');
  expect(await nothing.task()).not.toHaveProperty('merged');
});

test('work that cannot be merged is held, with its branch where it conflicts, and can be sent back', async () => {
  const { context, ops, task } = await stage(() => ({ outcome: 'conflict', reason: 'a.ts differs' }));
  await expect(approve.run(context, { id: 'a' })).rejects.toMatchObject({
    ...{ code: 'merge_conflict', message: 'The work of a cannot be merged: a.ts differs.' },
    details: { id: 'a', branch: 'troupe/a/1', reason: 'a.ts differs' },
  });
  expect([(await task())?.status, (await ops()).length]).toEqual(['pending-validation', 2]);
  expect(JSON.stringify(await task())).toContain('troupe/a/1');
  const kept = await stage(() => ({ outcome: 'kept', reason: 'open', text: 'a merge is open' }));
  await expect(approve.run(kept.context, { id: 'a' })).rejects.toMatchObject({ code: 'merge_conflict' });
  expect(JSON.stringify(await kept.task()), 'it is no conflict').not.toContain('troupe/a/1');
});

test('somebody who approved it meanwhile has the last word', async () => {
  const own = await stage(async () => {
    await own.set('a', { status: 'done', accepted: undefined as never });
    return { outcome: 'conflict', reason: 'it was merged already' };
  });
  await expect(approve.run(own.context, { id: 'a' })).rejects.toMatchObject({ code: 'merge_conflict' });
  expect(
    (await own.ops()).filter((op) => op !== 'edit' && op !== 'accept'),
    'nothing is held',
  ).toEqual([]);
});

test('nothing is merged while its run is at work, nor of what may not be approved', async () => {
  const running = await stage(() => expect.unreachable(), 'at-work');
  await expect(approve.run(running.context, { id: 'a' })).rejects.toMatchObject({
    ...{ code: 'task_running', hint: 'Wait for it, or stop it: `troupe kill agent-1`.' },
  });
  const own: Context = { ...running.context, caller: { kind: 'run', name: 'agent-1', taskId: 'a', fence: 2 } };
  await expect(approve.run(own, { id: 'a' })).rejects.toBeInstanceOf(TroupeError);
  expect([running.steps, await running.ops()]).toEqual([[], []]);
  await running.add('plain', { status: 'pending-validation' });
  expect(await approve.run(running.context, { id: 'plain' })).toMatchObject({ warnings: [] });
  expect((await running.store.view()).task('plain')?.status).toBe('done');
});
