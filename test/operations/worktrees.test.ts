import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { EDITS_ROLES } from '#core/graph/run-rights.js';
import type { Task } from '#core/graph/task.js';
import { settingsFrom } from '#core/settings/settings.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { output } from '#operations/agency/judgement.js';
import { Finishing } from '#operations/coordinator/finishing.js';
import { NO_WORKERS } from '#operations/coordinator/no-workers.js';
import { done } from '#operations/graph/done.js';
import type { Context } from '#operations/operation.js';
import { landWhenClean, protectedWork, takeOver, tidyUp } from '#operations/review/take-over.js';
import { land, landing, list, remove, show } from '#operations/review/worktrees.js';
import { attemptTree, makeTree, workUnderReview } from '#operations/runs/workplaces.js';
import { commitIn, place, refused } from '../adapters/worktrees/place.js';
import { bothPorts } from '../both-ports.js';
import { fact } from '../core/coordinator/stage.js';
import { world } from '../e2e/world.js';
import { NO_RUNS } from '../no-runs.js';
import { commitAll, git, write } from '../repository.js';
import { verifies } from '../verifies.js';

/** Real worktrees behind the operations; the graph is in memory. */
function project() {
  const own = world(Date.now());
  const { folder, worktrees } = place();
  const context: Context = { ...own.context, projectFolder: folder, ...bothPorts(async () => worktrees) };
  return { ...own, context, folder, worktrees };
}

test('the list names tasks as they are called, and keeps what is worked on', async () => {
  const { add, context, worktrees } = project();
  await add('Odd Name', { status: 'in-progress', fence: 1, assigned: 'agent-1' });
  await add('plain', { status: 'done', fence: 1 });
  for (const task of ['Odd Name', 'plain', 'gone']) await worktrees.create({ task, attempt: 1 });
  const rows = (await list.run(context, {})).worktrees;
  expect(rows.map(({ task, removable, reason }) => [task, removable, reason])).toEqual([
    ['gone', true, undefined],
    ['Odd Name', false, 'in-use'],
    ['plain', true, undefined],
  ]);
  expect(await remove.run(context, { task: 'Odd Name', force: true })).toMatchObject({
    ok: false,
    attempts: [{ reason: 'in-use' }],
  });
  expect(await remove.run(context, { task: 'plain' })).toMatchObject({ ok: true });
  await expect(remove.run(context, { task: 'plain' })).rejects.toThrow(refused('not_found'));
});

test('a run neither lands nor removes', async () => {
  const { context, worktrees } = project();
  const run: Context = { ...context, caller: { kind: 'run', name: 'agent-1', taskId: 't', fence: 1 } };
  const made = await worktrees.create({ task: 't', attempt: 1 });
  commitIn(made.path, { a: 'a' });
  await worktrees.mergeBack({ task: 't', attempt: 1, how: 'merge' });
  const { to } = await landing.run(run, {});
  await expect(land.run(run, { to })).rejects.toThrow(refused('not_yours'));
  await expect(remove.run(run, { task: 't' })).rejects.toThrow(refused('not_yours'));
  expect(await land.run(context, { to })).toMatchObject({ landed: true });
  expect(await land.run(context, { to })).toMatchObject({ landed: false });
});

test('work that waits for the files of a person to become clean is looked at again after half a poll', async () => {
  const { context, folder, worktrees } = project();
  const made = await worktrees.create({ task: 't', attempt: 1 });
  commitIn(made.path, { 'f.txt': 'changed by the run' });
  await worktrees.mergeBack({ task: 't', attempt: 1, how: 'merge' });
  write(folder, { 'f.txt': 'changed by hand' });
  const settings = async () => ({
    ...(await context.settings()),
    read: async () => ({ coordinator: { land: 'when-clean' } }),
  });
  const now = context.clock.now();
  const finishing = new Finishing({ ...context, settings, clock: { now: () => now } }, () => undefined, NO_WORKERS);
  expect(finishing.looksAgain(now + 60_000)).toBe(false);
  await finishing.land();
  const waits = [0, WORK_LIMITS.pollIntervalMs / 2 - 1, WORK_LIMITS.pollIntervalMs / 2];
  expect(waits.map((ms) => finishing.looksAgain(now + ms))).toEqual([false, false, true]);
});

verifies(
  'door.branch',
  'the end of a run, good or bad, is when its traces are looked for, before the work is merged',
  async () => {
    for (const code of [0, 1]) {
      const { add, context, folder, store, worktrees } = project();
      await add('t', { status: 'in-progress', fence: 1, assigned: 'agent-1' });
      const made = await worktrees.create({ task: 't', attempt: 1 });
      const commit = commitIn(made.path, { a: 'a' });
      git(folder, 'merge', '--quiet', made.branch);
      const tree = { branch: made.branch, folder: made.path };
      const identity = async () => ({ taskId: 't', fence: 1, mail: 'none' as const, tree });
      const runs = async () => ({ ...(await context.runs()), identity });
      const finishing = new Finishing({ ...context, runs }, () => undefined, NO_WORKERS);
      const run = fact('agent-1', 't', { alive: false, branch: made.branch, exit: { code } });
      if (code === 0) await finishing.finish((await store.view()).task('t') as Task, run);
      await finishing.after(run);
      expect((await store.view()).task('t')).toMatchObject({ outside: { branch: 'main', commits: [commit] } });
    }
  },
);

verifies('tree.keep', 'the worktree of an attempt that is at work, or gone on with, is not tidied away', async () => {
  const { add, context, set, worktrees } = project();
  await add('t', { status: 'in-progress', fence: 1, assigned: 'agent-1' });
  const made = await worktrees.create({ task: 't', attempt: 1 });
  await tidyUp(context, 't', 1);
  expect(existsSync(made.path)).toBe(true);
  await set('t', { status: 'done' });
  await tidyUp(context, 't', 1);
  expect(existsSync(made.path)).toBe(false);
});

verifies(
  'tree.keep',
  'a worktree that is made for the next attempt, before its task is claimed, is not tidied away as a leftover',
  async () => {
    const { add, context, worktrees } = project();
    await add('t', { status: 'open', fence: 1 });
    await add('new', { status: 'open' });
    await add('over', { status: 'abandoned', fence: 1 });
    const made = [];
    for (const [task, attempt] of [
      ['t', 1],
      ['t', 2],
      ['new', 1],
      ['over', 2],
    ] as const)
      made.push((await worktrees.create({ task, attempt })).path);
    await new Finishing(context, () => undefined, NO_WORKERS).begin();
    expect(made.map((tree) => existsSync(tree))).toEqual([false, true, true, false]);
  },
);

verifies(
  'tree.keep',
  'the worktree that an attempt goes on in stays from the claim on, when its run has no record yet',
  async () => {
    const { add, context, set, worktrees } = project();
    const { path: tree, branch } = await worktrees.create({ task: 't', attempt: 1 });
    const first = { taskId: 't', fence: 1, mail: 'none' as const, tree: { branch, folder: tree } };
    const runs = { ...NO_RUNS, identity: async (run: string) => (run === 'agent-1' ? first : undefined) };
    const claimed = { ...context, runs: async () => runs };
    await add('t', {
      status: 'in-progress',
      fence: 2,
      assigned: 'agent-2',
      last_run: { run: 'agent-1', iteration: 0, goes_on: 1 },
    });
    await tidyUp(claimed, 't', 1);
    expect(existsSync(tree)).toBe(true);
    await set('t', { fence: 3, assigned: 'agent-3' });
    await tidyUp(claimed, 't', 1);
    expect(existsSync(tree)).toBe(false);
  },
);

test('what was merged lands by itself only where the settings say so', async () => {
  const { context, worktrees } = project();
  const made = await worktrees.create({ task: 't', attempt: 1 });
  commitIn(made.path, { a: 'a' });
  await worktrees.mergeBack({ task: 't', attempt: 1, how: 'merge' });
  const saying = (land: string): Context => ({
    ...context,
    settings: async () => ({ ...(await context.settings()), read: async () => ({ coordinator: { land } }) }),
  });
  expect(await landWhenClean(saying('manual'))).toBe('nothing');
  expect(await landWhenClean(saying('when-clean'))).toBe('landed');
  expect(await landWhenClean(saying('when-clean'))).toBe('nothing');
});

verifies(
  'roles.writer.agents',
  'work of an attempt that touches role files is taken over only where a person tagged the task',
  async () => {
    const { add, context, folder, store, worktrees } = project();
    const roles = '.claude/roles/crew.md';
    const kinds: Readonly<Record<string, (tree: string) => void>> = {
      committed: (tree) => commitIn(tree, { [roles]: '### qa\n', a: 'a' }),
      'left-behind': (tree) => write(tree, { [roles]: '### qa\n' }),
      'other-case': (tree) => commitIn(tree, { '.Claude/Roles/qa.md': 'x' }),
      linked: (tree) => symlinkSync('..', path.join(tree, '.claude')),
    };
    for (const [id, change] of Object.entries(kinds)) {
      await add(id, { status: 'pending-validation', fence: 1 });
      change((await worktrees.create({ task: id, attempt: 1 })).path);
      const task = (await store.view()).task(id) as Task;
      const held = { outcome: 'held', conflict: false, reason: expect.stringMatching(/^protected_path: .*\.claude/i) };
      expect([id, await takeOver(context, task, 1, undefined)]).toEqual([id, held]);
    }
    expect(git(folder, 'ls-tree', '--name-only', 'wg/integration')).not.toContain('.claude');
    const tagged = { ...((await store.view()).task('committed') as Task), tags: [EDITS_ROLES] };
    expect(await takeOver(context, tagged, 1, undefined)).toMatchObject({ outcome: 'merged' });
    expect(git(folder, 'show', `wg/integration:${roles}`)).toBe('### qa\n');
    // Who works on from there has touched nothing, and who merges it has not either.
    const next = await worktrees.create({ task: 'next', attempt: 1 });
    commitIn(next.path, { '.claude/settings.json': '{}', 'docs/.claude-roles': 'x' });
    expect(await protectedWork(context, { ...tagged, id: 'next', tags: [] }, 1)).toBeUndefined();
  },
);

verifies('roles.writer.agents', 'a run that hands in a change of role files has failed, with the reason', async () => {
  const { add, context, set, store, worktrees } = project();
  await add('build', { status: 'in-progress', fence: 1, assigned: 'agent-1', verify: 'review' });
  const made = await worktrees.create({ task: 'build', attempt: 1 });
  commitIn(made.path, { '.claude/roles/qa.md': 'x' });
  const tree = { branch: made.branch, folder: made.path };
  const runs = async () => ({
    ...(await context.runs()),
    identity: async () => ({ taskId: 'build', fence: 1, mail: 'none', tree }),
  });
  const finishing = new Finishing({ ...context, runs } as Context, () => undefined, NO_WORKERS);
  const finish = async () =>
    await finishing.finish((await store.view()).task('build') as Task, fact('agent-1', 'build', { alive: false }));
  expect(await finish()).toMatchObject({ refused: expect.stringMatching(/^protected_path: /) });
  await set('build', { tags: [EDITS_ROLES] });
  expect((await finish()).refused).toBeUndefined();
});

verifies(
  'gate.sees',
  'who judges reads the work in a worktree of its commit, and nothing of that is ever merged',
  async () => {
    const { add, context: plain, folder, set, store, worktrees } = project();
    const submitted = { status: 'pending-validation', fence: 1, assigned: 'agent-1', team: 't', verify: 'review' };
    await add('build', submitted);
    const made = await worktrees.create({ task: 'build', attempt: 1 });
    write(made.path, { 'made.txt': 'made by the member\n' }); // not committed
    const tree = { branch: made.branch, folder: made.path };
    const runs = async () => ({
      ...(await plain.runs()),
      identity: async (run: string) =>
        run === 'agent-1' ? { taskId: 'build', fence: 1, mail: 'none' as const, tree } : undefined,
    });
    const context: Context = { ...plain, runs };
    await add('.review-build-1', { exec_mode: 'light', reviews: { task: 'build', fence: 1 } });
    const view = await store.view();
    const [build, review] = [view.task('build') as Task, view.task('.review-build-1') as Task];
    const work = await workUnderReview(context, view, review);
    expect(git(folder, 'ls-tree', '--name-only', work?.commit ?? '')).toContain('made.txt');
    expect(await workUnderReview(context, view, build), 'of work that judges nothing').toBeUndefined();
    const place = await attemptTree(
      context,
      review,
      { attempt: 1, mode: 'light', follows: true },
      settingsFrom({}).settings,
    );
    const read = { ...(place ?? expect.unreachable()), mode: 'full' as const }; // whatever its client may do
    await makeTree(context, review, read, { underReview: work, signal: new AbortController().signal });
    expect(readFileSync(path.join(place?.folder ?? '', 'made.txt'), 'utf8')).toBe('made by the member\n');
    commitIn(place?.folder ?? '', { 'stray.txt': 'of the reviewer' });
    expect(await takeOver(context, review, 1, undefined)).toEqual({ outcome: 'nothing' });

    const blocks = async (id: string) =>
      new Map(await output(context, (await store.view()).task(id) as Task)).get('what it changed');
    expect(await blocks('build')).toMatch(/made\.txt +\| +1 \+[\s\S]*\+made by the member/);
    const merged = await takeOver(context, build, 1, undefined);
    expect(merged).toMatchObject({ outcome: 'merged' });
    await set('build', { status: 'done', merged: (merged as { commit: string }).commit });
    await remove.run(context, { task: 'build' });
    expect(await blocks('build'), 'when its worktree is gone').toContain('+made by the member');
    expect(git(folder, 'ls-tree', '--name-only', 'wg/integration')).not.toContain('stray.txt');
  },
);

test('the latest attempt is shown, or the one asked for', async () => {
  const { context, worktrees } = project();
  await worktrees.create({ task: 't', attempt: 1 });
  const second = await worktrees.create({ task: 't', attempt: 2 });
  commitIn(second.path, { 'a.txt': 'a\n' });
  expect(await show.run(context, { task: 't' })).toMatchObject({
    attempt: 2,
    attempts: [1, 2],
    changes: { total: 1, added: 1 },
  });
  expect(await show.run(context, { task: 't', attempt: 1 })).toMatchObject({ attempt: 1, changes: { total: 0 } });
  await expect(show.run(context, { task: 'none' })).rejects.toThrow(refused('not_found'));
});

verifies(
  'done.commit',
  'a task that has to be committed is done only when its worktree is ahead and clean',
  async () => {
    const { add, context, worktrees, store } = project();
    await add('t', {
      status: 'in-progress',
      fence: 1,
      assigned: 'you',
      require_commit: true,
      started_at: new Date().toISOString(),
    });
    const made = await worktrees.create({ task: 't', attempt: 1 });
    await expect(done.run(context, { id: 't' })).rejects.toThrow(refused('no_commit'));
    write(made.path, { 'a.txt': 'a' });
    await expect(done.run(context, { id: 't' })).rejects.toThrow(refused('no_commit'));
    commitIn(made.path, { 'b.txt': 'b' });
    write(made.path, { 'c.txt': 'c' });
    await expect(done.run(context, { id: 't' })).rejects.toThrow(refused('dirty_tree'));
    expect((await store.view()).task('t')?.status).toBe('in-progress');
    commitAll(made.path, 'all');
    expect(await done.run(context, { id: 't' })).toMatchObject({ status: 'done' });
  },
);

verifies('done.commit', 'without a worktree, what was committed in the project since the claim counts', async () => {
  const { add, context, folder } = project();
  await add('t', {
    status: 'in-progress',
    fence: 1,
    assigned: 'you',
    require_commit: true,
    started_at: new Date(Date.now() + 2_000).toISOString(),
  });
  await expect(done.run(context, { id: 't' })).rejects.toThrow(refused('no_commit'));
  await add('u', {
    status: 'in-progress',
    fence: 1,
    assigned: 'you',
    require_commit: true,
    started_at: '2026-01-01T00:00:00Z',
  });
  write(folder, { 'a.txt': 'a', '.workgraph/x': 'ours' });
  await expect(done.run(context, { id: 'u' })).rejects.toThrow(refused('no_commit'));
  git(folder, 'add', 'a.txt');
  git(folder, 'commit', '--quiet', '-m', 'a');
  write(folder, { 'b.txt': 'b' });
  await expect(done.run(context, { id: 'u' })).rejects.toThrow(refused('dirty_tree'));
  expect(await done.run(context, { id: 'u', force: true })).toMatchObject({ status: 'done' });
});
