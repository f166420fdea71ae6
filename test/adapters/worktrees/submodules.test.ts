import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { git, repository, write } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { commitIn, place } from './place.js';

const LIBRARY = { 'lib.txt': 'of the library\n' };

/** A project with a submodule that has one itself, filled in the person's checkout. */
function withSubmodules() {
  const inner = repository({ 'inner.txt': 'of the inner one\n' });
  const library = repository(LIBRARY);
  const add = (folder: string, from: string, name: string) => {
    git(folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', from, name);
    git(folder, 'commit', '--quiet', '-m', name);
  };
  add(library, inner, 'deep/inner');
  const project = place();
  add(project.folder, library, 'vendor/library');
  git(project.folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init', '--recursive');
  // What they came from is gone: all of it is in the checkout.
  for (const folder of [inner, library]) rmSync(folder, { recursive: true });
  return project;
}

const filled = (tree: string) =>
  ['vendor/library/lib.txt', 'vendor/library/deep/inner/inner.txt'].map((file) => existsSync(path.join(tree, file)));

verifies(
  'tree.setup',
  'submodules are filled from the checkout, at the commits that are named, and go with the worktree',
  async () => {
    const { folder, worktrees, own } = withSubmodules();
    const before = own();
    const { path: tree } = await worktrees.create({ task: 'a', attempt: 1 });
    expect(filled(tree)).toEqual([true, true]);
    expect(git(tree, 'status', '--porcelain')).toBe('');
    expect(await worktrees.gaps()).toEqual([]);
    expect(own()).toEqual(before);
    commitIn(tree, { 'work.txt': 'work' });
    expect(await worktrees.mergeBack({ task: 'a', attempt: 1, how: 'merge', title: 'A' })).toMatchObject({
      outcome: 'merged',
      leftOut: [],
    });
    expect(await worktrees.remove({ task: 'a', attempt: 1 })).toMatchObject({ removed: 'tree-and-branch' });
    expect(existsSync(tree)).toBe(false);
    expect(filled(folder)).toEqual([true, true]);
  },
);

verifies('tree.setup', 'work in a submodule keeps its worktree', async () => {
  const { worktrees } = withSubmodules();
  for (const [attempt, change] of [
    (tree: string) => writeFileSync(path.join(tree, 'vendor/library/new.txt'), 'new'),
    (tree: string) => {
      git(path.join(tree, 'vendor/library'), 'config', 'user.email', 'a@b.c');
      git(path.join(tree, 'vendor/library'), 'config', 'user.name', 'ann');
      commitIn(path.join(tree, 'vendor/library'), { 'new.txt': 'new' });
    },
    (tree: string) => writeFileSync(path.join(tree, 'vendor/library/deep/inner/new.txt'), 'new'),
  ].entries()) {
    const { path: tree } = await worktrees.create({ task: 'a', attempt: attempt + 1, fresh: true });
    change(tree);
    expect(await worktrees.remove({ task: 'a', attempt: attempt + 1 })).toMatchObject({ removed: 'nothing' });
    expect(existsSync(tree)).toBe(true);
  }
});

verifies('tree.setup', 'what worktrees lack is said with what helps', async () => {
  const { folder, worktrees } = withSubmodules();
  git(folder, 'submodule', '--quiet', 'deinit', '--force', 'vendor/library');
  write(folder, { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n', 'art/a.bin': 'version 1\n' });
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '-m', 'large');
  expect(await worktrees.gaps()).toEqual([
    {
      text: '1 submodule (vendor/library) is empty in worktrees.',
      remedy: expect.stringContaining('submodule update'),
    },
    { text: expect.stringMatching(/^1 file of Git LFS \(art\/a\.bin\) is a pointer/), remedy: expect.any(String) },
  ]);
  const { path: tree } = await worktrees.create({ task: 'a', attempt: 1 });
  expect(filled(tree)).toEqual([false, false]);
  expect(readFileSync(path.join(tree, 'f.txt'), 'utf8')).toContain('one');
});
