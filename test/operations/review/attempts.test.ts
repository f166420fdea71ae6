import { expect, test } from 'vitest';
import type { Task } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { attemptOf, isAtWork, refuseUncommitted, resumableAttempt, treeNumber } from '#operations/review/attempt.js';
import { commit } from '#operations/review/commit.js';
import { gatherEvidence } from '#operations/review/evidence.js';
import { worktreeGaps } from '#operations/review/gaps.js';
import { noteTraces } from '#operations/review/note-outside.js';
import { bothPorts } from '../../both-ports.js';
import { contextOf } from '../../context-of.js';
import { world } from '../../e2e/world.js';
import { NO_RUNS } from '../../no-runs.js';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const clock = { now: () => NOW };
const task = (more: object = {}) =>
  ({ kind: 'task', id: 'a', title: 'a', status: 'in-progress', ...more }) as unknown as Task;
const HELD = { assigned: 'agent-2', fence: 2 };
const odd = new Error('odd');

/** Runs by what is known of each. */
function known(runs: Readonly<Record<string, object>>) {
  return { runs: async () => ({ ...NO_RUNS, identity: async (run: string) => runs[run] as never }) };
}
const run = (fence: number, attempt: number, more: object = {}) => ({
  ...{ taskId: 'a', fence, mail: 'none', tree: { branch: `troupe/a/${attempt}`, folder: `/trees/a-${attempt}` } },
  ...more,
});
const found = (number: number, of: string) => ({
  ...{ task: 'a', attempt: number, run: of, branch: `troupe/a/${number}`, folder: `/trees/a-${number}` },
});

test('the attempt of a task is that of the run that holds it, in the worktree that run works in', async () => {
  const context = known({
    'agent-2': run(2, 1),
    'agent-3': run(2, 1, { tree: undefined }),
    'agent-4': run(2, 1, { taskId: 'b' }),
  });
  expect(await attemptOf(context, task(HELD))).toEqual(found(1, 'agent-2'));
  for (const [what, of] of [
    ['nobody', undefined],
    ['no holder', task({ fence: 2 })],
    ['no claim', task({ assigned: 'agent-2' })],
    ['another claim', task({ ...HELD, fence: 3 })],
    ['no worktree', task({ ...HELD, assigned: 'agent-3' })],
    ['another task', task({ ...HELD, assigned: 'agent-4' })],
  ] as const)
    expect(await attemptOf(context, of), what).toBeUndefined();
  const foreign = known({ 'agent-2': run(2, 1, { tree: { branch: 'main', folder: '/x' } }) });
  expect(await attemptOf(foreign, task(HELD))).toBeUndefined();
  expect([await treeNumber(context, task(HELD)), await treeNumber(context, task({ fence: 7 }))]).toEqual([1, 7]);
  expect(await treeNumber(context, task())).toBeUndefined();
});

test('who was claimed a moment ago works where the run before it did, if it goes on from that', async () => {
  const context = known({ 'agent-1': run(1, 1), 'agent-5': run(5, 1, { taskId: 'b' }) });
  const last = (goes_on: unknown, of = 'agent-1') => ({ ...HELD, last_run: { run: of, iteration: 0, goes_on } });
  expect(await attemptOf(context, task(last(1)))).toEqual(found(1, 'agent-2'));
  for (const fields of [
    last(2),
    last(0),
    last(undefined),
    last(1, 'agent-5'),
    HELD,
    { ...last(1), assigned: undefined },
  ])
    expect(await attemptOf(context, task(fields)), JSON.stringify(fields)).toBeUndefined();
  const open = { status: 'open', fence: 1, last_run: { run: 'agent-1', iteration: 0, goes_on: 1 } };
  expect(await resumableAttempt(context, task(open))).toEqual(found(1, 'agent-1'));
  expect(await resumableAttempt(context, task({ ...open, fence: 2 }))).toBeUndefined();
  expect(await resumableAttempt(context, task({ ...last(1), status: 'open' }))).toEqual(found(1, 'agent-2'));
});

test('somebody writes to the files of an attempt while its run is at work', async () => {
  const state = async (of: string) => (of === 'agent-1' ? ('at-work' as const) : ('ended' as const));
  const context = { runs: async () => ({ ...NO_RUNS, state }) };
  expect([await isAtWork(context, found(1, 'agent-1')), await isAtWork(context, found(1, 'agent-2'))]).toEqual([
    true,
    false,
  ]);
});

test('what has to be committed is looked at in its worktree, else in the project since it began', async () => {
  const asked: unknown[] = [];
  const clean = { ahead: 1, clean: true, dirty: [], dirtyTotal: 0 };
  const refusal = async (fields: object, tree: object | undefined, own: object = clean) => {
    const worktrees = {
      stateOf: async (key: unknown) => {
        asked.push(key);
        return tree;
      },
      branchState: async () => undefined,
      ownState: async (since: unknown) => {
        asked.push(since);
        return own;
      },
    };
    const parts = { ...known({ 'agent-2': run(2, 1) }), ...bothPorts(async () => worktrees as never), clock };
    return await refuseUncommitted(contextOf(parts), task(fields)).then(
      () => 'fine',
      ({ code }: TroupeError) => code,
    );
  };
  const dirty = { ...clean, clean: false, dirty: ['x'], dirtyTotal: 1 };
  expect(await refusal(HELD, { ...clean, ahead: 0 })).toBe('fine');
  expect(await refusal({ ...HELD, require_commit: false }, { ...clean, ahead: 0 })).toBe('fine');
  expect(asked).toEqual([]);
  const required = { ...HELD, require_commit: true };
  expect([
    await refusal(required, clean),
    await refusal(required, { ...clean, ahead: 0 }),
    await refusal(required, dirty),
  ]).toEqual([...['fine', 'no_commit', 'dirty_tree']]);
  expect(asked.splice(0)).toEqual(Array.from({ length: 3 }, () => ({ task: 'a', attempt: 1 })));
  const started = { ...required, started_at: '2026-02-01T00:00:00Z' };
  expect([await refusal(started, undefined, dirty), await refusal(required, undefined, clean)]).toEqual([
    'dirty_tree',
    'fine',
  ]);
  expect(asked.splice(0)).toEqual([
    ...[{ task: 'a', attempt: 1 }, Date.parse('2026-02-01T00:00:00Z'), { task: 'a', attempt: 1 }, NOW],
  ]);
  expect(await refusal({ require_commit: true, started_at: 'soon' }, clean, { ...clean, ahead: 0 })).toBe('no_commit');
  expect(asked).toEqual([NOW]);
});

test('what shows that a task was done is as much as was asked of it', async () => {
  const asked: unknown[] = [];
  const asking = <Answer>(what: unknown, answer: Answer): Answer => {
    asked.push(what);
    return answer;
  };
  const state = { head: 'c-1', clean: true, base: 'c-0' };
  const context = (broken = false) => ({
    clock,
    ...bothPorts(async () => {
      if (broken) throw new TroupeError('no_repository' as never);
      return {
        stateOf: async (key: unknown) => asking(['tree', key], state),
        ownState: async (since: unknown) => asking(['own', since], state),
      } as never;
    }),
    files: async () =>
      ({
        fingerprint: async (file: string, most: number, folder?: string) => {
          asked.push([file, most, folder]);
          return file === 'gone' || (folder !== undefined && file === 'own')
            ? undefined
            : `${file} in ${folder ?? 'project'}`;
        },
      }) as never,
  });
  const gathered = async (fields: object, facts: object, broken = false) => {
    asked.length = 0;
    return await gatherEvidence(contextOf(context(broken)), task(fields), facts as never);
  };
  expect([await gathered({}, {}), asked]).toEqual([{}, []]);
  const checked = { command: 'make', exit: 0 };
  expect(await gathered({}, { checked })).toEqual({ verify_cmd: 'make', exit: 0, commit: 'c-1', clean: true });
  expect(asked).toEqual([['own', NOW]]);
  expect(await gathered({}, { checked: { ...checked, ms: 0 } }, true)).toEqual({ verify_cmd: 'make', exit: 0, ms: 0 });
  const started = { started_at: '2026-02-01T00:00:00Z', require_commit: true, verify_cmd: 'make' };
  expect(await gathered(started, { unchecked: 'skipped' })).toEqual({
    ...{ verify_cmd: 'make', unchecked: 'skipped', commit: 'c-1', clean: true },
  });
  expect(asked).toEqual([['own', Date.parse('2026-02-01T00:00:00Z')]]);
  expect(await gathered({}, { unchecked: 'skipped' })).toEqual({ verify_cmd: '', unchecked: 'skipped' });
  const attempt = found(1, 'agent-1');
  expect(await gathered({ artifacts: ['x', 'own', 'gone'] }, { attempt })).toEqual({
    ...{ commit: 'c-1', clean: true, base: 'c-0' },
    artifacts: [{ path: 'x', sha256: 'x in /trees/a-1' }, { path: 'own', sha256: 'own in project' }, { path: 'gone' }],
  });
  expect(asked.slice(0, 2)).toEqual([
    ['tree', attempt],
    ['x', SURFACE_LIMITS.artifactBytes, '/trees/a-1'],
  ]);
  const many = Array.from({ length: SURFACE_LIMITS.evidenceArtifacts + 1 }, (_, index) => `f${index}`);
  expect((await gathered({ artifacts: many }, {})).artifacts).toHaveLength(SURFACE_LIMITS.evidenceArtifacts);
});

test('what git cannot tell now is not told; what is no fault of its is', async () => {
  const failing = (error: unknown) => contextOf(bothPorts(async () => Promise.reject(error)));
  const refused = new TroupeError('not_found');
  expect(await worktreeGaps(failing(refused))).toEqual([]);
  await expect(worktreeGaps(failing(odd))).rejects.toBe(odd);
  expect(await worktreeGaps({ ...bothPorts(async () => ({ gaps: async () => ['gap'] }) as never) })).toEqual(['gap']);
  const { context, store, add } = world();
  await add('a');
  const key = { task: 'a', attempt: 1 };
  await noteTraces({ ...failing(refused), graph: context.graph }, key);
  await expect(noteTraces({ ...failing(odd), graph: context.graph }, key)).rejects.toBe(odd);
  const { seq } = await store.view();
  const written = bothPorts(async () => ({ acts: async () => undefined }) as never);
  await noteTraces(contextOf({ ...written, graph: context.graph }), key);
  expect((await store.view()).seq).toBe(seq);
});

test('an attempt that still has its task commits in its worktree, and no other does', async () => {
  const { context, add } = world();
  await add('a', { status: 'in-progress', ...HELD });
  await add('b', { status: 'open' });
  const asked: unknown[] = [];
  const asking = <Answer>(what: unknown, answer: Answer): Answer => {
    asked.push(what);
    return answer;
  };
  const own = {
    ...context,
    ...known({ 'agent-2': run(2, 1) }),
    ...bothPorts(
      async () =>
        ({
          commit: async (...what: unknown[]) => asking(what, { committed: true, commit: 'c-1', leftOut: ['x'] }),
        }) as never,
    ),
    caller: { kind: 'run', name: 'agent-2', taskId: 'a', fence: 2 } as const,
  };
  expect(await commit.run(own, { id: 'a', message: 'Done' })).toEqual({
    id: 'a',
    committed: true,
    commit: 'c-1',
    left_out: ['x'],
  });
  expect(asked).toEqual([[found(1, 'agent-2'), 'Done']]);
  const late = { ...own, caller: { ...own.caller, fence: 1 } };
  await expect(commit.run(late, { id: 'a', message: 'Done' })).rejects.toMatchObject({ code: 'stale_attempt' });
  const person = { ...own, caller: context.caller };
  await expect(commit.run(person, { id: 'b', message: 'Done' })).rejects.toMatchObject({
    ...{ code: 'not_found', hint: 'Run `troupe worktree show` to see them all.' },
  });
  expect(asked).toHaveLength(1);
  const forms = [
    { id: 'a', message: ' ' },
    { id: 'a', message: 'x'.repeat(SURFACE_LIMITS.commitMessageCharacters + 1) },
  ];
  for (const input of forms) expect(commit.input.safeParse(input).success).toBe(false);
  expect(
    commit.input.safeParse({ id: 'a', message: ` ${'x'.repeat(SURFACE_LIMITS.commitMessageCharacters)} ` }).success,
  ).toBe(true);
});
