import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { FiltersOff } from '#adapters/git/filters-off.js';
import { PATIENCE } from '../../patience.js';
import { git, repository, write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

/** A git that notes each of its calls. */
function countedGit() {
  const [folder, real] = [room('counted'), git('/', '--exec-path').trim()];
  const notes = path.join(folder, 'calls');
  writeFileSync(notes, '');
  writeFileSync(path.join(folder, 'git'), `#!/bin/sh\necho >> '${notes}'\nexec '${real}/git' "$@"\n`);
  chmodSync(path.join(folder, 'git'), 0o755);
  return {
    PATH: `${folder}:${process.env['PATH']}`,
    HOME: folder,
    XDG_CONFIG_HOME: '',
    calls: () => readFileSync(notes, 'utf8').length,
  };
}

verifies('sec.git.env', 'filters that are configured while we are at work are off from the next call on', async () => {
  const { calls, ...environment } = countedGit();
  const filters = new FiltersOff(environment);
  const folder = repository({ 'a.txt': 'a' });
  const tree = path.join(room(), 'tree');
  git(folder, 'worktree', 'add', '--quiet', '--detach', tree);
  const keysOf = async (at: string) => (await filters.settings(at)).map(([key]) => key);
  const isAskedNoMore = () =>
    vi.waitFor(async () => {
      const before = calls();
      await filters.settings(tree);
      expect(calls()).toBe(before);
    }, PATIENCE);
  const off = (name: string) => ['clean', 'smudge', 'process', 'required'].map((key) => `filter.${name}.${key}`);
  expect(await keysOf(tree)).toEqual([]);
  await isAskedNoMore();
  git(folder, 'config', 'filter.own.clean', 'cat');
  expect(await keysOf(tree)).toEqual(off('own'));
  await isAskedNoMore();
  expect(await keysOf(tree)).toEqual(off('own'));
  writeFileSync(path.join(environment.HOME, '.gitconfig'), '[merge "mine"]\n\tdriver = false\n');
  expect(await keysOf(tree)).toEqual([...off('own'), 'merge.mine.driver']);
  git(folder, 'config', 'extensions.worktreeConfig', 'true');
  git(tree, 'config', '--worktree', 'filter.tree.smudge', 'cat');
  expect(await keysOf(tree)).toEqual([...off('own'), ...off('tree'), 'merge.mine.driver']);
  expect(await keysOf(folder)).toEqual([...off('own'), 'merge.mine.driver']);
  await isAskedNoMore();
  write(environment.HOME, { '.config/git/config': '[filter "desk"]\n\tclean = cat\n' });
  expect(await keysOf(tree)).toEqual([...off('desk'), ...off('own'), ...off('tree'), 'merge.mine.driver']);
  rmSync(path.join(environment.HOME, '.config'), { recursive: true });
  await isAskedNoMore();
  git(tree, 'config', '--worktree', 'filter.second.smudge', 'cat');
  expect(await keysOf(tree)).toEqual([...off('own'), ...off('second'), ...off('tree'), 'merge.mine.driver']);
  const included = path.join(room(), 'included');
  writeFileSync(included, '');
  git(folder, 'config', 'include.path', included);
  await vi.waitFor(() => expect(Date.now() - 200).toBeGreaterThan(startOf(folder)), PATIENCE);
  expect(await keysOf(folder)).toEqual([...off('own'), 'merge.mine.driver']);
  writeFileSync(included, '[filter "late"]\n\tclean = cat\n');
  expect(await keysOf(folder)).toEqual([...off('late'), ...off('own'), 'merge.mine.driver']);
});

/** When the configuration of a repository was changed last. */
function startOf(folder: string): number {
  return statSync(path.join(folder, '.git/config')).ctimeMs;
}
