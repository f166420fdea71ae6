import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { taskSlug } from '#core/runs/names.js';
import type { TroupeError } from '#kernel/errors.js';
import { mass } from '../../mass.js';
import { commitAll, git, repository, write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { commitIn, fileAt, integrationOf, listedBy, place, refused, worktreesOf } from './place.js';

/** A program that tells when it was run, and hands its input on. */
function trap(): { program: string; ran: () => string } {
  const mark = path.join(room('trap'), 'ran');
  const program = path.join(room('trap'), 'evil.sh');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${mark}\necho evil > evil.txt\ncat\n`, { mode: 0o755 });
  return { program, ran: () => (existsSync(mark) ? readFileSync(mark, 'utf8') : '') };
}

const HOOKS = [
  ...['post-checkout', 'post-index-change', 'pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'],
  ...['pre-merge-commit', 'post-merge', 'reference-transaction', 'post-rewrite', 'pre-auto-gc', 'pre-applypatch'],
];

verifies(
  ['sec.git.env', 'tree.create'],
  'nothing a repository configures or brings along runs while worktrees are made, merged, landed and removed',
  async () => {
    const { program, ran } = trap();
    const { folder, worktrees } = place({
      'f.txt': 'one\ntwo\nthree\n',
      'm.txt': 'a\nb\nc\n',
      '.gitattributes': '*.txt diff=evil\nf.txt filter=evil\nm.txt merge=evil\n',
    });
    for (const hook of HOOKS)
      writeFileSync(path.join(folder, '.git/hooks', hook), readFileSync(program), { mode: 0o755 });
    for (const [key, value] of [
      ['core.hooksPath', path.join(folder, '.git/hooks')],
      ['core.fsmonitor', program],
      ['core.editor', program],
      ['core.pager', program],
      ['sequence.editor', program],
      ['diff.external', program],
      ['diff.evil.textconv', program],
      ['diff.evil.command', program],
      ['gpg.program', program],
      ['commit.gpgSign', 'true'],
      ['filter.evil.smudge', program],
      ['filter.evil.clean', program],
      ['filter.evil.process', program],
      ['filter.evil.required', 'true'],
      ['merge.evil.driver', `${program} %O %A %B`],
      ['merge.default', 'evil'],
      ['pull.twohead', 'evil'],
      ['rerere.enabled', 'true'],
      ['user.name', 'Somebody Else'],
      ['user.useConfigOnly', 'true'],
    ] as const) {
      git(folder, 'config', key, value);
    }
    const elsewhere = repository({ 'other.txt': 'other' });
    const hostile = worktreesOf(folder, {
      ...process.env,
      GIT_DIR: path.join(elsewhere, '.git'),
      GIT_WORK_TREE: elsewhere,
      GIT_INDEX_FILE: path.join(room(), 'index'),
      GIT_AUTHOR_NAME: 'Mallory',
      GIT_EXTERNAL_DIFF: program,
      GIT_EDITOR: program,
    });
    const made = await hostile.create({ task: 't', attempt: 1 });
    const other = await hostile.create({ task: 'u', attempt: 1 });
    // By hand, because the agents' own git is not ours to tame.
    write(made.path, { 'f.txt': 'one\ntwo\nTHREE\n', 'm.txt': 'A\nb\nc\n', 'new.txt': 'new' });
    write(other.path, { 'm.txt': 'a\nb\nC\n' });
    expect(await hostile.mergeBack({ task: 't', attempt: 1, how: 'merge' })).toMatchObject({
      outcome: 'merged',
      committed: true,
    });
    expect(await hostile.mergeBack({ task: 'u', attempt: 1, how: 'merge' })).toMatchObject({ outcome: 'merged' });
    const tip = integrationOf(folder);
    expect(fileAt(folder, tip, 'm.txt')).toBe('A\nb\nC\n');
    expect(git(folder, '-c', 'log.showSignature=false', 'log', '--format=%an', `main..${tip}`)).toBe(
      'Troupe\n'.repeat(4),
    );
    await hostile.list();
    await hostile.changes({ task: 't', attempt: 1 });
    const landing = await hostile.landing();
    // A filter a person configured may be one they need, so files that go through it are theirs to take over.
    expect(landing.obstacle).toMatchObject({ code: 'needs_filter' });
    git(folder, 'config', '--remove-section', 'filter.evil');
    await hostile.land(landing.to);
    expect(await hostile.remove({ task: 't', attempt: 1 })).toMatchObject({ removed: 'tree-and-branch' });
    const last = await worktrees.create({ task: 'last', attempt: 1 });
    write(last.path, { x: 'x' });
    await worktrees.remove({ task: 'last', attempt: 1, force: true });
    expect(ran()).toBe('');
    expect(existsSync(path.join(folder, 'evil.txt'))).toBe(false);
    expect(git(elsewhere, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\n');
  },
);

verifies(
  ['sec.tree.links', 'tree.create'],
  'a link in the path of a worktree, also a committed one, or anything else in its place is refused',
  async () => {
    const outside = room('outside');
    for (const make of [
      (folder: string) => symlinkSync(outside, path.join(folder, '.workgraph')),
      (folder: string) => {
        mkdirSync(path.join(folder, '.workgraph'));
        symlinkSync(outside, path.join(folder, '.workgraph/worktrees'));
      },
      (folder: string) => {
        mkdirSync(path.join(folder, '.workgraph/worktrees'), { recursive: true });
        symlinkSync(outside, path.join(folder, '.workgraph/worktrees/t-1'));
      },
      (folder: string) => {
        mkdirSync(path.join(folder, '.workgraph'));
        symlinkSync(outside, path.join(folder, '.workgraph/worktrees'));
        commitAll(folder, 'a link');
      },
      (folder: string) => write(folder, { '.workgraph/worktrees': 'a file' }),
      (folder: string) => {
        mkdirSync(path.join(folder, '.workgraph/worktrees'), { recursive: true });
        symlinkSync(path.join(outside, 'ignore'), path.join(folder, '.workgraph/worktrees/.gitignore'));
      },
    ]) {
      const folder = repository({ 'a.txt': 'a' });
      make(folder);
      const worktrees = worktreesOf(folder);
      await expect(worktrees.create({ task: 't', attempt: 1 }), make.toString()).rejects.toThrow(
        refused('unsafe_worktree'),
      );
      expect(readdirSync(outside)).toEqual([]);
      expect(git(folder, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    }
    const { folder, worktrees } = place();
    await worktrees.create({ task: 'first', attempt: 1 });
    write(folder, { '.workgraph/worktrees/t-1/mine.txt': 'mine' });
    await expect(worktrees.create({ task: 't', attempt: 1 })).rejects.toThrow(refused('unsafe_worktree'));
    expect(await worktrees.remove({ task: 't', attempt: 1, force: true })).toMatchObject({
      removed: 'nothing',
      reason: 'foreign',
    });
    expect(readFileSync(path.join(folder, '.workgraph/worktrees/t-1/mine.txt'), 'utf8')).toBe('mine');
  },
);

verifies(
  ['sec.names', 'sec.git.refs', 'tree.create', 'graph.task.id-form'],
  'whatever a task is called, its worktree lies where it belongs and its branch is only its own',
  async () => {
    const ofEachKind = [
      ...['../x', '-x', 'a.lock', 'Foo', 'foo', 'integration', '--upload-pack=touch y', '$(touch pwned)'],
      ...['line\nbreak', '\u202eabc', 'nul\0byte', 'e\u0301', 'é', 'x'.repeat(300), 'HEAD', ''],
    ];
    const others = [
      ...['.lock', 'FOO', 'con', '..', '.', '/etc/passwd', '`id`', 'a;b', 'a\u3000b', 'x@{1}', 'x^', '😀', 'ü'],
      ...['.verify-flip-X', 'a b', 'refs/heads/main', 'main'],
    ];
    const slugs = [...ofEachKind, ...others].map((id) => taskSlug(id).toLowerCase());
    expect(new Set(slugs).size).toBe(ofEachKind.length + others.length);
    const ids = [...ofEachKind, ...others.slice(0, mass(0, others.length))];
    const { folder, worktrees, own } = place();
    const before = own();
    const made = [];
    for (const task of ids) made.push(await worktrees.create({ task, attempt: 1 }));
    expect(new Set(made.map(({ path: tree }) => tree.toLowerCase())).size).toBe(ids.length);
    expect(new Set(made.map(({ branch }) => branch.toLowerCase())).size).toBe(ids.length);
    for (const [index, { path: tree, branch }] of made.entries()) {
      expect(path.dirname(tree)).toBe(path.join(folder, '.workgraph/worktrees'));
      expect(git(tree, 'branch', '--show-current').trim()).toBe(branch);
      commitIn(tree, { [`${index}.txt`]: 'x' });
    }
    for (const task of ids.slice(0, 4))
      expect(await worktrees.mergeBack({ task, attempt: 1, how: 'merge', title: task })).toMatchObject({
        outcome: 'merged',
      });
    for (const attempt of [0, -1, 1.5, Number.NaN, 1e12])
      await expect(worktrees.create({ task: 't', attempt })).rejects.toThrow(refused('unsafe_worktree'));
    expect(readdirSync(folder).sort()).toEqual(['.git', '.workgraph', 'f.txt']);
    expect((await worktrees.list()).map(({ slug }) => slug).toSorted()).toEqual(ids.map(taskSlug).toSorted());
    expect(own()).toEqual(before);
  },
);

test('tree.merge: submodules and repositories in a worktree are left alone, and it is said', async () => {
  const library = repository({ 'lib.txt': 'lib' });
  const { folder, worktrees } = place();
  git(folder, '-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', library, 'lib');
  git(folder, 'commit', '--quiet', '-m', 'a submodule');
  const made = await worktrees.create({ task: 't', attempt: 1 });
  expect(readdirSync(path.join(made.path, 'lib'))).toEqual(['.git', 'lib.txt']);
  git(room(), 'init', '--quiet', path.join(made.path, 'nested'));
  commitAll(path.join(made.path, 'nested'), 'its own');
  write(made.path, { 'work.txt': 'work' });
  expect(await worktrees.mergeBack({ task: 't', attempt: 1, how: 'merge' })).toMatchObject({
    outcome: 'merged',
    committed: true,
    leftOut: ['nested'],
  });
  expect(git(folder, 'ls-tree', '--name-only', integrationOf(folder)).split('\n')).not.toContain('nested');
  expect(await worktrees.remove({ task: 't', attempt: 1 })).toMatchObject({
    removed: 'nothing',
    reason: 'uncommitted',
  });
  expect(await worktrees.remove({ task: 't', attempt: 1, force: true })).toMatchObject({ removed: 'nothing' });
  expect(existsSync(path.join(made.path, 'nested/.git'))).toBe(true);
  const clean = await worktrees.create({ task: 'clean', attempt: 1 });
  expect(await worktrees.remove({ task: 'clean', attempt: 1 })).toMatchObject({ removed: 'tree-and-branch' });
  expect(existsSync(clean.path)).toBe(false);
  git(folder, 'submodule', 'deinit', '--quiet', '--force', 'lib');
  const fetched = await worktrees.create({ task: 'fetched', attempt: 1 });
  git(fetched.path, '-c', 'protocol.file.allow=always', 'submodule', 'update', '--quiet', '--init');
  expect(await worktrees.remove({ task: 'fetched', attempt: 1, force: true })).toMatchObject({ reason: 'submodules' });
});

test('tree.merge: what an attempt writes below .workgraph never comes back, also not by a commit', async () => {
  const { folder, worktrees } = place({ 'f.txt': 'f', '.workgraph/graph.jsonl': 'tracked\n' });
  const made = await worktrees.create({ task: 't', attempt: 1 });
  commitIn(made.path, {
    '.workgraph/graph.jsonl': '{"exec":"evil"}\n',
    '.workgraph/functions/evil.yaml': 'x',
    'a.txt': 'a',
  });
  write(made.path, { '.workgraph/operations.jsonl': 'evil', 'b.txt': 'b' });
  expect(await worktrees.mergeBack({ task: 't', attempt: 1, how: 'merge' })).toMatchObject({
    outcome: 'merged',
    leftOut: ['.workgraph/functions/evil.yaml', '.workgraph/graph.jsonl'],
  });
  const tip = integrationOf(folder);
  expect(git(folder, 'diff', '--name-only', 'main', tip)).toBe('a.txt\nb.txt\n');
  expect(fileAt(folder, tip, '.workgraph/graph.jsonl')).toBe('tracked\n');
});

test('branches in the way, other names of branches and branches checked out elsewhere are refused', async () => {
  const blocked = place();
  git(blocked.folder, 'branch', 'wg');
  await expect(blocked.worktrees.create({ task: 't', attempt: 1 })).rejects.toThrow(refused('branch_in_use'));
  const aliased = place();
  git(aliased.folder, 'symbolic-ref', 'refs/heads/wg/integration', 'refs/heads/main');
  await expect(aliased.worktrees.create({ task: 't', attempt: 1 })).rejects.toThrow(refused('unsafe_worktree'));
  git(aliased.folder, 'symbolic-ref', '--delete', 'refs/heads/wg/integration');
  git(aliased.folder, 'symbolic-ref', 'refs/heads/wg/t/1', 'refs/heads/main');
  await expect(aliased.worktrees.create({ task: 't', attempt: 1 })).rejects.toThrow(refused('unsafe_worktree'));
  const { folder, worktrees } = place();
  const made = await worktrees.create({ task: 't', attempt: 1 });
  // Another project of the same repository, with a task of the same name, has to work in a clone.
  const [second, clone] = [path.join(room(), 'second'), path.join(room(), 'clone')];
  git(folder, 'worktree', 'add', '--quiet', '--detach', second);
  const shared = await worktreesOf(second)
    .create({ task: 't', attempt: 1 })
    .catch((error: TroupeError) => error);
  const hint = `on a task of that name. Work in a clone here: \`git clone ${folder} FOLDER\`.`;
  expect(shared).toMatchObject({ code: 'branch_in_use', hint: expect.stringContaining(hint) });
  git(folder, 'clone', '--quiet', folder, clone);
  expect((await worktreesOf(clone).create({ task: 't', attempt: 1 })).branch).toBe('wg/t/1');
  git(folder, 'worktree', 'remove', '--force', second);
  commitIn(made.path, { a: 'a' });
  git(folder, 'switch', '--quiet', 'wg/integration');
  const head = git(folder, 'rev-parse', 'HEAD');
  await expect(worktrees.mergeBack({ task: 't', attempt: 1, how: 'merge' })).rejects.toThrow(refused('branch_in_use'));
  expect(git(folder, 'rev-parse', 'HEAD')).toBe(head);
  expect(git(folder, 'status', '--porcelain')).toBe('');
  git(folder, 'switch', '--quiet', 'main');
  expect(await worktrees.mergeBack({ task: 't', attempt: 1, how: 'merge' })).toMatchObject({ outcome: 'merged' });
});

verifies(
  ['sec.tree.links', 'tree.create'],
  'a worktree that was made to point elsewhere is never worked in',
  async () => {
    const { folder, worktrees, own } = place();
    const [made, victim] = [
      await worktrees.create({ task: 't', attempt: 1 }),
      await worktrees.create({ task: 'v', attempt: 1 }),
    ];
    const before = own();
    const victims = git(victim.path, 'rev-parse', '--absolute-git-dir').trim();
    const elsewhere = repository({ 'other.txt': 'other' });
    for (const target of [path.join(folder, '.git'), victims, path.join(elsewhere, '.git'), '/nowhere']) {
      writeFileSync(path.join(made.path, '.git'), `gitdir: ${target}\n`);
      write(made.path, { 'evil.txt': 'evil' });
      const call = { task: 't', attempt: 1 };
      await expect(worktrees.mergeBack({ ...call, how: 'merge' }), target).rejects.toThrow(refused('unsafe_worktree'));
      await expect(worktrees.create(call), target).rejects.toThrow(refused('unsafe_worktree'));
      expect(await worktrees.stateOf(call), target).toBeUndefined();
      expect(await worktrees.remove({ ...call, force: true })).toMatchObject({ removed: 'nothing', reason: 'foreign' });
      expect((await worktrees.list()).map(({ slug, reason }) => [slug, reason])).toEqual([
        ['t', 'foreign'],
        ['v', undefined],
      ]);
      await worktrees.create({ task: 't', attempt: 2, fresh: true });
      await worktrees.remove({ task: 't', attempt: 2 });
      expect(own()).toEqual(before);
      expect(git(victim.path, 'status', '--porcelain', '--branch').trim()).toBe('## wg/v/1');
    }
  },
);

test('an attempt that left its branch: forward is taken, anything else is kept', async () => {
  const { folder, worktrees } = place();
  const made = await worktrees.create({ task: 't', attempt: 1 });
  commitIn(made.path, { a: 'a' });
  git(made.path, 'switch', '--quiet', '--create', 'my-own');
  commitIn(made.path, { b: 'b' });
  expect(await worktrees.mergeBack({ task: 't', attempt: 1, how: 'merge' })).toMatchObject({ outcome: 'merged' });
  expect(fileAt(folder, integrationOf(folder), 'b')).toBe('b');
  const lost = await worktrees.create({ task: 'lost', attempt: 1 });
  commitIn(lost.path, { c: 'c' });
  git(lost.path, 'checkout', '--quiet', '--detach', 'main');
  commitIn(lost.path, { d: 'd' });
  expect(await worktrees.mergeBack({ task: 'lost', attempt: 1, how: 'merge' })).toMatchObject({
    outcome: 'kept',
    reason: 'moved',
  });
  expect(await worktrees.remove({ task: 'lost', attempt: 1, force: true })).toMatchObject({
    removed: 'nothing',
    reason: 'foreign',
  });
  const apart = await worktrees.create({ task: 'apart', attempt: 1 });
  git(apart.path, 'checkout', '--quiet', '--orphan', 'nothing-in-common');
  commitIn(apart.path, { e: 'e' });
  expect(await worktrees.mergeBack({ task: 'apart', attempt: 1, how: 'merge' })).toMatchObject({ outcome: 'kept' });
  expect(listedBy(folder)).toHaveLength(3);
});

test('a lock that a killed git left in a worktree is cleared; a branch left over from earlier is not fallen back to', async () => {
  const { folder, worktrees } = place();
  const made = await worktrees.create({ task: 't', attempt: 1 });
  write(made.path, { a: 'a' });
  writeFileSync(path.join(git(made.path, 'rev-parse', '--absolute-git-dir').trim(), 'index.lock'), '');
  expect(await worktrees.mergeBack({ task: 't', attempt: 1, how: 'merge' })).toMatchObject({ outcome: 'merged' });
  git(folder, 'branch', 'wg/old/1', 'main');
  const old = await worktrees.create({ task: 'old', attempt: 1 });
  expect(old.start).toBe(integrationOf(folder));
});
