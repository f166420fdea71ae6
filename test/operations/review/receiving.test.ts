import { expect } from 'vitest';
import type { Task } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import { isAtWorkElsewhere, refuseUncommitted, stateOfAttempt } from '#operations/review/attempt.js';
import { commit } from '#operations/review/commit.js';
import { receive, receiveBranch } from '#operations/review/receive.js';
import { takeOverWhenReached } from '#operations/review/take-over.js';
import { workOf } from '#operations/review/work-of.js';
import { isInUse, isResumable, land, landing } from '#operations/review/worktrees.js';
import { bothPorts, PUBLISHED } from '../../both-ports.js';
import { graphOf } from '../../core/graph/graph.js';
import { world } from '../../e2e/world.js';
import { NO_RUNS } from '../../no-runs.js';
import { verifies } from '../../verifies.js';

const ATTEMPT = { task: 'a', attempt: 1, run: 'agent-1', branch: 'wg/a/1', folder: '/trees/a-1' };
const RUN = { taskId: 'a', fence: 1, mail: 'none', tree: { branch: 'troupe/a/1', folder: '/trees/a-1' } };
const task = (more: object = {}) =>
  ({ kind: 'task', id: 'a', title: 'a', status: 'in-progress', ...more }) as unknown as Task;
const away = new TroupeError('remote_unreachable');
const failed = new TroupeError('git_failed', { what: 'It is gone.' });

/** A project whose worktrees answer like this; every call is written down. */
function stage(answers: Record<string, unknown> = {}, state = 'at-work') {
  const own = world();
  const calls: unknown[] = [];
  const ports = new Proxy(
    {},
    {
      get: (_, name) =>
        name === 'then'
          ? undefined
          : async (...words: unknown[]) => {
              calls.push([name, ...words]);
              const answer = answers[String(name)];
              if (answer instanceof Error) throw answer;
              return answer;
            },
    },
  );
  const runs = {
    ...NO_RUNS,
    identity: async (run: string) => (run === 'agent-1' ? (RUN as never) : undefined),
    state: async () => state as never,
  };
  return {
    ...own,
    calls,
    context: { ...own.context, ...bothPorts(async () => ports as never), runs: async () => runs },
  };
}

verifies(
  'fleet.code',
  'work of a worker is fetched to its branch, and its files where they are needed next',
  async () => {
    const of = async (fields: object, publication: object | undefined, answers: object = {}, unpublished?: string) => {
      const { context, calls } = stage(answers as never);
      const end = { publication, unpublished } as never;
      return [await receive(context, task(fields), ATTEMPT, end), calls];
    };
    const key = { task: 'a', attempt: 1 };
    const received = ['receive', key, PUBLISHED];
    expect(await of({}, PUBLISHED)).toEqual([PUBLISHED, [received]]);
    expect(await of({ artifacts: [] }, PUBLISHED)).toEqual([PUBLISHED, [received]]);
    const create = { ...key, publishedAs: 'wg/a/1', fresh: true };
    expect(await of({ artifacts: ['x'] }, PUBLISHED)).toEqual([
      ...[PUBLISHED, [received, ['create', { ...create, base: 'w' }]]],
    ]);
    const based = { ...PUBLISHED, base: 'b' };
    expect((await of({ artifacts: ['x'] }, based))[1]).toEqual([
      ['receive', key, based],
      ['create', { ...create, base: 'b' }],
    ]);
    const nothing = { outcome: 'nothing', commit: 'w', before: false };
    expect(await of({ artifacts: ['x'] }, nothing)).toEqual([nothing, []]);
    const kept = (text: string) => ({ outcome: 'kept', reason: 'moved', text });
    expect(await of({}, undefined, {}, 'The disk was full.')).toEqual([kept('The disk was full.'), []]);
    expect(await of({}, undefined)).toEqual([kept('its worker did not say what became of its work'), []]);
    expect(await of({ artifacts: ['x'] }, PUBLISHED, { receive: failed })).toEqual([kept('It is gone.'), [received]]);
    await expect(of({}, PUBLISHED, { receive: away })).rejects.toBe(away);
    const odd = new Error('odd');
    await expect(of({}, PUBLISHED, { receive: odd })).rejects.toBe(odd);
  },
);

verifies('fleet.code', 'a branch is received only under its own name', async () => {
  const { context, calls } = stage();
  const other = { ...PUBLISHED, branch: 'wg/a/2' } as never;
  expect(await receiveBranch(context, ATTEMPT, { publication: other })).toBe(
    'it was published as wg/a/2, which is not its branch',
  );
  const nothing = { outcome: 'nothing', commit: 'w', before: false } as const;
  expect(await receiveBranch(context, ATTEMPT, { publication: nothing })).toBeUndefined();
  expect(await receiveBranch(context, ATTEMPT, { publication: undefined })).toBeUndefined();
  expect(calls).toEqual([]);
  expect(await receiveBranch(context, ATTEMPT, { publication: PUBLISHED as never })).toBeUndefined();
  expect(calls).toEqual([['receive', { task: 'a', attempt: 1 }, PUBLISHED]]);
});

verifies('fleet.code', 'an attempt at another machine has its files there until it is over', async () => {
  const elsewhere = async (stateOf: unknown, state?: string, attempt: typeof ATTEMPT | undefined = ATTEMPT) =>
    await isAtWorkElsewhere(stage({ stateOf }, state).context, attempt);
  expect([await elsewhere(undefined), await elsewhere({ ahead: 0 }), await elsewhere(undefined, 'ended')]).toEqual([
    ...[true, false, false],
  ]);
  expect(await isAtWorkElsewhere(stage().context, undefined)).toBe(false);
  const here = stage({ stateOf: 'here', branchState: 'branch' });
  expect(await stateOfAttempt(here.context, ATTEMPT)).toBe('here');
  expect(await stateOfAttempt(stage({ branchState: 'branch' }).context, ATTEMPT)).toBe('branch');
  const held = { assigned: 'agent-1', fence: 1, require_commit: true };
  const running = stage();
  await refuseUncommitted(running.context, task(held));
  expect(running.calls).toEqual([['stateOf', expect.objectContaining({ task: 'a', attempt: 1 })]]);
  const dirty = { ahead: 1, clean: false, dirty: ['x'], dirtyTotal: 1 };
  const over = stage({ branchState: dirty }, 'ended');
  await expect(refuseUncommitted(over.context, task(held))).rejects.toMatchObject({ code: 'dirty_tree' });
  const { context, add } = stage();
  await add('a', { status: 'in-progress', assigned: 'agent-1', fence: 1 });
  const caller = { kind: 'run', name: 'agent-1', taskId: 'a', fence: 1 } as const;
  await expect(commit.run({ ...context, caller }, { id: 'a', message: 'x' })).rejects.toMatchObject({
    ...{ code: 'not_found', message: 'The worktree of a is at another machine.' },
  });
});

verifies('fleet.faults', 'work is merged when its remote is reached; other failures hold it', async () => {
  const of = async (answers: Record<string, unknown>, work: unknown = PUBLISHED) =>
    await takeOverWhenReached(stage({ publishedPaths: [], ...answers }).context, task(), 1, work as never);
  expect(await of({ take: { outcome: 'merged', commit: 'c' } })).toEqual({ outcome: 'merged', commit: 'c' });
  await expect(of({ take: away })).rejects.toBe(away);
  expect(await of({ take: failed })).toEqual({
    ...{ outcome: 'held', reason: 'could not be merged: It is gone.', conflict: false },
  });
});

verifies(
  'gate.sees',
  'the work of a task is its merged commit, or that of the attempt that waits for a verdict',
  async () => {
    const answers = { patch: 'of the attempt', patchOf: 'of the commit' };
    const of = async (fields: object, more: Record<string, unknown> = {}) => {
      const { context, calls } = stage({ ...answers, ...more });
      return [await workOf(context, task(fields), 99), calls];
    };
    const held = { assigned: 'agent-1', fence: 1 };
    const attempt = ['patch', expect.objectContaining({ task: 'a', attempt: 1 }), 99];
    expect(await of(held)).toEqual(['of the attempt', [attempt]]);
    expect(await of({})).toEqual(['', []]);
    expect(await of({ ...held, merged: 'c1' })).toEqual(['of the commit', [['patchOf', 'c1', 99]]]);
    expect(await of({ ...held, merged: 'c1', status: 'pending-validation' })).toEqual(['of the attempt', [attempt]]);
    expect((await of(held, { patch: failed }))[0]).toBe('');
    const secret = `ghp_${'a'.repeat(36)}`;
    expect((await of(held, { patch: `+ ${secret}` }))[0]).not.toContain(secret);
    const odd = new Error('odd');
    await expect(of(held, { patch: odd })).rejects.toBe(odd);
  },
);

verifies('tree.keep', 'a worktree is in use by the present attempt, and kept for the one that resumes it', async () => {
  const { context } = stage();
  const last_run = { run: 'agent-1', iteration: 0, goes_on: 1 };
  const view = graphOf(
    { id: 'held', status: 'in-progress', fence: 2 },
    { id: 'blocked', status: 'blocked', fence: 2 },
    { id: 'done', status: 'done', fence: 2 },
    { id: 'a', status: 'open', fence: 1, last_run } as never,
    { id: '.trial-x', status: 'open' },
  );
  const used = async (id: string, attempt: number) => await isInUse(context, view, id, attempt);
  expect([await used('held', 2), await used('held', 1), await used('blocked', 2), await used('done', 2)]).toEqual([
    ...[true, false, true, false],
  ]);
  expect([await used('gone', 1), await used('.trial-x', 7), await used('.trial-gone', 7)]).toEqual([
    false,
    true,
    false,
  ]);
  const resumes = async (id: string, attempt: number) => await isResumable(context, view, id, attempt);
  expect([await resumes('a', 1), await resumes('a', 2), await resumes('held', 2), await resumes('gone', 1)]).toEqual([
    ...[true, false, false, false],
  ]);
});

verifies('done.commit', 'a person lands the commit that was shown, and sees whether the branch moved', async () => {
  const shown = { from: 'c0', to: 'c1', relation: 'ahead', commits: [], commitTotal: 3, tasks: ['a'], changes: {} };
  const { commitTotal: commit_total, ...rest } = shown;
  const { context, calls } = stage({ landing: shown, land: shown });
  expect(await landing.run(context, {})).toEqual({ ...rest, commit_total });
  expect(await land.run(context, { to: 'c1' })).toEqual({ ...rest, commit_total, landed: true });
  expect(calls).toEqual([['landing'], ['land', 'c1']]);
  const same = stage({ land: { ...shown, relation: 'same' } });
  expect(await land.run(same.context, { to: 'c1' })).toMatchObject({ landed: false });
});
