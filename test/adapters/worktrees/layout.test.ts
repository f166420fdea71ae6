import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEFAULT_LAYOUT } from '#core/worktrees/layout.js';
import { git } from '../../repository.js';
import { commitIn, fileAt, integrationOf, place, refused, worktreesOf } from './place.js';

const AGENTS = { ...DEFAULT_LAYOUT, branch: 'agents/{task}/try-{attempt}' };
const label = (task: string, attempt: number) => ({ task, attempt, title: task, how: 'merge' as const });

test('tree.setup: branches are called as the template says, and attempts under an earlier one are found, gone on from, merged and removed', async () => {
  const { folder, worktrees: before } = place();
  const waiting = await before.create({ task: 'build', attempt: 1 });
  commitIn(waiting.path, { 'a.txt': 'by build' });
  const other = await before.create({ task: 'other', attempt: 1 });
  commitIn(other.path, { 'b.txt': 'by other' });

  const after = worktreesOf(folder, process.env, AGENTS);
  expect(await after.placeOf({ task: 'build', attempt: 1 })).toEqual({
    path: waiting.path,
    folder: waiting.folder,
    branch: 'wg/build/1',
  });
  const next = await after.create({ task: 'build', attempt: 2 });
  expect(next.branch).toBe('agents/build/try-2');
  expect(git(next.path, 'symbolic-ref', 'HEAD').trim()).toBe('refs/heads/agents/build/try-2');
  expect(existsSync(`${next.path}/a.txt`)).toBe(true);
  expect(await after.attempts('build')).toEqual([1, 2]);
  expect((await after.list()).map(({ branch }) => branch)).toEqual(['wg/build/1', 'agents/build/try-2', 'wg/other/1']);

  expect(await after.mergeBack(label('other', 1))).toMatchObject({ outcome: 'merged' });
  expect(fileAt(folder, integrationOf(folder), 'b.txt')).toBe('by other');
  expect(await after.remove({ task: 'other', attempt: 1 })).toMatchObject({ removed: 'tree-and-branch' });

  // And back: what was made under the template is found without it.
  commitIn(next.path, { 'c.txt': 'more' });
  expect((await before.changes({ task: 'build', attempt: 2 })).branch).toBe('agents/build/try-2');
  expect(await before.mergeBack(label('build', 2))).toMatchObject({ outcome: 'merged' });
  for (const attempt of [1, 2])
    expect(await before.remove({ task: 'build', attempt })).toMatchObject({ removed: 'tree-and-branch' });
  expect(git(folder, 'for-each-ref', '--format=%(refname)', 'refs/heads')).toBe(
    'refs/heads/main\nrefs/heads/wg/integration\n',
  );
});

test('tree.setup: a branch of a person that is named like one of an attempt is none while no template was ever used', async () => {
  const { folder, worktrees } = place();
  git(folder, 'branch', 'agents/build/try-2');
  expect(await worktrees.list()).toEqual([]);
  git(folder, 'update-ref', 'refs/wg/branches/{task}/{attempt}', 'HEAD');
  git(folder, 'branch', 'mine/7');
  expect(await worktrees.list()).toEqual([]);
});

test('tree.setup: a branch in the way of the template is an error with the remedy', async () => {
  const { folder } = place();
  git(folder, 'branch', 'agents');
  const worktrees = worktreesOf(folder, process.env, AGENTS);
  await expect(worktrees.create({ task: 'build', attempt: 1 })).rejects.toEqual(refused('branch_in_use'));
  git(folder, 'branch', '-m', 'agents', 'other-name');
  expect((await worktrees.create({ task: 'build', attempt: 1 })).branch).toBe('agents/build/try-1');
});
