import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { worktreeAround } from '#adapters/disk/worktree-folder.js';
import { DEFAULT_LAYOUT } from '#core/settings/layout.js';
import { findProject } from '#main/project-folder.js';
import { commitAll, git, write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { commitIn, fileAt, integrationOf, place, refused, worktreesOf } from './place.js';

const AGENTS = { ...DEFAULT_LAYOUT, branch: 'agents/{task}/try-{attempt}' };
const label = (task: string, attempt: number) => ({ task, attempt, title: task, how: 'merge' as const });

verifies(
  'tree.setup',
  'branches are called as the template says, and attempts under an earlier one are found, gone on from, merged and removed',
  async () => {
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
    expect((await after.list()).map(({ branch }) => branch)).toEqual([
      'wg/build/1',
      'agents/build/try-2',
      'wg/other/1',
    ]);

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
  },
);

verifies(
  'tree.setup',
  'a branch of a person that is named like one of an attempt is none while no template was ever used',
  async () => {
    const { folder, worktrees } = place();
    git(folder, 'branch', 'agents/build/try-2');
    expect(await worktrees.list()).toEqual([]);
    git(folder, 'update-ref', 'refs/wg/branches/{task}/{attempt}', 'HEAD');
    git(folder, 'branch', 'mine/7');
    expect(await worktrees.list()).toEqual([]);
  },
);

verifies('tree.setup', 'a branch in the way of the template is an error with the remedy', async () => {
  const { folder } = place();
  git(folder, 'branch', 'agents');
  const worktrees = worktreesOf(folder, process.env, AGENTS);
  await expect(worktrees.create({ task: 'build', attempt: 1 })).rejects.toEqual(refused('branch_in_use'));
  git(folder, 'branch', '-m', 'agents', 'other-name');
  expect((await worktrees.create({ task: 'build', attempt: 1 })).branch).toBe('agents/build/try-1');
});

const inFolder = (project: string, folder: string) => worktreesOf(project, process.env, { ...DEFAULT_LAYOUT, folder });

verifies(
  'tree.setup',
  'worktrees lie where the setting says, hidden from git, and those of an earlier setting are found, merged and removed',
  async () => {
    const { folder, worktrees: before } = place();
    const waiting = await before.create({ task: 'build', attempt: 1 });
    write(waiting.path, { 'a.txt': 'by build' });
    for (const [at, named] of [
      [path.join(folder, '.trees'), '.trees'],
      [path.join(room('outside'), 'trees'), undefined],
    ] as const) {
      const after = inFolder(folder, named ?? at);
      const task = named === undefined ? 'far' : 'near';
      const made = await after.create({ task, attempt: 1 });
      expect(made.path).toBe(path.join(at, `${task}-1`));
      expect(git(folder, 'status', '--porcelain')).toBe('');
      commitIn(made.path, { [`${task}.txt`]: task });
      expect((await after.list()).map(({ path: tree }) => tree)).toContain(waiting.path);
      expect((await after.list()).map(({ path: tree }) => tree)).toContain(made.path);
      expect((await after.stateOf({ task, attempt: 1 }))?.ahead).toBe(1);
      expect((await after.stateOf({ task: 'build', attempt: 1 }))?.dirty).toEqual(['a.txt']);
    }
    // Each setting finds what the others made, and nothing is made twice.
    const after = inFolder(folder, '.trees');
    expect((await after.create({ task: 'build', attempt: 1 })).path).toBe(waiting.path);
    for (const task of ['build', 'near', 'far']) {
      expect(await after.mergeBack(label(task, 1))).toMatchObject({ outcome: 'merged' });
      expect(await after.remove({ task, attempt: 1 })).toMatchObject({ removed: 'tree-and-branch' });
    }
    expect(fileAt(folder, integrationOf(folder), 'a.txt')).toBe('by build');
    expect(fileAt(folder, integrationOf(folder), 'far.txt')).toBe('far');
    expect(git(folder, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(await after.waiting()).toBeGreaterThan(0);
  },
);

verifies('tree.setup', 'a worktree of a person is none of an attempt, whatever it is called', async () => {
  const { folder, worktrees } = place();
  const theirs = path.join(room('theirs'), 'build-1');
  git(folder, 'worktree', 'add', '--quiet', '-b', 'wip', theirs);
  expect(await worktrees.list()).toEqual([]);
  expect((await worktrees.create({ task: 'build', attempt: 1 })).path).toBe(
    path.join(folder, '.workgraph/worktrees/build-1'),
  );
  expect(await worktrees.remove({ task: 'build', attempt: 1, force: true })).toMatchObject({
    removed: 'tree-and-branch',
  });
  expect(existsSync(theirs)).toBe(true);
});

test("tree.setup: a folder that is not the project's to use is refused where it is set and where it is used, and doctor says so", async () => {
  const { folder, worktrees } = place({ 'f.txt': 'f', 'source/a.txt': 'a' });
  const outside = room('outside');
  for (const name of ['open', 'theirs/open/trees', 'full', 'other'])
    mkdirSync(path.join(outside, name), { recursive: true });
  chmodSync(path.join(outside, 'open'), 0o777);
  chmodSync(path.join(outside, 'theirs/open'), 0o777);
  write(path.join(outside, 'full'), { 'mine.txt': 'mine' });
  write(path.join(outside, 'other'), { '.gitignore': '# Worktrees of Troupe for /srv/other\n*\n' });
  symlinkSync(path.join(folder, '.git'), path.join(outside, 'link'));
  symlinkSync(outside, path.join(folder, 'out'));
  for (const [named, reason] of [
    ['source', 'holds other files'],
    [path.join(outside, 'full'), 'holds other files'],
    [path.join(outside, 'open'), 'may be written by others'],
    [path.join(outside, 'theirs/open/trees'), 'which others may write'],
    [path.join(outside, 'other'), 'holds worktrees of /srv/other'],
    [path.dirname(folder), 'is around the project'],
    [path.join(folder, '.git/trees'), 'cannot be in .git'],
    [path.join(outside, 'link/trees'), 'cannot be in .git'],
    ['out/trees', 'is a link'],
  ] as const) {
    await expect(worktrees.refuseFolder(named), named).rejects.toThrow(reason);
    await expect(inFolder(folder, named).create({ task: 'build', attempt: 1 }), named).rejects.toThrow(reason);
  }
  const [gap] = await inFolder(folder, 'source').gaps();
  expect(gap).toMatchObject({
    text: expect.stringContaining('holds other files'),
    remedy: expect.stringContaining('worktree.folder --unset'),
  });
  expect(existsSync(path.join(folder, 'source/.gitignore'))).toBe(false);
  expect(await worktrees.list()).toEqual([]);

  const shared = path.join(outside, 'shared');
  await inFolder(folder, shared).create({ task: 'build', attempt: 1 });
  expect(readFileSync(path.join(shared, '.gitignore'), 'utf8')).toContain(folder);
  await expect(place().worktrees.refuseFolder(shared)).rejects.toThrow(`holds worktrees of ${folder}`);
});

verifies(
  'tree.setup',
  'whoever stands in a worktree elsewhere means its project, also when it holds a committed graph',
  async () => {
    const { folder } = place({ 'f.txt': 'f', '.workgraph/operations.jsonl': '', 'source/a.txt': 'a' });
    const outside = path.join(room('outside'), 'trees');
    for (const named of ['.trees', outside]) {
      const worktrees = inFolder(folder, named);
      const made = await worktrees.create({ task: 'build', attempt: named === outside ? 2 : 1 });
      for (const at of [made.path, path.join(made.path, 'source')]) {
        expect(findProject(at, undefined).project?.folder).toBe(folder);
        expect(worktreeAround(folder, at)).toBe(made.path);
      }
      await worktrees.remove({ task: 'build', attempt: named === outside ? 2 : 1 });
      expect(worktreeAround(folder, made.folder)).toBe(made.path); // a session is gone on with in the same place
    }
    for (const other of [folder, path.join(folder, 'source/a'), '/', path.join(folder, '.workgraph/agents/agent-1')])
      expect(worktreeAround(folder, other), other).toBeUndefined();
    const { folder: another } = place();
    expect(worktreeAround(another, path.join(outside, 'build-2'))).toBeUndefined();

    // A repository of its own below the same note is none of ours.
    write(path.join(outside, 'mine-1'), { 'x.txt': 'x', '.workgraph/operations.jsonl': '' });
    git(path.join(outside, 'mine-1'), 'init', '--quiet');
    commitAll(path.join(outside, 'mine-1'), 'first');
    expect(findProject(path.join(outside, 'mine-1'), undefined).project?.folder).toBe(path.join(outside, 'mine-1'));
  },
);

verifies('tree.setup', 'two projects of one repository do not take the worktrees of each other', async () => {
  const { folder } = place({ 'f.txt': 'f', 'app/a.txt': 'a' });
  const app = path.join(folder, 'app');
  mkdirSync(path.join(app, '.workgraph'));
  for (const named of ['.workgraph/worktrees', '.trees']) {
    const made = await inFolder(app, named).create({ task: `build${named.length}`, attempt: 1 });
    for (const own of ['.workgraph/worktrees', '.trees'])
      expect((await inFolder(folder, own).list()).map(({ path: tree }) => tree)).not.toContain(made.path);
  }
});
