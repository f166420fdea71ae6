import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { OUTSIDE_MARKS } from '#core/runs/outside-marks.js';
import { git, write } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { commitIn, place } from './place.js';

const ATTEMPT = { task: 'build', attempt: 1 } as const;

async function attempt() {
  const world = place({ 'f.txt': 'one\n', 'g.txt': 'g\n' });
  const made = await world.worktrees.create(ATTEMPT);
  const commit = commitIn(made.path, { 'f.txt': 'two\n', 'new/h.txt': 'h\n' });
  return { ...world, tree: made.path, commit, traces: () => world.worktrees.traces(ATTEMPT) };
}

verifies('door.branch', 'work that was landed, or stands in its worktree alone, left no traces', async () => {
  const { folder, worktrees, traces } = await attempt();
  expect(await traces()).toBeUndefined();
  write(folder, { 'g.txt': 'of a person\n', 'f.txt': 'of a person too\n', 'other.txt': 'h\n' });
  git(folder, 'stash', 'push', '--quiet', 'g.txt');
  expect(await traces(), 'what a person does meanwhile').toBeUndefined();
  git(folder, 'checkout', '--quiet', 'f.txt');
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'of a person');
  await worktrees.mergeBack({ ...ATTEMPT, how: 'merge' });
  git(folder, 'merge', '--quiet', '--no-edit', 'wg/integration');
  expect(await traces()).toBeUndefined();
  expect(await worktrees.traces({ task: 'gone', attempt: 1 })).toBeUndefined();
});

verifies(
  'door.branch',
  'commits of a run on the branch of a person are named, with what was there before',
  async () => {
    const { folder, tree, commit, traces } = await attempt();
    const before = git(folder, 'rev-parse', 'HEAD').trim();
    git(folder, 'merge', '--quiet', 'wg/build/1');
    expect(await traces()).toEqual({
      from: 'wg/build/1',
      branch: 'main',
      commits: [commit],
      before,
      files: [],
      stashes: [],
      unsettled: [],
      switched: false,
    });
    git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'of a person, on top');
    commitIn(tree, { 'more.txt': 'm\n' });
    expect(await traces()).toMatchObject({ commits: [commit], before });
    git(folder, 'reset', '--quiet', '--keep', before);
    expect(await traces(), 'went back').toBeUndefined();
  },
);

verifies('door.branch', 'files with the content of the run, and its entries of the stash, are named', async () => {
  const { folder, tree, traces } = await attempt();
  write(folder, { 'f.txt': 'two\n', 'new/h.txt': 'h\n', 'g.txt': 'of a person\n' });
  write(tree, { 'g.txt': 'stashed\n' });
  git(tree, 'stash', 'push', '--quiet', '-m', 'later');
  git(folder, 'add', 'f.txt');
  const found = await traces();
  expect(found).toMatchObject({ commits: [], files: ['f.txt', 'new/h.txt'], stashes: ['stash@{0}'] });
  expect(found).not.toHaveProperty('before');
  rmSync(path.join(folder, 'new'), { recursive: true });
  git(folder, 'stash', 'drop', '--quiet');
  expect(await traces()).toMatchObject({ files: ['f.txt'], stashes: [] });
});

verifies(
  'door.branch',
  'files that git changed before it refused the run a move, and a switch, are named',
  async () => {
    const { folder, tree, traces } = await attempt();
    const own = git(tree, 'rev-parse', '--absolute-git-dir').trim();
    write(folder, { 'g.txt': 'older\n', 'other.txt': 'new\n', '.workgraph/graph.jsonl': '' });
    git(folder, 'add', '.workgraph');
    expect(await traces(), 'of a person').toBeUndefined();
    write(own, { [`${OUTSIDE_MARKS.refused}-elsewhere`]: '' });
    expect(await traces(), 'of another checkout').toBeUndefined();
    write(own, { [`${OUTSIDE_MARKS.refused}-.git`]: '' });
    expect(await traces()).toMatchObject({ unsettled: ['g.txt'], switched: false, files: [] });
    git(folder, 'checkout', '--quiet', 'g.txt');
    expect(await traces(), 'nothing was changed').toBeUndefined();
    write(own, { [`${OUTSIDE_MARKS.switched}-.git`]: '' });
    expect(await traces()).toMatchObject({ unsettled: [], switched: true, branch: 'main' });
  },
);
