import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { mass } from '../../mass.js';
import { git, write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { bundle } from '../squad/program.js';
import { type Apart, apart, exchangeOver, joinedOver } from './apart.js';
import { again, killed, killingGit } from './killing.js';
import { commitIn, fileAt, integrationOf, type JoinedPorts, refused } from './place.js';

/** A git that dies too is met at every other step, one that lives on at those between; or both at each. */
const STRIDE = mass(2, 1);
const A = { task: 'a', attempt: 1 } as const;
const MERGE = { ...A, how: 'merge' } as const;

/** Work of an attempt, committed in its worktree. */
async function worked(world: Apart = apart('bare')) {
  const made = await world.worktrees.create(A);
  const head = commitIn(made.path, { 'a.txt': 'a\n' });
  const away = (isAway: boolean) => {
    const [from, to] = [world.remote, `${world.remote}.away`];
    renameSync(isAway ? from : to, isAway ? to : from);
  };
  return { ...world, tree: made.path, head, away };
}

async function published(world: Apart) {
  const work = await world.worktrees.publish(A);
  if (work.outcome !== 'published') throw new Error(JSON.stringify(work));
  return work;
}

const refsOf = (folder: string, ...below: string[]) =>
  git(folder, 'for-each-ref', '--format=%(refname) %(objectname)', ...below).trim();

verifies(
  'trees.exchange',
  'while the remote is away nothing is lost, taken or thrown away, and all goes on after',
  async () => {
    const world = await worked();
    const { worktrees, folder, remote, away } = world;
    const before = integrationOf(folder);
    away(true);
    await expect(worktrees.publish(A)).rejects.toMatchObject({
      code: 'remote_unreachable',
      message: `git cannot read or write ${remote}.`,
      hint: `Check with \`git ls-remote ${remote}\`: access must work without a password prompt.`,
      why: expect.stringContaining('does not appear to be a git repository'),
    });
    await expect(worktrees.base()).rejects.toThrow(refused('remote_unreachable'));
    expect(await worktrees.list()).toMatchObject([{ slug: 'a', ahead: 1, removable: false }]);
    away(false);
    const work = await published(world);
    away(true);
    await expect(worktrees.take(work, MERGE)).rejects.toThrow(refused('remote_unreachable'));
    expect(await worktrees.remove(A)).toMatchObject({ removed: 'nothing', reason: 'unmerged' });
    away(false);
    expect(integrationOf(folder)).toBe(before);
    expect(await worktrees.take(work, MERGE)).toMatchObject({ outcome: 'merged' });
    away(true);
    expect(await worktrees.remove(A), 'it does not know yet').toMatchObject({ removed: 'nothing', reason: 'unmerged' });
    away(false);
    expect(await worktrees.remove(A)).toMatchObject({ removed: 'tree-and-branch' });
    expect(refsOf(remote, 'refs/heads/wg')).toBe(`refs/heads/wg/integration ${integrationOf(folder)}`);
  },
);

verifies('trees.exchange', 'a remote that refuses says why, and the work stays', async () => {
  const { worktrees, folder, remote, tree, head } = await worked();
  git(remote, 'config', 'transfer.hideRefs', 'refs/heads/wg/a');
  await expect(worktrees.publish(A)).rejects.toMatchObject({
    code: 'remote_unreachable',
    why: expect.stringContaining('deny updating a hidden ref'),
  });
  expect(git(tree, 'rev-parse', 'HEAD').trim()).toBe(head);
  git(remote, 'config', '--unset', 'transfer.hideRefs');
  git(remote, 'config', 'receive.hideRefs', 'refs/heads/wg/integration');
  const before = integrationOf(folder);
  await expect(worktrees.mergeBack(MERGE)).rejects.toThrow(refused('remote_unreachable'));
  expect(integrationOf(folder), 'what is not published is not taken').toBe(before);
  git(remote, 'config', '--unset', 'receive.hideRefs');
  git(remote, 'config', 'receive.denyDeletes', 'true');
  expect(await worktrees.mergeBack(MERGE)).toMatchObject({ outcome: 'merged' });
  expect(await worktrees.remove(A), 'whoever lets nobody delete keeps it').toMatchObject({
    removed: 'tree-and-branch',
  });
  expect(refsOf(remote, 'refs/heads/wg/a')).toBe(`refs/heads/wg/a/1 ${head}`);
});

verifies(
  'trees.exchange',
  'a branch that somebody else moved is not moved back, and what was handed over is what is taken',
  async () => {
    const world = await worked();
    const { worktrees, folder, remote, tree, head } = world;
    const work = await published(world);
    const other = path.join(room(), 'other');
    git(remote, 'clone', '--quiet', '--branch', 'wg/a/1', '--', remote, other);
    const theirs = commitIn(other, { 'theirs.txt': 'theirs\n' });
    git(other, 'push', '--quiet', 'origin', 'HEAD:refs/heads/wg/a/1');
    commitIn(tree, { 'more.txt': 'more\n' });
    expect(await worktrees.publish(A)).toEqual({
      ...{ outcome: 'kept', reason: 'moved', text: 'wg/a/1 of the remote holds other work' },
    });
    expect(refsOf(remote, 'refs/heads/wg/a')).toBe(`refs/heads/wg/a/1 ${theirs}`);
    expect(await worktrees.take(work, MERGE)).toMatchObject({ outcome: 'merged' });
    const tip = integrationOf(folder);
    expect(git(folder, 'ls-tree', '--name-only', tip).trim().split('\n')).toEqual(['a.txt', 'f.txt']);
    expect(git(folder, 'rev-parse', `${tip}^2`).trim()).toBe(head);
    git(remote, 'update-ref', 'refs/heads/wg/b/1', git(remote, 'rev-parse', 'main').trim());
    const gone = { ...work, branch: 'wg/b/1', commit: git(tree, 'rev-parse', 'HEAD').trim() };
    await expect(worktrees.take(gone, { ...MERGE, task: 'b' })).rejects.toMatchObject({
      ...{
        code: 'not_found',
        message: expect.stringMatching(/^wg\/b\/1 of the remote does not hold [0-9a-f]{12}: somebody/),
      },
    });
    await expect(worktrees.take({ ...gone, branch: 'wg/c/1' }, MERGE)).rejects.toThrow(refused('not_found'));
    expect(integrationOf(folder)).toBe(tip);
  },
);

verifies('trees.exchange', 'what another integration merged meanwhile is merged with, never forced away', async () => {
  const world = await worked();
  const { worktrees, folder, worker, remote } = world;
  const second = path.join(room(), 'second');
  git(remote, 'clone', '--quiet', '--', remote, second);
  mkdirSync(path.join(second, '.workgraph'));
  const other = joinedOver({ folder: second, worker, remote });
  commitIn((await worktrees.create({ task: 'b', attempt: 1 })).path, { 'b.txt': 'b\n' });
  expect(await other.mergeBack({ task: 'b', attempt: 1, how: 'merge' })).toMatchObject({ outcome: 'merged' });
  const theirs = integrationOf(second);
  expect(integrationOf(folder)).not.toBe(theirs);
  expect(await worktrees.mergeBack(MERGE)).toMatchObject({ outcome: 'merged' });
  const tip = integrationOf(folder);
  expect(git(folder, 'rev-parse', `${tip}^1`).trim()).toBe(theirs);
  expect(refsOf(remote, 'refs/heads/wg/integration')).toBe(`refs/heads/wg/integration ${tip}`);
  expect(await other.base()).toBe(tip);
  // Both at the same time: each is merged with the other.
  const tasks = ['d', 'e'];
  for (const task of tasks) commitIn((await worktrees.create({ task, attempt: 1 })).path, { [`${task}.txt`]: task });
  const merge = (side: JoinedPorts, task: string) => side.mergeBack({ task, attempt: 1, how: 'merge' });
  expect(await Promise.all([merge(worktrees, 'd'), merge(other, 'e')])).toMatchObject([
    { outcome: 'merged' },
    { outcome: 'merged' },
  ]);
  const both = await worktrees.base();
  expect([await other.base(), ...tasks.map((task) => fileAt(folder, both, `${task}.txt`))]).toEqual([both, ...tasks]);
  // The remote goes back behind what was taken and gets other work: one holds what the other lacks.
  commitIn((await other.create({ task: 'c', attempt: 1 })).path, { 'c.txt': 'c\n' });
  git(remote, 'update-ref', 'refs/heads/wg/integration', theirs);
  git(second, 'update-ref', 'refs/heads/wg/integration', theirs);
  expect(await other.mergeBack({ task: 'c', attempt: 1, how: 'squash' })).toMatchObject({ outcome: 'merged' });
  await expect(worktrees.base()).rejects.toMatchObject({
    code: 'remote_went_back',
    message: 'wg/integration here and the one of the remote each hold commits that the other lacks.',
    hint: expect.stringContaining(`git log --left-right wg/integration...${integrationOf(second).slice(0, 12)}`),
  });
  expect(integrationOf(folder)).toBe(both);
});

verifies(
  'trees.exchange',
  'an integration that somebody looks at, or that is another name of a branch, does not follow',
  async () => {
    const { worktrees, folder, worker, remote } = await worked();
    expect(await worktrees.mergeBack(MERGE)).toMatchObject({ outcome: 'merged' });
    const tip = integrationOf(folder);
    git(folder, 'update-ref', 'refs/heads/wg/integration', 'main');
    git(folder, 'switch', '--quiet', 'wg/integration');
    await expect(worktrees.base()).rejects.toThrow(refused('branch_in_use'));
    expect(git(folder, 'status', '--porcelain')).toBe('');
    git(folder, 'switch', '--quiet', 'main');
    expect(await worktrees.base()).toBe(tip);
    git(worker, 'symbolic-ref', 'refs/heads/wg/integration', 'refs/heads/main');
    const main = git(worker, 'rev-parse', 'main');
    await expect(worktrees.remove(A)).rejects.toThrow(refused('unsafe_worktree'));
    expect(git(worker, 'rev-parse', 'main')).toBe(main);
    expect(existsSync(remote)).toBe(true);
  },
);

verifies(
  'trees.exchange',
  'a run that moves wg/integration where it works makes nobody believe that its work was taken',
  async () => {
    const world = await worked();
    const { worktrees, worker, head, remote } = world;
    git(worker, 'update-ref', 'refs/heads/wg/integration', head);
    expect(await worktrees.remove(A)).toMatchObject({ removed: 'nothing', reason: 'unmerged' });
    const work = await published(world);
    expect(await worktrees.publishedPaths(work), 'it hides nothing from where it is merged').toEqual(['a.txt']);
    expect(await worktrees.mergeBack(MERGE)).toMatchObject({ outcome: 'merged' });
    expect(await worktrees.remove(A)).toMatchObject({ removed: 'tree-and-branch' });
    expect(refsOf(remote, 'refs/heads/wg/a')).toBe('');
  },
);

verifies(
  'trees.exchange',
  'work that waits is looked at on a third machine, which fetches it by its branch',
  async () => {
    const world = await worked();
    const work = await published(world);
    const third = path.join(room(), 'third');
    git(
      world.remote,
      'clone',
      '--quiet',
      '--no-checkout',
      '--no-local',
      '--single-branch',
      '--branch',
      'main',
      '--',
      world.remote,
      third,
    );
    mkdirSync(path.join(third, '.workgraph'));
    const { create } = joinedOver({ ...world, worker: third });
    const looking = { task: 'r', attempt: 1, base: work.commit, readOnly: true, trial: true };
    await expect(create(looking), 'it is not in the integration').rejects.toThrow(refused('not_found'));
    const made = await create({ ...looking, publishedAs: work.branch });
    expect([made.base, existsSync(path.join(made.path, 'a.txt'))]).toEqual([work.commit, true]);
  },
);

verifies('trees.exchange', 'no hook, no variable and no name leads a fetch or a push astray', async () => {
  const world = apart('bare');
  const marks = room('marks');
  for (const at of [path.join(world.worker, '.git'), path.join(world.folder, '.git'), world.remote])
    for (const hook of ['pre-push', 'reference-transaction', 'pre-receive', 'update', 'post-receive', 'post-update']) {
      mkdirSync(path.join(at, 'hooks'), { recursive: true });
      writeFileSync(path.join(at, 'hooks', hook), `#!/bin/sh\ntouch ${marks}/${hook}\nexit 1\n`, { mode: 0o755 });
    }
  const hostile = {
    ...process.env,
    ...{
      GIT_DIR: marks,
      GIT_WORK_TREE: marks,
      GIT_SSH_COMMAND: `touch ${marks}/ssh`,
      GIT_PROXY_COMMAND: `touch ${marks}/proxy`,
    },
  };
  const worktrees = joinedOver(world, hostile);
  await worktrees.create(A);
  write((await worktrees.placeOf(A)).path, { 'a.txt': 'a\n' });
  expect(await worktrees.mergeBack(MERGE)).toMatchObject({ outcome: 'merged' });
  expect(await worktrees.remove(A)).toMatchObject({ removed: 'tree-and-branch' });
  for (const mark of [
    'pre-push',
    'reference-transaction',
    'pre-receive',
    'update',
    'post-receive',
    'post-update',
    'ssh',
  ])
    expect(existsSync(path.join(marks, mark)), mark).toBe(false);
  const exchange = exchangeOver(world.worker, world.remote);
  const commit = git(world.worker, 'rev-parse', 'HEAD').trim();
  const unsafe = refused('unsafe_worktree');
  for (const ref of ['--all', 'wg/a', 'refs/heads/a:refs/heads/main', 'refs/heads/*', 'refs/heads/a b', 'refs/../x'])
    await expect(exchange.publish(ref, commit), ref).rejects.toThrow(unsafe);
  for (const name of ['', 'HEAD', `+${commit}`, commit.slice(1)])
    await expect(exchange.publish('refs/heads/wg/a/9', name), name).rejects.toThrow(unsafe);
  await expect(exchange.bring('1'.repeat(40), '--upload-pack=x')).rejects.toThrow(unsafe);
  await expect(exchange.follow('refs/heads/x:refs/heads/main')).rejects.toThrow(unsafe);
  expect(refsOf(world.remote, 'refs/heads/wg/a')).toBe('');
});

for (const [how, outlives] of [
  ['dies too', false],
  ['lives on', true],
] as const) {
  verifies('trees.exchange', `killed on its way, work is there once after the next call; git ${how}`, async () => {
    const program = await bundle(path.join(import.meta.dirname, 'worktree-child.ts'), room('program'));
    let step = outlives && STRIDE > 1 ? 2 : 1;
    for (; ; step += STRIDE) {
      const world = await worked();
      const { folder, worker, remote, worktrees, tree } = world;
      write(tree, { 'left.txt': 'left\n' });
      const before = world.own();
      const args = [folder, 'merge', JSON.stringify(MERGE), worker, remote];
      const isKilled = await killed(program, args, killingGit('push|fetch|update-ref', step, outlives));
      await again(() => worktrees.mergeBack(MERGE));
      const tip = integrationOf(folder);
      expect(['a.txt', 'left.txt'].map((file) => fileAt(folder, tip, file))).toEqual(['a\n', 'left\n']);
      expect(git(folder, 'rev-list', '--first-parent', '--count', `main..${tip}`).trim()).toBe('1');
      expect(refsOf(remote, 'refs/heads/wg/integration')).toBe(`refs/heads/wg/integration ${tip}`);
      expect(world.own(), `step ${step}`).toEqual(before);
      if (!isKilled) break;
    }
    expect(step, 'a push of the work, a fetch of it, a push and a move of the integration').toBeGreaterThan(4);
  });
}
