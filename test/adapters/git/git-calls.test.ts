import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { GitHistory, LocalGit } from '#adapters/git/local-git.js';
import { gitEnvironment, gitWords, notStarted, runGit } from '#adapters/git/process.js';
import { RemoteSnapshot } from '#adapters/git/remote-snapshot.js';
import { repositoryAt } from '#adapters/git/repository-at.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { commitAll, git, repository, write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const coded = (code: string, more: object = {}) => expect.objectContaining({ code, ...more });
const BASE = {
  ...{ PATH: '/bin', HOME: '/home/ann', SSH_ASKPASS: 'ask', GIT_DIR: '/x', git_dir: '/y', GIT_CONFIG_COUNT: '9' },
  ...{ GIT_AUTHOR_NAME: 'Ann', GIT_COMMITTER_EMAIL: 'ann@example.org', GIT_AUTHOR_DATE: 'now', LC_ALL: 'de' },
};
const CLEAN = { PATH: '/bin', HOME: '/home/ann' };

verifies('sec.git.env', 'what git may see of our environment, and what each kind of call adds', () => {
  const ours = {
    ...{ ...CLEAN, LC_ALL: 'C.UTF-8', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_CONFIG_NOSYSTEM: '1' },
    ...{ GIT_NO_LAZY_FETCH: '1', GIT_LFS_SKIP_SMUDGE: '1', GIT_ALLOW_PROTOCOL: 'none' },
  };
  const { GIT_CONFIG_NOSYSTEM: _, ...remote } = ours;
  expect(gitEnvironment(BASE, {})).toEqual(ours);
  expect(gitEnvironment(BASE, { remote: true, protocols: 'https:ssh' })).toEqual({
    ...remote,
    GIT_ALLOW_PROTOCOL: 'https:ssh',
  });
  expect(gitEnvironment(BASE, { literalPaths: true, index: '/i' })).toEqual({
    ...ours,
    GIT_LITERAL_PATHSPECS: '1',
    GIT_INDEX_FILE: '/i',
  });
  expect(
    gitEnvironment(BASE, {
      settings: [
        ['a.b', '1'],
        ['c=d.e', ''],
      ],
    }),
  ).toEqual({
    ...{ ...ours, GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: '1' },
    ...{ GIT_CONFIG_KEY_1: 'c=d.e', GIT_CONFIG_VALUE_1: '' },
  });
  expect(gitEnvironment(BASE, { newObjects: { folder: '/new', existing: '/old:"x' } })).toEqual({
    ...{ ...ours, GIT_OBJECT_DIRECTORY: '/new', GIT_ALTERNATE_OBJECT_DIRECTORIES: '"/old:\\"x"' },
  });
  expect(gitEnvironment(BASE, { asPerson: true, index: '/i', settings: [['a', 'b']] })).toEqual({
    ...{ ...CLEAN, LC_ALL: 'de', GIT_INDEX_FILE: '/i', GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: ':' },
    ...{ GIT_AUTHOR_NAME: 'Ann', GIT_COMMITTER_EMAIL: 'ann@example.org' },
  });
});

verifies('sec.git.env', 'which settings stand before the words of a call', () => {
  const settings = (call: object) => {
    const words = gitWords(['status', '-c', 'x'], call);
    expect([words[0], ...words.slice(-3)]).toEqual(['--no-pager', 'status', '-c', 'x']);
    const given = words.slice(1, -3);
    expect(given.filter((_, index) => index % 2 === 0).every((word) => word === '-c')).toBe(true);
    return given.filter((_, index) => index % 2 === 1);
  };
  const shared = [
    ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.askPass=', 'diff.external=', 'gc.auto=0'],
    ...['maintenance.auto=false', 'log.showSignature=false', 'protocol.ext.allow=never', 'submodule.recurse=false'],
    'core.quotePath=false',
  ];
  expect(settings({}).sort()).toEqual([...shared, 'core.sshCommand=false', 'credential.helper='].sort());
  expect(settings({ remote: true }).sort()).toEqual(
    [
      ...[...shared, 'core.sshCommand=ssh -oBatchMode=yes -oConnectTimeout=20', 'credential.interactive=false'],
      ...['http.lowSpeedLimit=1', 'http.lowSpeedTime=30', 'fetch.recurseSubmodules=false'],
      ...['push.recurseSubmodules=no', 'push.gpgSign=false', 'transfer.unpackLimit=1'],
    ].sort(),
  );
  expect(settings({ asPerson: true, remote: true })).toEqual([]);
});

test('how a call ended: its text, its bytes, its refusal, too much, too long, and not at all', async () => {
  const folder = repository({ 'ü.txt': 'é' });
  const run = (args: readonly string[], call: object = {}) => runGit(process.env, folder, args, call);
  expect(await run(['show', 'HEAD:ü.txt'])).toEqual({ ok: true, text: 'é' });
  expect(await run(['show', 'HEAD:ü.txt'], { bytes: true })).toEqual({ ok: true, text: 'Ã©' });
  expect(await run(['hash-object', '--stdin'], { input: 'é' })).toEqual({
    ok: true,
    text: git(folder, 'rev-parse', 'HEAD:ü.txt'),
  });
  expect(await run(['hash-object', '--stdin'], { input: 'Ã©', bytes: true })).toEqual({
    ok: true,
    text: git(folder, 'rev-parse', 'HEAD:ü.txt'),
  });
  expect(await run(['rev-parse', '--verify', 'nothing'])).toEqual({
    ok: false,
    code: 128,
    message: 'fatal: Needed a single revision',
  });
  expect(await run(['diff', '--quiet', '--no-index', 'ü.txt', '/dev/null'])).toMatchObject({ ok: false, code: 1 });
  expect(await run(['show', 'HEAD'], { maxBytes: 4 })).toEqual({
    ok: false,
    code: undefined,
    message: 'it printed more than 4 bytes',
  });
  expect(await run(['show', 'HEAD:ü.txt'], { maxBytes: 4 })).toEqual({ ok: true, text: 'é' });
  const slow = room('slow');
  writeFileSync(path.join(slow, 'git'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
  expect(await runGit({ PATH: `${slow}:${process.env['PATH']}` }, folder, ['x'], { timeoutMs: 50 })).toEqual({
    ...{ ok: false, code: undefined, message: 'it ran longer than 50 ms' },
  });
  writeFileSync(path.join(slow, 'git'), `#!/bin/sh\nprintf '\\033[31mred\\n' >&2\nprintf '%0600d' 0 >&2\nexit 3\n`, {
    mode: 0o755,
  });
  const refused = await runGit({ PATH: `${slow}:${process.env['PATH']}` }, folder, ['x']);
  expect(refused).toEqual({ ok: false, code: 3, message: expect.stringMatching(/^\\u\{1b\}\[31mred/) });
  expect(!refused.ok && refused.message.length).toBe(500);
  writeFileSync(path.join(slow, 'git'), '#!/bin/sh\nexit 4\n', { mode: 0o755 });
  expect(await runGit({ PATH: `${slow}:${process.env['PATH']}` }, folder, ['x'])).toEqual({
    ok: false,
    code: 4,
    message: expect.stringContaining('Command failed'),
  });
  const missing = coded('git_missing', { why: expect.stringContaining('git does not start') });
  await expect(runGit({ PATH: '/nowhere' }, folder, ['status'])).rejects.toEqual(missing);
  await expect(runGit(process.env, path.join(folder, 'no'), ['status'])).rejects.toEqual(missing);
  expect(notStarted('/a', Object.assign(new Error('x'), { code: 'EACCES' }))).toEqual(
    coded('unreadable', { message: 'The folder /a cannot be entered.' }),
  );
});

verifies(
  'sec.git.env',
  'what we write is ours: who, in which words and encoding, whatever a person has configured',
  async () => {
    const folder = repository({ 'a.txt': 'a' });
    for (const [key, value] of [
      ['user.name', 'Ann'],
      ['author.name', 'Ann'],
      ['committer.email', 'ann@example.org'],
      ['commit.gpgSign', 'true'],
      ['gpg.program', '/bin/false'],
      ['commit.cleanup', 'verbatim'],
      ['i18n.commitEncoding', 'ISO-8859-1'],
      ['core.quotePath', 'true'],
      ['merge.log', 'true'],
      ['merge.stat', 'true'],
      ['pull.twohead', 'ours'],
    ] as const)
      git(folder, 'config', key, value);
    const own = new LocalGit({ ...process.env, GIT_AUTHOR_NAME: 'Eve' });
    const run = async (...args: string[]) => await own.run(folder, args);
    write(folder, { 'ü.txt': 'one\n' });
    await run('add', '--all');
    expect(await run('commit', '--quiet', '-m', '# Größe  \n\n\n\nwhy  \n\n')).toEqual({
      code: 0,
      text: '',
      message: '',
    });
    expect(git(folder, 'log', '-1', '--format=%an|%ae|%cn|%ce|%e')).toBe(
      'Troupe|troupe@localhost|Troupe|troupe@localhost|\n',
    );
    expect(git(folder, 'cat-file', 'commit', 'HEAD').split('\n\n').slice(1).join('\n\n')).toBe('# Größe\n\nwhy\n');
    expect((await run('ls-files', '--', 'ü*')).text).toBe('');
    expect((await run('ls-files')).text).toBe('a.txt\nü.txt\n');
    git(folder, 'switch', '--quiet', '-c', 'side', 'HEAD~1');
    write(folder, { 'b.txt': 'b' });
    commitAll(folder, 'side');
    expect((await run('merge', '--no-edit', 'main')).code).toBe(0);
    expect(git(folder, '-c', 'core.quotePath=false', 'ls-files').split('\n')).toContain('ü.txt');
    expect(git(folder, 'log', '-1', '--format=%B').trim()).toBe("Merge branch 'main' into side");
    expect(await run('rev-parse', '--verify', 'nothing')).toEqual({
      text: '',
      ok: false,
      code: 128,
      message: 'fatal: Needed a single revision',
    });
    expect((await own.run(folder, ['hash-object', '--stdin'], { input: 'a' })).text.trim()).toBe(
      git(folder, 'rev-parse', 'HEAD:a.txt').trim(),
    );
  },
);

test('which repository a folder is in, and what tells it from another one in its place', async () => {
  const outer = room('outer');
  expect(await repositoryAt(outer)).toBeUndefined();
  expect(await repositoryAt(path.join(outer, 'no'))).toBeUndefined();
  mkdirSync(path.join(outer, 'a/b'), { recursive: true });
  writeFileSync(path.join(outer, 'file'), '');
  mkdirSync(path.join(outer, '.git'));
  const found = await repositoryAt(path.join(outer, 'a/b'));
  expect(found).toEqual({ top: outer, isFolder: true, identity: expect.stringMatching(/^\d+ \d+ \d+$/) });
  expect(await repositoryAt(outer)).toEqual(found);
  writeFileSync(path.join(outer, '.git/index'), '');
  expect(await repositoryAt(outer), 'a folder changes with each index').toEqual(found);
  symlinkSync(path.join(outer, 'a'), path.join(outer, 'link'));
  expect((await repositoryAt(path.join(outer, 'link/b')))?.top).toBe(outer);
  writeFileSync(path.join(outer, 'a/.git'), 'gitdir: x');
  const file = await repositoryAt(path.join(outer, 'a/b'));
  expect(file).toEqual({
    top: path.join(outer, 'a'),
    isFolder: false,
    identity: expect.stringMatching(/^\d+ \d+ \d+ \d+$/),
  });
  utimesSync(path.join(outer, 'a/.git'), 1, 1);
  expect((await repositoryAt(path.join(outer, 'a')))?.identity).not.toBe(file?.identity);
});

test('git is not started where no repository can be, and asked wherever only it can tell', async () => {
  const bin = room('bin');
  const log = path.join(bin, 'log');
  writeFileSync(path.join(bin, 'git'), `#!/bin/sh\necho "$PWD" >> ${log}\nPATH=\${PATH#*:} exec git "$@"\n`, {
    mode: 0o755,
  });
  const own = new LocalGit({ ...process.env, PATH: `${bin}:${process.env['PATH']}` });
  const startsIn = async (folder: string) => {
    writeFileSync(log, '');
    const { kind } = await own.describe(folder);
    const inside = await own.tryOutput(folder, ['rev-parse', '--is-inside-work-tree']);
    return [kind, inside?.trim(), readFileSync(log, 'utf8').split('\n').length - 1];
  };
  const outer = room('outer');
  mkdirSync(path.join(outer, 'a/b'), { recursive: true });
  expect(await startsIn(path.join(outer, 'a/b'))).toEqual(['none', undefined, 0]);
  writeFileSync(path.join(outer, 'HEAD'), 'no repository');
  expect(await startsIn(path.join(outer, 'a/b'))).toEqual(['none', undefined, 3]);
  rmSync(path.join(outer, 'HEAD'));
  git(outer, 'init', '--quiet', '--bare', 'bare.git');
  expect(await startsIn(path.join(outer, 'bare.git/refs'))).toEqual(['bare', 'false', 3]);
  const folder = repository({ 'sub/a': 'a' });
  expect(await startsIn(path.join(folder, 'sub'))).toEqual(['work-tree', 'true', 2]);
  symlinkSync(path.join(folder, 'sub'), path.join(outer, 'link'));
  expect(await startsIn(path.join(outer, 'link'))).toEqual(['work-tree', 'true', 2]);
});

test('what tells a repository from another: the commit its history began with, and whether it holds one', async () => {
  const folder = repository({ a: 'a' });
  const own = new LocalGit(process.env);
  const history = new GitHistory(folder, own);
  const first = git(folder, 'rev-parse', 'HEAD').trim();
  commitAll(folder, 'second');
  expect(await history.first()).toBe(first);
  const second = git(folder, 'rev-parse', 'HEAD').trim();
  const blob = git(folder, 'rev-parse', 'HEAD:a').trim();
  for (let look = 0; look < 2; look++)
    expect(
      await Promise.all([first, second, blob, '0'.repeat(40), 'HEAD', `${first}x`].map((one) => history.contains(one))),
    ).toEqual([true, true, false, false, false, false]);
  rmSync(path.join(folder, '.git'), { recursive: true });
  expect([await history.contains(first), await history.first()]).toEqual([false, undefined]);
  git(folder, 'init', '--quiet');
  expect([await history.contains(first), await history.first()]).toEqual([false, undefined]);
  const missing = new GitHistory(folder, new LocalGit({ PATH: '/nowhere' }));
  expect([await missing.contains(first), await missing.first()]).toEqual([false, undefined]);
  // Asked once in a repository of what it holds, each time anew of what it does not, and where there is none.
  for (const [place, known] of [
    [folder, 1],
    [room(), 3],
  ] as const) {
    const asked: (readonly string[])[] = [];
    const tryOutput = async (_: string, args: readonly string[]) => {
      asked.push(args);
      return args.at(-1)?.startsWith('a') ? '' : undefined;
    };
    const counted = new GitHistory(place, Object.assign(new LocalGit({}), { tryOutput }));
    for (let look = 0; look < 3; look++)
      expect([await counted.contains('a'.repeat(40)), await counted.contains('b'.repeat(40))]).toEqual([true, false]);
    expect(asked.filter(([, , name]) => name?.startsWith('a'))).toHaveLength(known);
    expect(asked.filter(([, , name]) => name?.startsWith('b'))).toHaveLength(3);
  }
  const broken = new GitHistory(folder, { tryOutput: () => Promise.reject(new Error('no')) } as never);
  await expect(broken.first()).rejects.toThrow('no');
});

verifies('fed.remote', 'of a commit what each thing in it is, and texts up to a size, in their order', async () => {
  const folder = repository({ 'a/b.txt': 'bee', 'a/ü': 'x'.repeat(11), 'a/sub/c': 'c', top: 'top', script: 's' });
  symlinkSync('top', path.join(folder, 'link'));
  chmodSync(path.join(folder, 'script'), 0o755);
  commitAll(folder, 'more');
  git(folder, 'update-index', '--add', '--cacheinfo', `160000,${git(folder, 'rev-parse', 'HEAD').trim()},module`);
  git(folder, 'commit', '--quiet', '-m', 'module');
  const commit = git(folder, 'rev-parse', 'HEAD').trim();
  const snapshot = new RemoteSnapshot(process.env, path.join(folder, '.git'), commit);
  const listed = async (below: string) => (await snapshot.list(below)).map(({ name, kind }) => `${name} ${kind}`);
  expect(await listed('')).toEqual(['a folder', 'link link', 'module repository', 'script file', 'top file']);
  expect(await listed('a')).toEqual(['b.txt file', 'sub folder', 'ü file']);
  expect(await listed('nobody')).toEqual([]);
  const objects = (await snapshot.list('a')).filter(({ kind }) => kind === 'file').map(({ object }) => object);
  const texts = async (asked: readonly string[], most: number) => {
    const all: (string | number)[] = [];
    for await (const text of snapshot.texts(asked, most)) all.push(text);
    return all;
  };
  const [bee = '', long = ''] = objects;
  expect(await texts(objects, 11)).toEqual(['bee', 'x'.repeat(11)]);
  expect(await texts(objects, 10)).toEqual(['bee', 11]);
  expect(await texts([long, bee, bee, '0'.repeat(40)], 10)).toEqual([11, 'bee', 'bee', Number.POSITIVE_INFINITY]);
  expect(await texts([], 10)).toEqual([]);
  const large = 'y'.repeat(AGENCY_LIMITS.remoteReadBytes);
  write(folder, { large });
  const whole = git(folder, 'hash-object', '-w', 'large').trim();
  expect((await texts([bee, whole, bee], large.length)).map((one) => String(one).length)).toEqual([3, large.length, 3]);
  const copy = path.join(room(), 'copy.git');
  git(folder, 'clone', '--quiet', '--bare', folder, copy);
  const broken = new RemoteSnapshot(process.env, copy, '0'.repeat(40));
  await expect(broken.list('')).rejects.toEqual(coded('git_failed', { message: 'What was fetched cannot be read.' }));
  expect(existsSync(copy), 'it is made anew next time').toBe(false);
  expect(readFileSync(path.join(folder, 'top'), 'utf8')).toBe('top');
});
