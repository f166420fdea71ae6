import { expect, onTestFinished, test, vi } from 'vitest';
import { taskOf } from '#core/graph/task-of.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { Context } from '#operations/operation.js';
import { afterwards, handOver, landWhenClean, takeOver, tidyUp } from '#operations/review/take-over.js';
import { list, remove, show } from '#operations/review/worktrees.js';
import { bothPorts, PUBLISHED } from '../../both-ports.js';
import { world } from '../../e2e/world.js';

/** A project whose worktrees say what a test says; pauses take no time. */
function stage(worktrees: object, coordinator: object = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const own = world();
  const settings = { name: 'config.toml', read: async () => ({ coordinator }), set: () => expect.unreachable() };
  const context: Context = {
    ...own.context,
    ...bothPorts(async () => ({ publishedPaths: async () => [], ...worktrees }) as never),
    settings: async () => settings,
  };
  return { ...own, context };
}

async function soon<Value>(work: Promise<Value>): Promise<Value> {
  const settled = work.catch(() => undefined);
  await Promise.race([
    settled,
    vi.advanceTimersByTimeAsync(SURFACE_LIMITS.takeOverPauseMs * SURFACE_LIMITS.takeOverTries),
  ]);
  return await work;
}

const failing = (error: unknown) => async () => Promise.reject(error);
const locked = new TroupeError('locked', { what: 'Another git is at work.' });

test('the work of an attempt is merged, kept or held, and what is in the way is said', async () => {
  const asked: unknown[] = [];
  const of = async (outcome: object | (() => Promise<unknown>), coordinator: object = {}, paths: string[] = []) => {
    const take = async (work: unknown, request: unknown) => {
      asked.push([work, request]);
      return typeof outcome === 'function' ? outcome() : outcome;
    };
    const ports = { publish: async () => PUBLISHED, take, publishedPaths: async () => paths };
    const { context, add, store } = stage(ports, coordinator);
    await add('a', { title: 'A' });
    return await soon(takeOver(context, taskOf(await store.view(), 'a'), 2, undefined));
  };
  const held = (reason: string, conflict = false) => ({ outcome: 'held', reason, conflict });
  const merged = { outcome: 'merged', commit: 'c' };
  expect(await of(merged)).toEqual(merged);
  expect(asked).toEqual([[PUBLISHED, { task: 'a', attempt: 2, how: 'merge', title: 'A' }]]);
  expect(await of({ outcome: 'nothing', before: true, commit: 'c' })).toEqual(merged);
  expect(await of({ outcome: 'nothing', before: false })).toEqual({ outcome: 'nothing' });
  expect(await of({ outcome: 'conflict', reason: 'a.ts' })).toEqual(held('a.ts', true));
  expect(await of({ outcome: 'kept', reason: 'asked' }, { merge_back: 'keep' })).toEqual({ outcome: 'kept' });
  expect(asked.at(-1)).toMatchObject([PUBLISHED, { how: 'keep' }]);
  expect(await of({ outcome: 'kept', reason: 'open', text: 'a merge is open' })).toEqual(
    held('could not be merged: a merge is open'),
  );
  expect(await of(failing(new TroupeError('git_failed', { what: 'No.' })))).toEqual(held('could not be merged: No.'));
  const role = ['.claude/roles/crew.md'];
  const before = asked.length;
  expect(await of(merged, {}, role)).toMatchObject({
    outcome: 'held',
    reason: expect.stringMatching(/^protected_path/),
  });
  expect(asked.length, 'nothing was merged').toBe(before);
  expect(await of(merged, { merge_back: 'keep' }, role), 'what is kept is looked at by a person').toEqual(merged);
  let tries = 0;
  const passes = (after: number) => async () => {
    if (++tries < after) throw locked;
    return merged;
  };
  expect([await of(passes(SURFACE_LIMITS.takeOverTries)), tries]).toEqual([merged, SURFACE_LIMITS.takeOverTries]);
  tries = 0;
  expect(await of(passes(SURFACE_LIMITS.takeOverTries + 1))).toEqual(
    held('could not be merged: Another git is at work.'),
  );
  expect(tries).toBe(SURFACE_LIMITS.takeOverTries);
});

test('what an attempt left is committed to its branch where that can be', async () => {
  const asked: unknown[] = [];
  const committed = async (answer: () => Promise<unknown>) => {
    const publish = async (request: unknown) => {
      asked.push(request);
      return answer();
    };
    const { context, add, store } = stage({ publish });
    await add('a', { title: 'A' });
    return await soon(handOver(context, taskOf(await store.view(), 'a'), 2));
  };
  expect(await committed(async () => PUBLISHED)).toEqual(PUBLISHED);
  expect(asked).toEqual([{ task: 'a', attempt: 2, title: 'A' }]);
  expect(await committed(failing(new TroupeError('git_failed')))).toBeUndefined();
  expect(asked, 'what git refuses is not asked again').toHaveLength(2);
  await committed(failing(locked));
  expect(asked).toHaveLength(2 + SURFACE_LIMITS.takeOverTries);
  await expect(committed(failing(new Error('odd')))).rejects.toThrow('odd');
});

test('a worktree goes unless somebody is about to work in it, and what is thrown away is told', async () => {
  const asked: { inUse: boolean; branchStays: boolean; discarding(files: string[], total: number): Promise<void> }[] =
    [];
  const removing = { remove: async (request: never) => void asked.push(request) };
  const { context, add, set, store } = stage(removing);
  await add('a', { status: 'done', fence: 2 });
  const inUse = async (id: string, attempt: number) => {
    await soon(tidyUp(context, id, attempt));
    return asked.at(-1)?.inUse;
  };
  expect(await inUse('a', 2)).toBe(false);
  await set('a', { status: 'open' });
  expect([await inUse('a', 3), await inUse('a', 2)], 'it is made before its task is claimed').toEqual([true, false]);
  await set('a', { status: 'in-progress', assigned: 'agent-1' });
  expect([await inUse('a', 2), await inUse('a', 1), await inUse('gone', 1)]).toEqual([true, false, false]);
  expect(asked.at(0)).toMatchObject({ task: 'a', attempt: 2, branchStays: false });
  await asked.at(0)?.discarding(['x', 'y'], 12);
  expect((await store.view()).task('a')?.log).toMatchObject([
    { actor: 'coordinator', message: 'Warning: it was read-only; its changes were discarded: x, y and 10 more' },
  ]);
  const { seq } = await store.view();
  await asked.at(-1)?.discarding(['x'], 1);
  expect((await store.view()).seq, 'its task is gone').toBe(seq);
  const keeping = stage(removing, { merge_back: 'keep' });
  await soon(tidyUp(keeping.context, 'a', 1));
  expect(asked.at(-1)).toMatchObject({ branchStays: true });
  for (const code of ['locked', 'git_failed'] as const) {
    let tries = 0;
    const refused = {
      remove: async () => {
        tries++;
        throw new TroupeError(code);
      },
    };
    await expect(soon(tidyUp(stage(refused).context, 'a', 1))).rejects.toMatchObject({ code });
    expect(tries, code).toBe(SURFACE_LIMITS.treeListTries);
  }
});

test('where that was chosen a branch moves on as soon as it can; what goes wrong is only told', async () => {
  const chosen = { land: 'when-clean' };
  const of = async (landing: object, waiting = 1, coordinator: object = chosen) => {
    const landed: unknown[] = [];
    const worktrees = {
      waiting: async () => waiting,
      landing: async () => ({ to: 'tip', ...landing }),
      land: async (to: unknown) => void landed.push(to),
    };
    return [await landWhenClean(stage(worktrees, coordinator).context), ...landed];
  };
  expect(await of({ relation: 'ahead' })).toEqual(['landed', 'tip']);
  expect(await of({ relation: 'ahead' }, 1, {})).toEqual(['nothing']);
  expect(await of({ relation: 'ahead' }, 0)).toEqual(['nothing']);
  expect([await of({ relation: 'same' }), await of({ relation: 'behind' })]).toEqual([['nothing'], ['nothing']]);
  expect(await of({ relation: 'ahead', obstacle: 'dirty' })).toEqual(['waits']);
  const wrong = {
    remove: failing(new TroupeError('unsafe_path', { what: 'One.' })),
    waiting: failing(new Error('Two.')),
  };
  const [first, second, ...more] = await soon(afterwards(stage(wrong, chosen).context, 'a', 1));
  expect([first, typeof second, more]).toEqual(['One.', 'string', []]);
  const fine = { remove: async () => undefined, waiting: async () => 0 };
  expect(await soon(afterwards(stage(fine, chosen).context, 'a', 1))).toEqual([]);
});

test('what an attempt changed is shown, the latest where none is named, its patch up to a size', async () => {
  const changes = {
    branch: 'b',
    base: 'x',
    head: 'y',
    ahead: 1,
    clean: true,
    changes: {},
    untracked: [],
    untrackedTotal: 3,
  };
  const most = SURFACE_LIMITS.attemptPatchBytes;
  const shown = (input: object, patch = '', attempts = [1, 2]) => {
    const worktrees = {
      attempts: async () => attempts,
      changes: async (_: unknown, { patchBytes: bytes }: { patchBytes?: number }) =>
        bytes === undefined ? changes : { ...changes, patch: patch.slice(0, bytes) },
    };
    return show.run(stage(worktrees).context, { task: 'a', ...input });
  };
  const { untrackedTotal: untracked_total, ...rest } = changes;
  const whole = { task: 'a', attempt: 2, attempts: [1, 2], ...rest, untracked_total };
  expect(await shown({})).toEqual(whole);
  expect(await shown({ attempt: 1 })).toEqual({ ...whole, attempt: 1 });
  expect(await shown({ patch: true }, 'x'.repeat(most))).toEqual({
    ...whole,
    patch: 'x'.repeat(most),
    patch_cut: false,
  });
  expect(await shown({ patch: true }, 'x'.repeat(most + 9))).toMatchObject({
    patch: 'x'.repeat(most),
    patch_cut: true,
  });
  await expect(shown({}, '', [])).rejects.toMatchObject({ code: 'not_found', message: 'There is no worktree of a.' });
});

test('a person removes all attempts or one; what is kept says why, and a run removes nothing', async () => {
  const asked: unknown[] = [];
  const answers = new Map<number, object>([
    [1, { removed: 'tree-and-branch', text: 'merged', savedAs: 'refs/x' }],
    [2, { removed: 'nothing', text: 'it has changes', reason: 'dirty' }],
    [3, { removed: 'nothing', text: 'it is gone', reason: 'absent' }],
  ]);
  const worktrees = {
    attempts: async () => [...answers.keys()],
    remove: async (request: { attempt: number }) => {
      asked.push(request);
      return answers.get(request.attempt);
    },
  };
  const { context, add } = stage(worktrees);
  await add('a', { status: 'in-progress', assigned: 'agent-1', fence: 2 });
  const rows = [
    { attempt: 1, removed: 'tree-and-branch', why: 'merged', saved_as: 'refs/x' },
    { attempt: 2, removed: 'nothing', why: 'it has changes', reason: 'dirty' },
    { attempt: 3, removed: 'nothing', why: 'it is gone', reason: 'absent' },
  ];
  expect(await remove.run(context, { task: 'a' })).toEqual({ task: 'a', ok: false, attempts: rows });
  const request = { task: 'a', inUse: false, force: false };
  expect(asked).toEqual([
    ...[
      { ...request, attempt: 1 },
      { ...request, attempt: 2, inUse: true },
      { ...request, attempt: 3 },
    ],
  ]);
  expect(await remove.run(context, { task: 'a', attempt: 3, force: true })).toEqual({
    ...{ task: 'a', ok: true, attempts: rows.slice(2) },
  });
  expect(asked.at(-1)).toMatchObject({ attempt: 3, force: true });
  await expect(remove.run(context, { task: 'a', attempt: 9 })).rejects.toMatchObject({
    ...{ code: 'not_found', message: 'There is no worktree of a, attempt 9.' },
  });
  answers.clear();
  await expect(remove.run(context, { task: 'a' })).rejects.toMatchObject({ message: 'There is no worktree of a.' });
  const run: Context = { ...context, caller: { kind: 'run', name: 'agent-1', taskId: 'a', fence: 2 } };
  await expect(remove.run(run, { task: 'a' })).rejects.toMatchObject({ code: 'not_yours' });
});

test('worktrees are listed by the ids of their tasks; what somebody works in is kept', async () => {
  const row = (slug: string, attempt: number) => ({
    ...{ slug, attempt, ahead: 0, dirty: 0, removable: true, reason: 'merged', text: 'it is merged' },
  });
  const { context, add } = stage({ list: async () => [row('a', 1), row('a', 2), row('b', 1)], waiting: async () => 4 });
  await add('a', { status: 'waiting', fence: 2 });
  const { slug: _, text: why, ...rest } = row('a', 1);
  expect(await list.run(context, {})).toEqual({
    waiting: 4,
    worktrees: [
      { ...rest, task: 'a', why },
      { ...rest, task: 'a', attempt: 2, removable: false, reason: 'in-use', why: expect.any(String) },
      { ...rest, task: 'b', why },
    ],
  });
});
