import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { git, write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { commitIn, fileAt, integrationOf, listedBy, place, refused, worktreesOf } from './place.js';

verifies('tree.create', 'an attempt gets a worktree and a branch from wg/integration, made from HEAD', async () => {
  const { folder, worktrees, own } = place();
  const before = own();
  const head = git(folder, 'rev-parse', 'HEAD').trim();
  const made = await worktrees.create({ task: 'build', attempt: 1 });
  expect(made).toEqual({
    path: path.join(folder, '.workgraph/worktrees/build-1'),
    folder: path.join(folder, '.workgraph/worktrees/build-1'),
    branch: 'wg/build/1',
    base: head,
    start: head,
    isSetUp: false,
  });
  expect(readFileSync(path.join(made.path, 'f.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
  expect(git(made.path, 'symbolic-ref', 'HEAD').trim()).toBe('refs/heads/wg/build/1');
  expect(git(made.path, 'status', '--porcelain')).toBe('');
  expect(integrationOf(folder)).toBe(head);
  expect(listedBy(folder)).toEqual(['.workgraph/worktrees/build-1']);
  expect(git(folder, 'status', '--porcelain')).toBe('');
  expect(await worktrees.create({ task: 'build', attempt: 1 })).toEqual(made);
  expect(await worktrees.stateOf({ task: 'build', attempt: 1 })).toMatchObject({
    clean: true,
    head,
    base: head,
    ahead: 0,
    dirty: [],
  });
  expect(own()).toEqual(before);
});

verifies('tree.create', 'a project below the top of its repository has its place in the worktree', async () => {
  const { folder } = place({ 'app/a.txt': 'a', 'b.txt': 'b' });
  const made = await worktreesOf(path.join(folder, 'app')).create({ task: 't', attempt: 1 });
  expect(made.path).toBe(path.join(folder, 'app/.workgraph/worktrees/t-1'));
  expect(made.folder).toBe(path.join(made.path, 'app'));
  expect(readFileSync(path.join(made.folder, 'a.txt'), 'utf8')).toBe('a');
  expect(git(folder, 'status', '--porcelain')).toBe('');
});

verifies('tree.create', 'eight attempts are made at once', async () => {
  const { folder, own } = place(
    Object.fromEntries(Array.from({ length: 60 }, (_, file) => [`d/${file}.txt`, `${file}`])),
  );
  const before = own();
  const tasks = Array.from({ length: 8 }, (_, number) => `task-${number}`);
  const made = await Promise.all(tasks.map((task) => worktreesOf(folder).create({ task, attempt: 1 })));
  expect(new Set(made.map(({ path: tree }) => tree)).size).toBe(8);
  for (const { path: tree, branch } of made) {
    expect(git(tree, 'status', '--porcelain')).toBe('');
    expect(git(tree, 'branch', '--show-current').trim()).toBe(branch);
  }
  expect(listedBy(folder)).toEqual(tasks.map((task) => `.workgraph/worktrees/${task}-1`));
  expect(own()).toEqual(before);
  const same = await Promise.all(tasks.map(() => worktreesOf(folder).create({ task: 'same', attempt: 1 })));
  expect(new Set(same.map(({ path: tree }) => tree)).size).toBe(1);
  expect(git(folder, 'worktree', 'list')).not.toContain('bench');
});

verifies(
  'tree.create',
  'a folder without a repository, without a commit or without files has no worktrees',
  async () => {
    const plain = room();
    await expect(worktreesOf(plain).create({ task: 't', attempt: 1 })).rejects.toThrow(refused('not_a_repository'));
    const empty = room();
    git(empty, 'init', '--quiet');
    await expect(worktreesOf(empty).create({ task: 't', attempt: 1 })).rejects.toThrow(refused('empty_repository'));
    const bare = room();
    git(bare, 'init', '--quiet', '--bare');
    await expect(worktreesOf(bare).create({ task: 't', attempt: 1 })).rejects.toThrow(refused('bare_repository'));
    const { worktrees } = place();
    expect(await worktrees.workplace({ isolation: 'auto', mode: 'full', follows: false })).toEqual({
      place: 'worktree',
    });
    expect(await worktrees.workplace({ isolation: 'auto', mode: 'shell', follows: false })).toEqual({
      place: 'project',
    });
    expect(await worktreesOf(empty).workplace({ isolation: 'auto', mode: 'full', follows: false })).toEqual({
      place: 'project',
    });
    expect(await worktreesOf(empty).workplace({ isolation: 'on', mode: 'full', follows: false })).toEqual({
      place: 'nowhere',
      code: 'empty_repository',
    });
    expect(await worktreesOf(plain).workplace({ isolation: 'off', mode: 'full', follows: false })).toEqual({
      place: 'project',
    });
    for (const folder of [plain, empty, bare]) expect(existsSync(path.join(folder, '.workgraph'))).toBe(false);
  },
);

test('tree.merge: work gathers on wg/integration; the person keeps files, index, HEAD and branch', async () => {
  const { folder, worktrees, own } = place();
  const before = own();
  const [first, second] = await Promise.all(['t1', 't2'].map((task) => worktrees.create({ task, attempt: 1 })));
  const base = integrationOf(folder);
  const one = commitIn(first?.path ?? '', { 'one.txt': '1' });
  commitIn(second?.path ?? '', { 'two.txt': '2' });
  const merged = await Promise.all([
    worktrees.mergeBack({ task: 't1', attempt: 1, how: 'merge', title: 'The first' }),
    worktrees.mergeBack({ task: 't2', attempt: 1, how: 'merge' }),
  ]);
  expect(merged.map(({ outcome }) => outcome)).toEqual(['merged', 'merged']);
  const tip = integrationOf(folder);
  expect([fileAt(folder, tip, 'one.txt'), fileAt(folder, tip, 'two.txt')]).toEqual(['1', '2']);
  expect(git(folder, 'log', '--first-parent', '--format=%an <%ae> %cn', `${base}..${tip}`)).toBe(
    'Troupe <troupe@localhost> Troupe\n'.repeat(2),
  );
  expect(git(folder, 'log', '--first-parent', '--format=%s', `${base}..${tip}`)).toContain('t1: The first');
  expect(git(folder, 'branch', '--contains', one, '--format=%(refname:short)').split('\n')).toContain('wg/integration');
  expect(await worktrees.mergeBack({ task: 't1', attempt: 1, how: 'merge' })).toEqual({
    outcome: 'nothing',
    commit: tip,
    before: true,
  });
  expect(await worktrees.waiting()).toBe(4);
  expect(own()).toEqual(before);
});

test('tree.merge: squashed work is one commit, taken over once; kept work stays on its branch', async () => {
  const { folder, worktrees } = place();
  const made = await worktrees.create({ task: 'many', attempt: 1 });
  commitIn(made.path, { a: '1' });
  commitIn(made.path, { a: '2' });
  const base = integrationOf(folder);
  expect(await worktrees.mergeBack({ task: 'many', attempt: 1, how: 'squash' })).toMatchObject({ outcome: 'merged' });
  const tip = integrationOf(folder);
  expect(git(folder, 'rev-list', '--count', `${base}..${tip}`).trim()).toBe('1');
  expect(fileAt(folder, tip, 'a')).toBe('2');
  expect(await worktrees.mergeBack({ task: 'many', attempt: 1, how: 'squash' })).toEqual({
    outcome: 'nothing',
    commit: tip,
    before: true,
  });
  const kept = await worktrees.create({ task: 'kept', attempt: 1 });
  commitIn(kept.path, { b: '1' });
  expect(await worktrees.mergeBack({ task: 'kept', attempt: 1, how: 'keep' })).toMatchObject({
    outcome: 'kept',
    reason: 'asked',
  });
  expect(integrationOf(folder)).toBe(tip);
  expect(await worktrees.remove({ task: 'kept', attempt: 1, branchStays: true })).toMatchObject({ removed: 'tree' });
  expect(git(folder, 'rev-parse', '--verify', 'refs/heads/wg/kept/1')).toBeTruthy();
});

verifies(
  'hold.report-way',
  'an agent whose shell cannot write to git has its work committed: all of it, nothing of ours, by no hook',
  async () => {
    const { folder, worktrees, own } = place();
    const before = own();
    const { path: tree } = await worktrees.create({ task: 'build', attempt: 1 });
    writeFileSync(path.join(folder, '.git/hooks/pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    write(tree, { 'made.txt': 'made', '.workgraph/evil': 'x' });
    const first = await worktrees.commit({ task: 'build', attempt: 1 }, 'Make it\n\n--author=evil');
    expect(first).toMatchObject({ committed: true, leftOut: [] });
    expect(git(tree, 'log', '-1', '--format=%s').trim()).toBe('Make it');
    expect(git(tree, 'ls-files').split('\n')).toEqual(['f.txt', 'made.txt', '']);
    expect(await worktrees.commit({ task: 'build', attempt: 1 }, 'Again')).toEqual({ ...first, committed: false });
    await expect(worktrees.commit({ task: 'build', attempt: 2 }, 'None')).rejects.toEqual(refused('not_found'));
    expect(own()).toEqual(before);
  },
);

test('tree.merge: what a run left uncommitted is committed to its branch first', async () => {
  const { folder, worktrees, own } = place({ 'f.txt': 'one\n', 'gone.txt': 'x', '.gitignore': '*.log\n' });
  const before = own();
  const made = await worktrees.create({ task: 'left', attempt: 1 });
  const odd = ['-n', 'a b.txt', 'line\nbreak', '😀', ':(top)x', '*.star', '--all'];
  write(made.path, {
    ...Object.fromEntries(odd.map((name) => [name, name])),
    'f.txt': 'changed\n',
    'run.log': 'noise',
  });
  git(made.path, 'rm', '--quiet', 'gone.txt');
  expect((await worktrees.stateOf({ task: 'left', attempt: 1 }))?.dirty.toSorted()).toEqual(
    [...odd, 'f.txt', 'gone.txt'].toSorted(),
  );
  const merged = await worktrees.mergeBack({ task: 'left', attempt: 1, how: 'merge' });
  expect(merged).toMatchObject({ outcome: 'merged', committed: true, leftOut: [] });
  const tip = integrationOf(folder);
  for (const name of odd) expect(fileAt(folder, tip, name)).toBe(name);
  expect(git(folder, 'ls-tree', '-r', '--name-only', '-z', tip).split('\0')).not.toContain('gone.txt');
  expect(git(folder, 'ls-tree', '-r', '--name-only', '-z', tip).split('\0')).not.toContain('run.log');
  expect(await worktrees.stateOf({ task: 'left', attempt: 1 })).toMatchObject({ clean: true, ahead: 1 });
  expect(git(made.path, 'log', '-1', '--format=%an|%s').trim()).toBe('Troupe|Commit what left left uncommitted');
  expect(own()).toEqual(before);
});

test('tree.conflict: a conflict names the files, keeps everything and leaves wg/integration alone', async () => {
  const { folder, worktrees, own } = place();
  const before = own();
  const first = await worktrees.create({ task: 't1', attempt: 1 });
  const second = await worktrees.create({ task: 't2', attempt: 1 });
  commitIn(first.path, { 'f.txt': 'ONE\ntwo\nthree\n' });
  const mine = commitIn(second.path, { 'f.txt': 'eins\ntwo\nthree\n', 'g.txt': 'g' });
  await worktrees.mergeBack({ task: 't1', attempt: 1, how: 'merge' });
  const tip = integrationOf(folder);
  for (const how of ['merge', 'squash'] as const) {
    expect(await worktrees.mergeBack({ task: 't2', attempt: 1, how })).toEqual({
      outcome: 'conflict',
      files: ['f.txt'],
      reason: 'merge conflict: f.txt',
    });
  }
  expect(integrationOf(folder)).toBe(tip);
  expect(git(folder, 'rev-parse', 'refs/heads/wg/t2/1').trim()).toBe(mine);
  expect(readFileSync(path.join(second.path, 'f.txt'), 'utf8')).toBe('eins\ntwo\nthree\n');
  expect(git(second.path, 'status', '--porcelain')).toBe('');
  expect(await worktrees.remove({ task: 't2', attempt: 1 })).toMatchObject({ removed: 'nothing', reason: 'unmerged' });
  expect(own()).toEqual(before);
  // Put right in its own worktree, it merges: that is what `approve` asks for.
  expect(() => git(second.path, 'merge', '--quiet', 'wg/integration')).toThrow();
  writeFileSync(path.join(second.path, 'f.txt'), 'both\ntwo\nthree\n');
  expect(await worktrees.mergeBack({ task: 't2', attempt: 1, how: 'merge' })).toMatchObject({
    outcome: 'kept',
    reason: 'unfinished',
  });
  git(second.path, 'add', 'f.txt');
  expect(await worktrees.mergeBack({ task: 't2', attempt: 1, how: 'merge' })).toMatchObject({
    outcome: 'merged',
    committed: true,
  });
  expect(fileAt(folder, integrationOf(folder), 'f.txt')).toBe('both\ntwo\nthree\n');
  // Sent back, the next attempt starts from the new base: `fresh`.
  const third = await worktrees.create({ task: 't2', attempt: 2, fresh: true });
  expect(third.start).toBe(integrationOf(folder));
});

test('tree.keep: what is clean and in a branch that stays may go; the list says why the rest is kept', async () => {
  const { folder, worktrees } = place();
  const [merged, dirty, ahead, idle] = await Promise.all(
    ['merged', 'dirty', 'ahead', 'idle', 'busy'].map((task) => worktrees.create({ task, attempt: 1 })),
  );
  commitIn(merged?.path ?? '', { m: 'm' });
  write(dirty?.path ?? '', { new: 'n' });
  commitIn(ahead?.path ?? '', { a: 'a' });
  await worktrees.mergeBack({ task: 'merged', attempt: 1, how: 'merge' });
  const reasons = Object.fromEntries(
    (await worktrees.list()).map(({ slug, removable, reason }) => [slug, reason ?? removable]),
  );
  expect(reasons).toEqual({ merged: true, dirty: 'uncommitted', ahead: 'unmerged', idle: true, busy: true });
  const said = (await worktrees.list()).map(({ slug, text }) => `${slug}: ${text}`);
  expect(said).toContain('dirty: 1 file is not committed: new');
  expect(said).toContain('ahead: 1 commit of it is in no other branch');
  expect(said).toContain('merged: its work is in wg/integration');
  for (const task of ['dirty', 'ahead'])
    expect(await worktrees.remove({ task, attempt: 1 })).toMatchObject({ removed: 'nothing' });
  expect(await worktrees.remove({ task: 'busy', attempt: 1, inUse: true, force: true })).toMatchObject({
    reason: 'in-use',
  });
  for (const task of ['merged', 'idle']) {
    expect(await worktrees.remove({ task, attempt: 1 })).toMatchObject({ removed: 'tree-and-branch' });
    expect(await worktrees.remove({ task, attempt: 1 })).toMatchObject({ removed: 'nothing', reason: 'absent' });
  }
  expect(listedBy(folder)).toEqual(['ahead', 'busy', 'dirty'].map((task) => `.workgraph/worktrees/${task}-1`));
  expect(git(folder, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/wg/merged', 'refs/heads/wg/idle')).toBe(
    '',
  );
  expect(existsSync(path.join(idle?.path ?? ''))).toBe(false);
});

test('tree.keep: a retry starts from unmerged work, also what was not committed; fresh from the base', async () => {
  const { folder, worktrees } = place();
  const first = await worktrees.create({ task: 't', attempt: 1 });
  commitIn(first.path, { 'done.txt': 'half' });
  write(first.path, { 'open.txt': 'not committed' });
  const second = await worktrees.create({ task: 't', attempt: 2 });
  expect(readFileSync(path.join(second.path, 'done.txt'), 'utf8')).toBe('half');
  expect(readFileSync(path.join(second.path, 'open.txt'), 'utf8')).toBe('not committed');
  expect(second.base).toBe(integrationOf(folder));
  expect(await worktrees.stateOf({ task: 't', attempt: 2 })).toMatchObject({ clean: true, ahead: 2 });
  const fresh = await worktrees.create({ task: 't', attempt: 3, fresh: true });
  expect(fresh.start).toBe(integrationOf(folder));
  expect(existsSync(path.join(fresh.path, 'done.txt'))).toBe(false);
  // The later attempt holds the work of the first: that may go, the later one may not.
  const reasons = (await worktrees.list()).map(({ attempt, reason }) => [attempt, reason]);
  expect(reasons).toEqual([
    [1, undefined],
    [2, 'unmerged'],
    [3, undefined],
  ]);
  await worktrees.mergeBack({ task: 't', attempt: 2, how: 'merge' });
  const next = await worktrees.create({ task: 't', attempt: 4 });
  expect(next.start).toBe(integrationOf(folder));
});

test('force removes what would be kept, and everything can be found again', async () => {
  const { folder, worktrees } = place();
  const made = await worktrees.create({ task: 't', attempt: 1 });
  const commit = commitIn(made.path, { 'work.txt': 'work' });
  write(made.path, { 'open.txt': 'open' });
  const removal = await worktrees.remove({ task: 't', attempt: 1, force: true });
  expect(removal).toMatchObject({ removed: 'tree-and-branch', savedAs: 'refs/wg/removed/t/1' });
  expect(existsSync(made.path)).toBe(false);
  expect(git(folder, 'merge-base', commit, 'refs/wg/removed/t/1').trim()).toBe(commit);
  expect(fileAt(folder, 'refs/wg/removed/t/1', 'open.txt')).toBe('open');
  const again = await worktrees.create({ task: 't', attempt: 1 });
  expect(again.start).toBe(integrationOf(folder));
  commitIn(again.path, { 'other.txt': 'other' });
  expect(await worktrees.remove({ task: 't', attempt: 1, force: true })).toMatchObject({
    savedAs: 'refs/wg/removed/t/1-2',
  });
});

test('what an attempt changed is told against its base, with and without its worktree', async () => {
  const { folder, worktrees } = place({ 'f.txt': 'one\ntwo\n', 'b.bin': 'a\0b' });
  const made = await worktrees.create({ task: 't', attempt: 1 });
  commitIn(made.path, { 'f.txt': 'one\nzwei\ndrei\n', 'b.bin': 'c\0d' });
  write(made.path, { 'f.txt': 'one\nzwei\n', 'new.txt': 'n' });
  expect(await worktrees.changes({ task: 't', attempt: 1 })).toMatchObject({
    branch: 'wg/t/1',
    ahead: 1,
    clean: false,
    untracked: ['new.txt'],
    changes: { total: 2, added: 1, deleted: 1, files: [{ path: 'b.bin' }, { path: 'f.txt', added: 1, deleted: 1 }] },
  });
  expect(await worktrees.attempts('t')).toEqual([1]);
  const patch = () => worktrees.patch({ task: 't', attempt: 1 }, 10_000);
  expect(await patch()).toMatch(/^-two\n\+zwei\n(?!\+drei)/m);
  expect(await worktrees.patch({ task: 't', attempt: 1 }, 20)).toHaveLength(20);
  git(folder, 'worktree', 'remove', '--force', made.path);
  expect(await worktrees.changes({ task: 't', attempt: 1 })).toMatchObject({
    changes: { total: 2, added: 2 },
    untracked: [],
  });
  expect(await patch()).toMatch(/^-two\n\+zwei\n\+drei\n/m);
  expect(await worktrees.patch({ task: 't', attempt: 2 }, 10_000)).toBe('');
  await expect(worktrees.changes({ task: 't', attempt: 2 })).rejects.toThrow(refused('not_found'));
});

verifies(
  'web.review',
  'a patch has new files, renames, one file alone, and what is new since an earlier attempt',
  async () => {
    const { folder, worktrees } = place({ 'f.txt': 'one\ntwo\nthree\nfour\n', 'ä b.txt': 'x\n' });
    git(folder, 'config', 'diff.noprefix', 'true');
    const first = await worktrees.create({ task: 't', attempt: 1 });
    git(first.path, 'mv', 'f.txt', 'g.txt');
    commitIn(first.path, { 'ä b.txt': 'y\n' });
    const second = await worktrees.create({ task: 't', attempt: 2 });
    write(second.path, {
      ...{ 'sub/new.txt': 'n\nm', 'sub/empty': '', 'b.bin': 'a\0b', 'odd"\tname': 'q\n', 'ä b.txt': 'z\n' },
    });
    symlinkSync('/etc/passwd', path.join(second.path, 'link'));
    const attempt = { task: 't', attempt: 2 };
    expect(await worktrees.changes(attempt)).toMatchObject({
      changes: {
        total: 2,
        files: [
          { path: 'g.txt', from: 'f.txt' },
          { path: 'ä b.txt', added: 1, deleted: 1 },
        ],
      },
      untracked: ['b.bin', 'link', 'odd"\tname', 'sub/empty', 'sub/new.txt'],
    });
    const patch = await worktrees.patch(attempt, 100_000);
    expect(patch).toContain('rename from f.txt\nrename to g.txt\n');
    expect(patch).toContain('--- a/ä b.txt\t\n+++ b/ä b.txt\t\n@@ -1 +1 @@\n-x\n+z\n');
    expect(patch).toContain('+++ b/sub/new.txt\n@@ -0,0 +1,2 @@\n+n\n+m\n\\ No newline at end of file\n');
    expect(patch).toContain('Binary files /dev/null and b/b.bin differ');
    expect(patch).toContain('new file mode 120000\n--- /dev/null\n+++ b/link\n@@ -0,0 +1,1 @@\n+/etc/passwd\n');
    expect(patch).toContain('+++ "b/odd\\"\\tname"');
    const bytes = Buffer.byteLength(patch) - 5;
    expect(Buffer.byteLength(await worktrees.patch(attempt, bytes))).toBe(bytes);
    // Only what git lists as new is read: no other path, and nothing outside of the worktree.
    expect(await worktrees.patch(attempt, 9_000, { paths: ['../../../f.txt', '/etc/passwd', '.git'] })).toBe('');
    expect(await worktrees.patch(attempt, 9_000, { paths: ['sub/new.txt'] })).toMatch(/^diff --git a\/sub\/new\.txt/);
    expect(await worktrees.changes(attempt, { since: 1 })).toMatchObject({ ahead: 0, changes: { total: 1, added: 1 } });
    expect(await worktrees.patch(attempt, 9_000, { since: 1 })).toMatch(/^-y\n\+z\n/m);
    await expect(worktrees.changes(attempt, { since: 7 })).rejects.toThrow(refused('not_found'));
    const merged = await worktrees.mergeBack({ ...attempt, how: 'merge', title: 'T' });
    const commit = 'commit' in merged ? merged.commit : '';
    expect(await worktrees.changesOf(commit)).toMatchObject({ commit, changes: { total: 7 } });
    expect(await worktrees.patchOf(commit, 9_000, ['ä b.txt'])).toMatch(/^-x\n\+z\n/m);
    expect(await worktrees.changesOf('0'.repeat(40))).toBeUndefined();
  },
);

test('what is tried begins at its own commit, may be written to, and is never merged', async () => {
  const { folder, worktrees, own } = place();
  const first = git(folder, 'rev-parse', 'HEAD').trim();
  commitIn(folder, { 'f.txt': 'later\n' });
  const before = own();
  const trial = { task: '.trial-a', attempt: 1 };
  const made = await worktrees.create({ ...trial, from: first });
  expect(made).toMatchObject({ base: first, start: first });
  expect(readFileSync(path.join(made.path, 'f.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
  write(made.path, { 'f.txt': 'tried\n', 'new.txt': 'new\n' });
  expect(await worktrees.commit(trial, 'try it')).toMatchObject({ committed: true });
  expect(await worktrees.patch(trial, 10_000)).toContain('+new');
  expect(await worktrees.mergeBack({ ...trial, how: 'merge', title: 'T' })).toMatchObject({ outcome: 'nothing' });
  expect(await worktrees.remove(trial)).toMatchObject({ removed: 'tree-and-branch' });
  expect(git(folder, 'for-each-ref', 'refs/heads/wg', 'refs/wg', '--format=%(refname)').trim()).toBe('');
  expect(existsSync(made.path)).toBe(false);
  expect(own()).toEqual(before);
  await expect(worktrees.create({ task: '.trial-b', attempt: 1, from: '0'.repeat(40) })).rejects.toThrow(
    refused('not_found'),
  );
});
