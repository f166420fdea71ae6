import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commitIn, worktreesOf } from '../adapters/worktrees/place.js';
import { commitAll, git, write } from '../repository.js';
import { room } from '../room.js';
import { asked, troupe } from './program.js';

/** A project in a repository, with one task whose work is merged and waits to be landed, and one that is not merged. */
async function waiting(): Promise<string> {
  const cwd = path.join(realpathSync(room()), 'project');
  mkdirSync(cwd);
  git(cwd, 'init', '--quiet', '--initial-branch=main');
  write(cwd, { 'f.txt': 'one\n' });
  commitAll(cwd, 'first');
  await asked(['init'], { cwd });
  await asked(['add', 'Build it', '--id', 'build', '--require-commit'], { cwd });
  const worktrees = worktreesOf(cwd);
  const made = await worktrees.create({ task: 'build', attempt: 1 });
  commitIn(made.path, { 'f.txt': 'two\n', 'evil\u001b[31m.txt': 'x\n' });
  await worktrees.mergeBack({ task: 'build', attempt: 1, how: 'merge', title: 'Build it' });
  const other = await worktrees.create({ task: 'other', attempt: 1 });
  commitIn(other.path, { 'o.txt': 'o\n' });
  return cwd;
}

test('tree.merge: what waits is said, shown and landed only with a yes', async () => {
  const cwd = await waiting();
  const head = git(cwd, 'rev-parse', 'HEAD');
  expect((await troupe(['status'], { cwd })).stdout).toContain(
    '2 commits on wg/integration are ready to land: `troupe worktree land`',
  );
  expect(await asked(['status'], { cwd })).toMatchObject({ to_land: 2 });
  const unsure = await troupe(['worktree', 'land'], { cwd });
  expect(unsure.code).toBe(1);
  expect(unsure.stdout).toContain('2 commits from 1 task for main');
  expect(unsure.stdout).toMatch(/ {2}[0-9a-f]{10} {2}build: Build it\n/);
  expect(unsure.stdout).toContain('f.txt');
  expect(unsure.stdout).not.toContain('\u001b[31m');
  expect(unsure.stderr).toContain('confirmation_needed');
  expect(unsure.stderr).toContain('--yes');
  expect((await troupe(['worktree', 'land', '--json'], { cwd })).code).toBe(1);
  expect(git(cwd, 'rev-parse', 'HEAD')).toBe(head);
  writeFileSync(path.join(cwd, 'f.txt'), 'mine\n');
  const dirty = await troupe(['worktree', 'land', '--yes'], { cwd });
  expect([dirty.code, dirty.stdout]).toEqual([1, '']);
  expect(dirty.stderr).toContain('error[dirty_tree]');
  git(cwd, 'checkout', '--', 'f.txt');
  const run = { WG_AGENT_ID: 'agent-1', WG_TASK_ID: 'build', WG_FENCE: '1' };
  expect((await troupe(['worktree', 'land', '--yes'], { cwd, env: run })).stderr).toContain('not_yours');
  const landed = await asked<{ landed: boolean; to: string; tasks: string[] }>(['worktree', 'land', '--yes'], { cwd });
  expect(landed).toMatchObject({ landed: true, tasks: ['build'] });
  expect(git(cwd, 'rev-parse', 'main').trim()).toBe(landed.to);
  expect(git(cwd, 'status', '--porcelain', '--untracked-files=no')).toBe('');
  expect((await troupe(['worktree', 'land'], { cwd })).stdout).toContain('Nothing to land');
});

test('tree.keep: worktrees are listed with reasons, shown, and removed with a warning where work is lost sight of', async () => {
  const cwd = await waiting();
  const listed = await troupe(['worktree', 'list'], { cwd });
  expect(listed.stdout).toMatch(/build +1 .*removable: its work is in wg\/integration/);
  expect(listed.stdout).toMatch(/other +1 +\+1 .*1 commit of it is in no other branch/);
  expect(listed.stderr).toContain('troupe worktree remove build');
  expect((await troupe(['worktree', 'show', 'other'], { cwd })).stdout).toContain('o.txt  +1 -0');
  expect(await asked(['worktree', 'show', 'other'], { cwd })).toMatchObject({
    task: 'other',
    attempt: 1,
    ahead: 1,
    changes: { total: 1 },
  });
  const kept = await troupe(['worktree', 'remove', 'other'], { cwd });
  expect(kept).toMatchObject({ code: 1, stdout: 'other, attempt 1: kept, 1 commit of it is in no other branch\n' });
  const forced = await troupe(['worktree', 'remove', 'other', '--force'], { cwd });
  expect(forced.code).toBe(0);
  expect(forced.stderr).toContain(
    'warning: its unmerged work is in no branch now. Recover it: git branch NAME refs/wg/removed/other/1',
  );
  expect((await troupe(['worktree', 'remove', 'build'], { cwd })).code).toBe(0);
  expect((await troupe(['worktree', 'list'], { cwd })).stdout).toContain('No worktrees.');
  expect((await troupe(['worktree', 'show', 'build'], { cwd })).stderr).toContain('error[not_found]');
});
