import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commitAll, git, write } from '../../repository.js';
import { commitIn, integrationOf, place, refused } from './place.js';

/** A place where one task is done and merged. */
async function merged(files: Readonly<Record<string, string>> = { 'f.txt': 'one\n', 'g.txt': 'g\n' }) {
  const world = place(files);
  const made = await world.worktrees.create({ task: 'build', attempt: 1 });
  commitIn(made.path, { 'f.txt': 'two\n', 'new/h.txt': 'h\n' });
  await world.worktrees.mergeBack({ task: 'build', attempt: 1, how: 'merge', title: 'Build it' });
  return world;
}

test('tree.merge: landing shows what would come, then moves branch and files of a clean tree', async () => {
  const { folder, worktrees, own } = await merged();
  const before = own();
  const landing = await worktrees.landing();
  expect(landing).toMatchObject({
    branch: 'main',
    relation: 'ahead',
    from: git(folder, 'rev-parse', 'main').trim(),
    to: integrationOf(folder),
    commitTotal: 2,
    tasks: ['build'],
    commits: [{ subject: 'build: Build it' }],
    changes: { total: 2, added: 2, deleted: 1, files: [{ path: 'f.txt' }, { path: 'new/h.txt' }] },
  });
  expect(landing.obstacle).toBeUndefined();
  expect(own()).toEqual(before);
  write(folder, { 'untracked.txt': 'mine' });
  await worktrees.land(landing.to);
  expect(git(folder, 'rev-parse', 'main').trim()).toBe(landing.to);
  expect(git(folder, 'status', '--porcelain')).toBe('?? untracked.txt\n');
  expect(readFileSync(path.join(folder, 'new/h.txt'), 'utf8')).toBe('h\n');
  expect(await worktrees.landing()).toMatchObject({ relation: 'same', commitTotal: 0 });
  expect(await worktrees.waiting()).toBe(0);
  expect(await worktrees.land(landing.to)).toMatchObject({ relation: 'same' });
});

test('tree.merge: what a person has not committed, and what would be overwritten, is never touched', async () => {
  const { folder, worktrees, own } = await merged();
  const { to } = await worktrees.landing();
  writeFileSync(path.join(folder, 'g.txt'), 'mine\n');
  const before = own();
  await expect(worktrees.land(to)).rejects.toThrow(refused('dirty_tree'));
  expect(own()).toEqual(before);
  git(folder, 'checkout', '--quiet', 'g.txt');
  write(folder, { 'new/h.txt': 'mine, and unknown to git' });
  await expect(worktrees.land(to)).rejects.toThrow(refused('dirty_tree'));
  expect(readFileSync(path.join(folder, 'new/h.txt'), 'utf8')).toBe('mine, and unknown to git');
  expect(git(folder, 'rev-parse', 'main').trim()).not.toBe(to);
});

test('tree.merge: a detached HEAD, a branch that went on, a merge under way are refused with what to do', async () => {
  const detached = await merged();
  git(detached.folder, 'checkout', '--quiet', '--detach');
  await expect(detached.worktrees.land(integrationOf(detached.folder))).rejects.toThrow(refused('detached_head'));
  const diverged = await merged();
  write(diverged.folder, { 'g.txt': 'mine\n' });
  commitAll(diverged.folder, 'mine');
  const tip = integrationOf(diverged.folder);
  expect((await diverged.worktrees.landing()).obstacle?.hint).toContain('git merge wg/integration');
  await expect(diverged.worktrees.land(tip)).rejects.toThrow(refused('diverged'));
  git(diverged.folder, 'merge', '--quiet', '--no-edit', 'wg/integration');
  expect(await diverged.worktrees.landing()).toMatchObject({ relation: 'behind' });
  // From now on attempts start from there.
  const next = await diverged.worktrees.create({ task: 'next', attempt: 1 });
  expect(next.start).toBe(git(diverged.folder, 'rev-parse', 'main').trim());
  const merging = await merged();
  git(merging.folder, 'branch', 'side');
  git(merging.folder, 'switch', '--quiet', 'side');
  git(merging.folder, 'commit', '--quiet', '--allow-empty', '-m', 'side');
  git(merging.folder, 'switch', '--quiet', 'main');
  git(merging.folder, 'merge', '--quiet', '--no-ff', '--no-commit', 'side');
  await expect(merging.worktrees.land(integrationOf(merging.folder))).rejects.toThrow(refused('dirty_tree'));
});

test('tree.merge: only the commit that was shown is landed', async () => {
  const { worktrees } = await merged();
  const { to } = await worktrees.landing();
  const more = await worktrees.create({ task: 'more', attempt: 1 });
  commitIn(more.path, { 'more.txt': 'more' });
  await worktrees.mergeBack({ task: 'more', attempt: 1, how: 'squash' });
  await expect(worktrees.land(to)).rejects.toThrow(refused('landing_changed'));
  expect(await worktrees.landing()).toMatchObject({ tasks: ['build', 'more'], commitTotal: 3 });
});

test('changes of our own files do not hold up a landing, and stay', async () => {
  const { folder, worktrees } = await merged({ 'f.txt': 'one\n', '.workgraph/operations.jsonl': 'a\n' });
  writeFileSync(path.join(folder, '.workgraph/operations.jsonl'), 'a\nb\n');
  const { to, obstacle } = await worktrees.landing();
  expect(obstacle).toBeUndefined();
  await worktrees.land(to);
  expect(readFileSync(path.join(folder, '.workgraph/operations.jsonl'), 'utf8')).toBe('a\nb\n');
  expect(git(folder, 'rev-parse', 'main').trim()).toBe(to);
});

test('where no worktree ever was, nothing waits and nothing is asked', async () => {
  const { folder, worktrees } = place();
  expect(await worktrees.waiting()).toBe(0);
  expect(await worktrees.list()).toEqual([]);
  expect(await worktrees.landing()).toMatchObject({ relation: 'same' });
  expect(git(folder, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\n');
});
