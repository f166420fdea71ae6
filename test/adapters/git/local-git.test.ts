import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LocalGit } from '#adapters/git/local-git.js';
import { git, repository } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

test('describes folders: no repository, empty, bare, work tree and a folder below its top', async () => {
  const tools = new LocalGit(process.env);
  const plain = room();
  expect(await tools.describe(plain)).toEqual({ kind: 'none', top: plain });
  const empty = room();
  git(empty, 'init', '--quiet');
  expect(await tools.describe(empty)).toEqual({ kind: 'empty', top: empty });
  const bare = room();
  git(bare, 'init', '--quiet', '--bare');
  expect(await tools.describe(bare)).toEqual({ kind: 'bare', top: bare });
  const full = repository({ 'deep/a.txt': 'a' });
  const head = git(full, 'rev-parse', 'HEAD').trim();
  expect(await tools.describe(path.join(full, 'deep'))).toEqual({
    kind: 'work-tree',
    top: full,
    common: path.join(full, '.git'),
    head,
  });
  expect(await tools.describe(path.join(full, '.git'))).toEqual({ kind: 'none', top: path.join(full, '.git') });
  for (const name of ['absent', 'deep/a.txt', 'deep/a.txt/below'])
    await expect(tools.describe(path.join(full, name))).rejects.toMatchObject({ code: 'not_found' });
});

test('the commit a name stands for is told as it is now, of the repository that is there now', async () => {
  const [folder, other] = [repository({ 'a.txt': 'a' }), repository({ 'b.txt': 'b' })];
  const tools = new LocalGit(process.env);
  const head = (at: string) => git(at, 'rev-parse', 'HEAD').trim();
  const first = head(folder);
  git(folder, 'tag', '--annotate', '--message', 'one', 'v1');
  const names = ['HEAD', 'refs/heads/main', 'refs/tags/v1', first, 'absent', 'HEAD:a.txt', '--all', 'HEAD\nHEAD', ''];
  const asked = await Promise.all([...names.map((name) => tools.commit(folder, name)), tools.commit(other, 'HEAD')]);
  const none = names.slice(4).map(() => undefined);
  expect(asked).toEqual([first, first, first, first, ...none, head(other)]);
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'second');
  expect(await tools.commit(path.join(folder, '.'), 'main')).toBe(head(folder));
  git(folder, 'pack-refs', '--all');
  git(folder, 'update-ref', '-d', 'refs/tags/v1');
  expect([await tools.commit(folder, 'main'), await tools.commit(folder, 'v1')]).toEqual([head(folder), undefined]);
  rmSync(path.join(folder, '.git'), { recursive: true });
  expect(await tools.commit(folder, 'HEAD')).toBeUndefined();
  renameSync(path.join(other, '.git'), path.join(folder, '.git'));
  expect(await tools.commit(folder, 'HEAD')).toBe(head(folder));
});

test('what was described is described anew when its configuration or its repository is another', async () => {
  const folder = repository({ 'deep/a.txt': 'a' });
  const tools = new LocalGit(process.env);
  const facts = { kind: 'work-tree', top: folder, common: path.join(folder, '.git') };
  const described = async (head: string) =>
    expect(await tools.describe(path.join(folder, 'deep'))).toEqual({ ...facts, head });
  await described(git(folder, 'rev-parse', 'HEAD').trim());
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'second');
  await described(git(folder, 'rev-parse', 'HEAD').trim());
  git(folder, 'config', 'core.worktree', room());
  await expect(tools.describe(path.join(folder, 'deep'))).rejects.toMatchObject({ code: 'unsafe_path' });
  git(folder, 'config', '--unset', 'core.worktree');
  git(path.join(folder, 'deep'), 'init', '--quiet');
  expect(await tools.describe(path.join(folder, 'deep'))).toMatchObject({ kind: 'empty' });
  rmSync(path.join(folder, 'deep'), { recursive: true });
  await expect(tools.describe(path.join(folder, 'deep'))).rejects.toMatchObject({ code: 'not_found' });
});

test('an answer about commits lasts until a shallow clone is deepened, also in a worktree of it', async () => {
  const [folder, clone, tree] = [repository({ 'a.txt': 'a' }), path.join(room(), 'clone'), path.join(room(), 'tree')];
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'second');
  git(folder, 'clone', '--quiet', '--depth', '1', `file://${folder}`, clone);
  git(clone, 'worktree', 'add', '--quiet', '--detach', tree);
  const tools = new LocalGit(process.env);
  const words = ['rev-list', '--count', git(folder, 'rev-parse', 'HEAD').trim(), '--'];
  const counts = async () => [Number(await tools.lasting(clone, words)), Number(await tools.lasting(tree, words))];
  expect(await counts()).toEqual([1, 1]);
  git(clone, 'fetch', '--quiet', '--unshallow');
  expect(await counts()).toEqual([2, 2]);
});

test('a missing git and a refused command are coded errors', async () => {
  const folder = repository({});
  await expect(new LocalGit({ PATH: '/nowhere' }).commit(folder, 'HEAD')).rejects.toMatchObject({
    code: 'git_missing',
  });
  await expect(new LocalGit({ PATH: '/nowhere' }).output(folder, ['status'])).rejects.toMatchObject({
    code: 'git_missing',
  });
  await expect(new LocalGit(process.env).output(folder, ['rev-parse', 'nothing'])).rejects.toMatchObject({
    code: 'git_failed',
  });
  expect(await new LocalGit(process.env).tryOutput(folder, ['rev-parse', 'nothing'])).toBeUndefined();
  await expect(new LocalGit(process.env).output(folder, ['log'], { maxBytes: 5 })).rejects.toMatchObject({
    code: 'git_failed',
  });
});

verifies(
  'sec.git.env',
  'GIT_* of the caller, hooks, fsmonitor, filters and other programs of a hostile repository do nothing',
  async () => {
    const folder = repository({ 'a.txt': 'a', '.gitattributes': '*.txt filter=evil=1 diff=evil\n' });
    const mark = path.join(room(), 'ran');
    const program = path.join(room(), 'evil.sh');
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${mark}\ncat\n`, { mode: 0o755 });
    for (const hook of ['post-checkout', 'post-index-change', 'pre-commit', 'reference-transaction']) {
      writeFileSync(path.join(folder, '.git/hooks', hook), readFileSync(program), { mode: 0o755 });
    }
    for (const [key, value] of [
      ['core.fsmonitor', program],
      ['core.sshCommand', program],
      ['core.pager', program],
      ['core.alternateRefsCommand', program],
      ['diff.external', program],
      ['diff.evil.textconv', program],
      ['diff.evil.command', program],
      ['gpg.program', program],
      ['log.showSignature', 'true'],
      ['filter.evil=1.smudge', program],
      ['filter.evil=1.clean', program],
      ['filter.evil=1.required', 'true'],
      ['remote.origin.url', `ext::${program}`],
      ['remote.origin.promisor', 'true'],
    ] as const) {
      git(folder, 'config', key, value);
    }
    const elsewhere = repository({ 'other.txt': 'other' });
    const tools = new LocalGit({
      ...process.env,
      GIT_DIR: path.join(elsewhere, '.git'),
      GIT_WORK_TREE: elsewhere,
      GIT_EXTERNAL_DIFF: program,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.pager',
      GIT_CONFIG_VALUE_0: program,
      GIT_SSH_COMMAND: program,
    });
    expect((await tools.describe(folder)).top).toBe(folder);
    expect(await tools.output(folder, ['ls-files', '-z'])).toBe('.gitattributes\0a.txt\0');
    await tools.output(folder, ['log', '--numstat', '-z', '--no-ext-diff', '--no-textconv']);
    await expect(tools.output(folder, ['fetch', '--quiet', 'origin'])).rejects.toMatchObject({ code: 'git_failed' });
    const tree = path.join(room(), 'tree');
    await tools.addWorktree(folder, tree);
    expect(readFileSync(path.join(tree, 'a.txt'), 'utf8')).toBe('a');
    rmSync(path.join(tree, 'a.txt'));
    for (const words of [
      ['checkout-index', '--force', '--all'],
      ['add', '--renormalize', '.'],
    ])
      expect(await tools.run(tree, words), words[0]).toEqual({ code: 0, text: '', message: '' });
    expect(readFileSync(path.join(tree, 'a.txt'), 'utf8')).toBe('a');
    await tools.removeWorktree(folder, tree);
    await tools.clone(folder, path.join(room(), 'copy'));
    expect(existsSync(mark) ? readFileSync(mark, 'utf8') : '').toBe('');
  },
);

verifies('sec.git.refs', 'names that look like options, ranges or shell are data to git', async () => {
  const names = ['--upload-pack=touch x', '-n', '$(touch x).md', 'a b.md', 'line\nbreak.md', '😀.md', 'con'];
  const folder = repository(Object.fromEntries(names.map((name) => [name, 'text'])));
  const tools = new LocalGit(process.env);
  expect((await tools.output(folder, ['ls-files', '-z'])).split('\0').filter(Boolean).sort()).toEqual(
    [...names].sort(),
  );
  const odd = path.join(room(), '--upload-pack=touch\ny');
  await tools.clone(folder, odd);
  expect(await tools.describe(odd)).toMatchObject({ kind: 'work-tree', top: odd, common: path.join(odd, '.git') });
  const tree = path.join(room(), '-$(touch z)');
  await tools.addWorktree(folder, tree);
  expect(git(tree, 'status', '--porcelain')).toBe('');
  expect(git(tree, 'branch', '--show-current').trim()).toBe('');
  await tools.removeWorktree(folder, tree);
  await tools.removeWorktree(folder, tree);
  expect(existsSync(tree)).toBe(false);
  expect(git(folder, 'status', '--porcelain')).toBe('');
});

test('a repository that declares another folder to be its files is refused', async () => {
  const folder = repository({});
  git(folder, 'config', 'core.worktree', room('elsewhere'));
  await expect(new LocalGit(process.env).describe(folder)).rejects.toMatchObject({ code: 'unsafe_path' });
});
