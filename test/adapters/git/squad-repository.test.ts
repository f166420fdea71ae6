import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SquadRepository } from '#adapters/git/squad-repository.js';
import { commitAll, git, repository, write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const coded = (code: string) => expect.objectContaining({ code });
const BASE = { '.squad/team.md': '# Team\n', '.squad/decisions.md': 'none\n', 'src/a.ts': 'a\n' };

/** A repository that knows who commits, and the port over it. */
function prepared(files: Readonly<Record<string, string>> = BASE) {
  const folder = repository(files);
  git(folder, 'config', 'user.name', 'Ann');
  git(folder, 'config', 'user.email', 'ann@example.org');
  return { folder, squad: new SquadRepository(folder, process.env) };
}

/** A hook of the repository: a shell script. */
function hook(folder: string, name: string, script: string): void {
  writeFileSync(path.join(folder, '.git/hooks', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

const committed = (folder: string, commit = 'HEAD') =>
  git(folder, 'show', '--no-renames', '--name-status', '--format=', '-z', commit).split('\0').filter(Boolean);
const objects = (folder: string) => readdirSync(path.join(folder, '.git/objects'), { recursive: true }).length;

verifies(
  'sync.status',
  'tree and index of .squad against HEAD, whatever the names; nothing else; nothing is written',
  async () => {
    const { folder, squad } = prepared();
    expect(await squad.status()).toEqual({ changes: [], hash: '' });
    write(folder, {
      '.squad/team.md': '# Team of two\n',
      '.squad/agents/a b/charter\nof two.md': 'x\n',
      '.squad/-dash *.md': 'x\n',
      '.squad/log/one.md': 'ignored\n',
      '.squad/log/two.md': 'ignored, but added\n',
      '.gitignore': '.squad/log/\n',
      'src/a.ts': 'changed\n',
      'new.ts': 'new\n',
      '.agentweaver/context/patterns.md': 'new\n',
    });
    rmSync(path.join(folder, '.squad/decisions.md'));
    git(folder, 'add', '--force', '.squad/log/two.md', 'new.ts', '.agentweaver');
    const before = objects(folder);
    const index = readFileSync(path.join(folder, '.git/index'));
    expect((await squad.status()).changes).toEqual([
      { path: '.squad/-dash *.md', kind: 'added' },
      { path: '.squad/agents/a b/charter\nof two.md', kind: 'added' },
      { path: '.squad/decisions.md', kind: 'deleted' },
      { path: '.squad/log/two.md', kind: 'added' },
      { path: '.squad/team.md', kind: 'modified' },
    ]);
    const { text } = await squad.difference();
    expect(text).toContain('+# Team of two');
    expect(text).not.toContain('new.ts');
    expect(objects(folder)).toBe(before);
    expect(readFileSync(path.join(folder, '.git/index')).equals(index)).toBe(true);
  },
);

verifies(
  ['sync.status', 'sync.commit'],
  'only the project’s own .squad counts where the project lies below the top',
  async () => {
    const { folder } = prepared({ ...BASE, 'part é/.squad/team.md': 'inner\n' });
    const inner = new SquadRepository(path.join(folder, 'part é'), process.env);
    write(folder, { '.squad/team.md': 'outer\n', 'part é/.squad/team.md': 'changed\n' });
    const { changes, hash } = await inner.status();
    expect(changes).toEqual([{ path: '.squad/team.md', kind: 'modified' }]);
    await inner.commit(hash, 'inner');
    expect(committed(folder)).toEqual(['M', 'part é/.squad/team.md']);
  },
);

verifies('sync.hash', 'kind, path, mode and digest of the bytes, in byte order, each ended by NUL', async () => {
  const { folder, squad } = prepared();
  const digest = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
  const binary = Buffer.from([0, 255, 10, 13, 200]);
  write(folder, { '.squad/Z.md': 'z', '.squad/é.md': 'e' });
  writeFileSync(path.join(folder, '.squad/bin'), binary, { mode: 0o755 });
  rmSync(path.join(folder, '.squad/team.md'));
  const rows = [
    ['added', '.squad/Z.md', '100644', digest('z')],
    ['added', '.squad/bin', '100755', digest(binary)],
    ['deleted', '.squad/team.md', '000000', '-'],
    ['added', '.squad/é.md', '100644', digest('e')],
  ];
  const { hash } = await squad.status();
  expect(hash).toBe(digest(rows.map((row) => row.map((part) => `${part}\0`).join('')).join('')));
  expect((await squad.status()).hash).toBe(hash);
  write(folder, { '.squad/Z.md': 'Z' });
  expect((await squad.status()).hash).not.toBe(hash);
});

verifies(['sync.commit', 'sync.index'], 'just the team is committed; what else is staged stays staged', async () => {
  const { folder, squad } = prepared();
  write(folder, {
    '.squad/team.md': 'two\n',
    'src/a.ts': 'staged\n',
    'src/b.ts': 'new\n',
    '.agentweaver/context/x.md': 'x',
  });
  git(folder, 'add', 'src', '.agentweaver');
  write(folder, { 'src/a.ts': 'staged and changed again\n', '.squad/decisions.md': 'staged, then taken back\n' });
  git(folder, 'add', '.squad/decisions.md');
  write(folder, { '.squad/decisions.md': 'none\n' });
  git(folder, 'mv', '.squad/team.md', '.squad/the team.md');
  const { hash, changes } = await squad.status();
  expect(changes.map(({ kind }) => kind)).toEqual(['deleted', 'added']);
  const { commit } = await squad.commit(hash, '  Two of us\n\nand why');
  expect(git(folder, 'rev-parse', 'HEAD').trim()).toBe(commit);
  expect(git(folder, 'log', '-1', '--format=%an %ce%n%B').trim()).toBe('Ann ann@example.org\nTwo of us\n\nand why');
  expect(committed(folder)).toEqual(['D', '.squad/team.md', 'A', '.squad/the team.md']);
  expect(git(folder, 'status', '--porcelain').split('\n').filter(Boolean)).toEqual([
    'A  .agentweaver/context/x.md',
    'MM src/a.ts',
    'A  src/b.ts',
  ]);
  expect(git(folder, 'show', ':src/a.ts')).toBe('staged\n');
  expect(await squad.status()).toEqual({ changes: [], hash: '' });
  git(folder, 'fsck', '--strict');
});

verifies('sync.commit', 'what changed after it was looked at is not committed', async () => {
  const { folder, squad } = prepared();
  write(folder, { '.squad/team.md': 'two\n' });
  const { hash } = await squad.status();
  write(folder, { '.squad/team.md': 'three\n' });
  const head = git(folder, 'rev-parse', 'HEAD');
  await expect(squad.commit(hash, 'm')).rejects.toThrow(coded('sync_state_changed'));
  await expect(squad.commit('', 'm')).rejects.toThrow(coded('sync_state_changed'));
  expect(git(folder, 'rev-parse', 'HEAD')).toBe(head);
  expect(existsSync(path.join(folder, '.git/index.lock'))).toBe(false);
});

verifies('sync.commit', 'hooks run, may refuse and may word the message, and can bring nothing in', async () => {
  const { folder, squad } = prepared();
  write(folder, { '.squad/team.md': 'two\n', 'secret.env': 'key\n' });
  git(folder, 'add', 'secret.env');
  const head = git(folder, 'rev-parse', 'HEAD');
  const { hash } = await squad.status();
  const refused = async (code: string) => {
    await expect(squad.commit(hash, 'm')).rejects.toThrow(coded(code));
    expect(git(folder, 'rev-parse', 'HEAD')).toBe(head);
    expect(git(folder, 'diff', '--cached', '--name-only').trim()).toBe('secret.env');
  };
  hook(folder, 'pre-commit', 'echo "no \x1b[31mteams\x1b[0m on Sundays" >&2; exit 1');
  await refused('sync_unavailable');
  hook(folder, 'pre-commit', 'git add secret.env');
  await refused('sync_state_changed');
  hook(folder, 'pre-commit', 'echo four > .squad/team.md; git add .squad');
  await refused('sync_state_changed');
  write(folder, { '.squad/team.md': 'two\n' });
  hook(folder, 'pre-commit', 'git rm --cached --quiet src/a.ts');
  await refused('sync_state_changed');
  hook(folder, 'pre-commit', 'git -c core.hooksPath=/dev/null commit --quiet --allow-empty -m sneaked');
  await expect(squad.commit(hash, 'm')).rejects.toThrow(coded('sync_state_changed'));
  git(folder, 'reset', '--quiet', '--soft', head.trim());
  git(folder, 'reset', '--quiet', '--', '.squad');
  hook(folder, 'pre-commit', 'git diff --cached --name-only > seen');
  hook(folder, 'commit-msg', 'echo "Reviewed-by: hook" >> "$1"; git add secret.env');
  hook(folder, 'post-commit', 'touch after; exit 3');
  await squad.commit(hash, 'Two');
  expect(readFileSync(path.join(folder, 'seen'), 'utf8')).toBe('.squad/team.md\n');
  expect(git(folder, 'log', '-1', '--format=%B').trim()).toBe('Two\nReviewed-by: hook');
  expect(committed(folder)).toEqual(['M', '.squad/team.md']);
  expect(existsSync(path.join(folder, 'after'))).toBe(true);
});

verifies('sync.refuse', 'nothing changed, no repository, anything open, another git at work', async () => {
  const { folder, squad } = prepared();
  await expect(squad.commit('', 'm')).rejects.toThrow(coded('nothing_to_sync'));
  await expect(new SquadRepository(room(), process.env).status()).rejects.toThrow(coded('sync_unavailable'));
  git(folder, 'switch', '--quiet', '-c', 'other');
  write(folder, { 'src/a.ts': 'other\n' });
  commitAll(folder, 'other');
  git(folder, 'switch', '--quiet', 'main');
  write(folder, { 'src/a.ts': 'mine\n' });
  commitAll(folder, 'mine');
  for (const [open, abort] of [
    [
      ['merge', 'other'],
      ['merge', '--abort'],
    ],
    [
      ['rebase', 'other'],
      ['rebase', '--abort'],
    ],
    [
      ['cherry-pick', 'other'],
      ['cherry-pick', '--abort'],
    ],
  ] as const) {
    expect(() => git(folder, ...open)).toThrow();
    await expect(squad.status(), open[0]).rejects.toThrow(coded('sync_unavailable'));
    await expect(squad.commit('', 'm'), open[0]).rejects.toThrow(coded('sync_unavailable'));
    git(folder, ...abort);
  }
  write(folder, { '.squad/team.md': 'two\n' });
  const { hash } = await squad.status();
  writeFileSync(path.join(folder, '.git/index.lock'), '');
  await expect(squad.commit(hash, 'm')).rejects.toThrow(coded('sync_unavailable'));
  expect(existsSync(path.join(folder, '.git/index.lock'))).toBe(true);
  rmSync(path.join(folder, '.git/index.lock'));
  write(folder, { '.gitattributes': '.squad/** filter=crypt\n' });
  await expect(squad.commit(hash, 'm')).rejects.toMatchObject({
    ...{ code: 'sync_unavailable', message: '.squad/team.md passes through the filter crypt.' },
  });
  write(folder, { '.gitattributes': '.squad/** filter\n' });
  await squad.commit(hash, 'm');
});

test('before the first commit, without a branch, and where the team is gone', async () => {
  const folder = room('unborn');
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'config', 'user.name', 'Ann');
  git(folder, 'config', 'user.email', 'ann@example.org');
  write(folder, { '.squad/team.md': 'one\n', 'a.ts': 'a\n' });
  git(folder, 'add', 'a.ts');
  const squad = new SquadRepository(folder, process.env);
  await squad.commit((await squad.status()).hash, 'First');
  expect(git(folder, 'log', '--format=%s %D').trim()).toBe('First HEAD -> main');
  expect(git(folder, 'status', '--porcelain').trim()).toBe('A  a.ts');
  git(folder, 'switch', '--quiet', '--detach');
  renameSync(path.join(folder, '.squad'), path.join(folder, 'away'));
  const gone = await squad.status();
  expect(gone.changes).toEqual([{ path: '.squad/team.md', kind: 'deleted' }]);
  await squad.commit(gone.hash, 'Gone');
  expect(git(folder, 'log', '-1', '--format=%s', 'HEAD').trim()).toBe('Gone');
  expect(git(folder, 'log', '-1', '--format=%s', 'main').trim()).toBe('First');
});

test('a repository whose ids are longer, before it has an index', async () => {
  const folder = room('longer');
  git(folder, 'init', '--quiet', '--initial-branch=main', '--object-format=sha256');
  git(folder, 'config', 'user.name', 'Ann');
  git(folder, 'config', 'user.email', 'ann@example.org');
  write(folder, { '.squad/team.md': 'one\n' });
  const squad = new SquadRepository(folder, process.env);
  await squad.commit((await squad.status()).hash, 'First');
  write(folder, { '.squad/team.md': 'two\n', '.squad/second.md': 'two\n' });
  const { commit } = await squad.commit((await squad.status()).hash, 'Second');
  expect(commit).toMatch(/^[0-9a-f]{64}$/);
  expect(committed(folder)).toEqual(['A', '.squad/second.md', 'M', '.squad/team.md']);
  expect(git(folder, 'status', '--porcelain')).toBe('');
});

test('a team folder that is a link, or holds a repository of its own, is refused', async () => {
  const linked = prepared();
  renameSync(path.join(linked.folder, '.squad'), path.join(linked.folder, 'elsewhere'));
  symlinkSync('elsewhere', path.join(linked.folder, '.squad'));
  await expect(linked.squad.status()).rejects.toThrow(coded('unsafe_path'));
  const nested = prepared();
  mkdirSync(path.join(nested.folder, '.squad/inner'));
  git(path.join(nested.folder, '.squad/inner'), 'init', '--quiet');
  await expect(nested.squad.status()).rejects.toThrow(coded('sync_unavailable'));
});
