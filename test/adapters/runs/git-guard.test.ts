import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { guardFolder, hasGuard, writeGuard } from '#adapters/runs/git-guard.js';
import { OUTSIDE_MARKS } from '#core/runs/outside-marks.js';
import { git, repository } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

/** A repository with a worktree of a run, and git as that run has it. */
function place() {
  const cwd = repository({ 'a.txt': 'a' });
  const tree = path.join(room('trees'), 'one');
  git(cwd, 'worktree', 'add', '-q', '-b', 'wg/a/1', tree);
  const agents = room('agents');
  writeGuard(agents);
  expect(hasGuard(agents)).toBe(true);
  const env = {
    ...process.env,
    ...{ WG_WORKTREE_PATH: tree, WG_BRANCH: 'wg/a/1', GIT_CONFIG_COUNT: '1' },
    ...{ GIT_CONFIG_KEY_0: 'core.hooksPath', GIT_CONFIG_VALUE_0: guardFolder(agents) },
  };
  const asRun = (folder: string, ...words: string[]) => {
    const { status, stderr } = spawnSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...words], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    return { ok: status === 0, said: stderr };
  };
  const facts = () => git(cwd, 'for-each-ref').replace(/.*refs\/heads\/wg.*\n/g, '');
  return { cwd, tree, asRun, facts };
}

verifies('door.branch', 'a run commits to its own branch, and moves no other, no stash and no checkout', () => {
  const { cwd, tree, asRun, facts } = place();
  git(cwd, 'branch', 'other');
  const before = facts();
  writeFileSync(path.join(tree, 'new.txt'), 'x');
  expect(asRun(tree, 'add', '.').ok).toBe(true);
  const stash = asRun(tree, 'stash', '-u');
  expect(stash.ok).toBe(false);
  expect(stash.said).toContain("refs/stash is not this run's to change");
  expect(asRun(tree, 'commit', '-q', '-m', 'work').ok).toBe(true);
  const moves = [
    ['branch', '-f', 'main', 'HEAD'],
    ['switch', '-q', '-c', 'mine'],
    ['branch', '-D', 'main'],
    ['update-ref', 'refs/wg/branches/mine/{task}/{attempt}', 'HEAD'],
  ];
  for (const words of moves) expect(asRun(tree, ...words), words.join(' ')).toMatchObject({ ok: false });
  for (const words of [
    ['merge', '-q', 'wg/a/1'],
    ['commit', '-q', '--allow-empty', '-m', 'x'],
    ['reset', '-q', '--hard', 'wg/a/1'],
  ])
    expect(asRun(cwd, ...words).said, words.join(' ')).toContain('Commit to wg/a/1 instead');
  expect(facts()).toBe(before);
  const isMarked = (mark: string) => existsSync(path.join(cwd, `.git/worktrees/one/${mark}-.git`));
  expect([isMarked(OUTSIDE_MARKS.refused), isMarked(OUTSIDE_MARKS.switched)], 'is told at its end').toEqual([
    true,
    false,
  ]);
  asRun(cwd, 'switch', '-q', 'other');
  expect(isMarked(OUTSIDE_MARKS.switched)).toBe(git(cwd, 'branch', '--show-current').trim() === 'other');
  expect(asRun(tree, 'branch', 'wg/a/2').ok, 'of the same task').toBe(true);
  expect(asRun(tree, 'tag', 'v1').ok).toBe(true);
});

verifies('door.branch', 'the hooks of the repository act as before, and another repository is left alone', () => {
  const { cwd, tree, asRun } = place();
  const trace = path.join(room('trace'), 'ran');
  const hook = (name: string, text: string) => {
    const file = path.join(cwd, '.git/hooks', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o700);
  };
  hook('commit-msg', `echo "msg $(basename "$1")" >> '${trace}'`);
  hook('reference-transaction', `[ "$1" = committed ] && sed 's/.* //' >> '${trace}'; exit 0`);
  expect(asRun(tree, 'commit', '-q', '--allow-empty', '-m', 'work').ok).toBe(true);
  expect(readFileSync(trace, 'utf8').split('\n')).toEqual(
    expect.arrayContaining(['msg COMMIT_EDITMSG', 'refs/heads/wg/a/1']),
  );
  hook('pre-commit', 'exit 1');
  expect(asRun(tree, 'commit', '-q', '--allow-empty', '-m', 'work').ok, 'its refusal counts').toBe(false);
  const other = repository({ 'a.txt': 'a' }, 'other');
  expect(asRun(other, 'commit', '-q', '--allow-empty', '-m', 'x').ok).toBe(true);
  expect(asRun(other, 'switch', '-q', '-c', 'mine').ok).toBe(true);
});
