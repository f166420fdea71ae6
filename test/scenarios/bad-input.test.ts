import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mass } from '../mass.js';
import { commitAll, git, repository, write } from '../repository.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, CLI, endEverything, environment, type Finished, project, start, statuses, troupe } from './program.js';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const GIB = 1024 ** 3;

/** Content, modes, links and names of everything below, `.git` too: what a person would call their tree. Times are not. */
function digest(folder: string, leaveOut: readonly string[] = []): string {
  const sum = createHash('sha256');
  const visit = (below: string) => {
    for (const name of readdirSync(path.join(folder, below)).sort()) {
      const at = path.join(below, name);
      if (leaveOut.includes(at)) continue;
      const stats = lstatSync(path.join(folder, at));
      sum.update(`${at}\0${stats.mode}\0${stats.uid}\0${stats.nlink}\0`);
      if (stats.isDirectory()) visit(at);
      else if (stats.isSymbolicLink()) sum.update(readlinkSync(path.join(folder, at)));
      else if (stats.isFile() && stats.size < GIB) sum.update(readFileSync(path.join(folder, at)));
      else sum.update(`${stats.size}\0${stats.blocks}\0${stats.mtimeMs}`);
    }
  };
  visit('');
  return sum.digest('hex');
}

/** No bug shows through: a known code, a hint, no stack. */
function expectCoded(end: Finished, code: string): void {
  expect(end.stderr).not.toMatch(/\n\s+at /);
  expect(end.stderr).toMatch(/(^|\n)error\[[a-z_]+\]: [^\n]+\nhint: [^\n]+\n$/);
  expect(end.stderr).toContain(`error[${code}]`);
  expect(end.code).toBe(1);
}

/** Exit code 1 stands for a check that did not finish. */
function expectReport(end: Finished, code: 0 | 1 = 0): void {
  expect(end.stderr).not.toMatch(/error\[|\n\s+at /);
  expect(end.stdout).toMatch(/report\.html/);
  expect(end.code).toBe(code);
}

/** Where Troupe keeps its own when it works in the project itself. */
const OURS = ['.workgraph', '.squad', '.gitattributes', '.gitignore', '.github'];

/** A temporary folder that ends with the test: a trial leaves its clone there. */
function temporary(): { TMPDIR: string } {
  return { TMPDIR: room('temporary') };
}

function trial(words: readonly string[], temporaryFolder = temporary().TMPDIR): Promise<Finished> {
  return troupe(['trial', ...words], { cwd: room(), env: { TMPDIR: temporaryFolder } });
}

/** Runs commands, about a repository, as somebody whom file permissions stop: root is stopped by nothing. */
function asNobody(about: string): (args: readonly string[], cwd: string) => Promise<Finished> {
  if (!isRoot) return (args, cwd) => troupe(args, { cwd });
  const home = room('nobody');
  chownSync(home, NOBODY, NOBODY);
  chmodSync(process.env['TROUPE_TEST_ROOM'] ?? home, 0o711);
  chownAll(path.dirname(about)); // and no further: others work beside us
  const become: [string, ...string[]] = [
    'setpriv',
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    '--clear-groups',
    process.execPath,
    programOf(home),
  ];
  const env = { HOME: home, TMPDIR: home, XDG_RUNTIME_DIR: home };
  return (args, cwd) => {
    chownAll(cwd);
    return start(args, { cwd, program: become, env }).finished;
  };
}

/** A copy that belongs to nobody: whoever clones below a folder of root, or under `umask 077`, has one that only they can read. */
function programOf(home: string): string {
  const top = path.resolve(import.meta.dirname, '../..');
  const copy = path.join(home, 'program');
  for (const name of ['dist', 'data', 'package.json'])
    cpSync(path.join(top, name), path.join(copy, name), { recursive: true });
  chownAll(copy);
  return path.join(copy, 'dist/cli.cjs');
}

function chownAll(at: string): void {
  if (lstatSync(at).isSymbolicLink()) return;
  chownSync(at, NOBODY, NOBODY);
  if (lstatSync(at).isDirectory()) for (const name of readdirSync(at)) chownAll(path.join(at, name));
}

/** Under a limit on how large a file may become, in KiB: what a full disk looks like to a program. */
function limited(kib: number): [string, ...string[]] {
  return ['bash', '-c', `ulimit -f ${kib}; exec "$0" "$@"`, process.execPath, CLI];
}

describe('what is no repository to review', () => {
  const cases: [string, () => string, string][] = [
    ['a plain folder', () => room(), 'not_a_repository'],
    ['a folder that is not there', () => path.join(room(), 'nowhere'), 'not_found'],
    ['a file', () => path.join(repository({ 'a.txt': 'a' }), 'a.txt'), 'not_found'],
    [
      'a repository without commits',
      () => {
        const folder = room();
        git(folder, 'init', '--quiet');
        return folder;
      },
      'empty_repository',
    ],
    [
      'a folder with a broken .git',
      () => {
        const folder = room();
        write(folder, { '.git': 'gitdir: /nowhere\n' });
        return folder;
      },
      'not_a_repository',
    ],
  ];
  test.each(cases)('%s', async (_, make, code) => {
    const folder = make();
    for (const words of [
      ['trial', folder, '--exit'],
      ['run', '--dir', folder, '--exit'],
    ]) {
      const end = await troupe(words, { cwd: room(), env: temporary() });
      expectCoded(end, code);
      expect(end.stdout).toBe('');
    }
  });
});

describe('repositories that make trouble', () => {
  verifies(
    ['sec.names', 'sec.shell.none', 'sec.open'],
    'names that are commands, lines or pictures are only names; a bare repository has a trial, and 2 GB beside cost nothing',
    async () => {
      const outer = room();
      const name = '$(touch pwned) `touch pwned`;touch pwned 🎭\n  -x';
      const [folder, bare] = [path.join(outer, name), path.join(outer, `${name}.git`)];
      mkdirSync(folder);
      git(folder, 'init', '--quiet', '--initial-branch=main');
      const names = [
        'with space.md',
        'new\nline.js',
        '$(touch pwned).sh',
        '`touch pwned`.py',
        '🎭.md',
        '-rf',
        '--upload-pack=touch pwned',
        'quo\'te".ts',
        'a;touch pwned.js',
        '\u202egnp.js',
        '\\back.md',
        'tab\there.js',
      ];
      for (const name of names)
        write(folder, { [name]: `# TODO ${name}\n[x](./missing file.md) [y](<$(touch pwned)>)\n` });
      write(folder, {
        'package.json': JSON.stringify({ name: '$(touch pwned)', scripts: { lint: 'true', '$(touch pwned)': 'true' } }),
      });
      symlinkSync('/etc/passwd', path.join(folder, 'link out'));
      commitAll(folder, '$(touch pwned)\n`touch pwned`');
      git(folder, 'branch', 'feature/$(touch-pwned)');
      git(outer, 'clone', '--quiet', '--bare', folder, bare);
      const stored = digest(bare);
      const tried = await trial([bare, '--exit']);
      expectReport(tried);
      expectCoded(await troupe(['run', '--dir', bare, '--exit'], { cwd: outer }), 'bare_repository');
      expect(digest(bare)).toBe(stored);
      write(folder, { 'huge.bin': '' });
      truncateSync(path.join(folder, 'huge.bin'), 2 * GIB);
      const before = digest(folder, [...OURS, '.git']);
      const run = await troupe(['run', '--exit'], { cwd: folder });
      expectReport(run);
      expect(digest(folder, [...OURS, '.git'])).toBe(before);
      expect(lstatSync(path.join(folder, 'huge.bin')).blocks).toBe(0);
      expect(git(folder, 'status', '--porcelain', '--', ...OURS.map((ours) => `:!${ours}`))).toBe('?? huge.bin\n');
      expect(git(folder, 'for-each-ref', '--format=%(refname)').split('\n').sort()).toEqual([
        '',
        'refs/heads/feature/$(touch-pwned)',
        'refs/heads/main',
      ]);
      const home = environment()['HOME'] ?? outer;
      const pwned = [outer, folder, home].flatMap((place) => readdirSync(place)).filter((name) => name === 'pwned');
      expect(pwned).toEqual([]);
      for (const text of [tried, run])
        expect(text.stdout + text.stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
    },
  );

  test('files nobody may read in a folder nobody may write: a trial works, a run refuses until it may write', async () => {
    const cwd = repository({
      'README.md': '# Closed\n',
      'closed.txt': 'x\n',
      'below/deep.js': 'x\n',
      'package.json': '{"scripts":{"lint":"true"}}',
    });
    const outer = room();
    const nobody = asNobody(cwd);
    const close = (name: string, mode: number) => {
      chmodSync(path.join(cwd, name), mode);
      onTestFinished(() => chmodSync(path.join(cwd, name), 0o755));
    };
    for (const name of ['closed.txt', 'package.json', 'below']) close(name, 0);
    close('', 0o555);
    const open = () => digest(cwd, ['closed.txt', 'package.json', 'below']);
    const before = open();
    expectCoded(await nobody(['run', '--exit', '--dir', cwd], outer), 'read_only');
    expectCoded(await nobody(['init', '--dir', cwd], outer), 'read_only');
    expectReport(await nobody(['trial', cwd, '--exit'], outer));
    expect(open()).toBe(before);
    chmodSync(cwd, 0o755);
    const run = await nobody(['run', '--exit', '--dir', cwd], outer);
    if (run.code === 0) expectReport(run);
    else expectCoded(run, 'unreadable');
    expect(lstatSync(path.join(cwd, 'closed.txt')).mode & 0o777).toBe(0);
    expect(lstatSync(path.join(cwd, 'below')).mode & 0o777).toBe(0);
    close('.git/objects', 0);
    const blind = await nobody(['trial', cwd, '--exit'], outer);
    expect(blind.stderr).toMatch(/error\[(git_failed|unreadable|empty_repository|not_a_repository)\]/);
    expect(blind.stderr).not.toMatch(/\n\s+at /);
  });

  test('a temporary folder nobody may write', async () => {
    const cwd = repository({ 'README.md': '# T\n' });
    const end = await trial([cwd, '--exit'], '/proc/self/nowhere');
    expect(end.code).toBe(1);
    expect(end.stderr).toMatch(/error\[read_only\]/);
  });
});

describe('a disk that is full', () => {
  verifies('graph.store.every', 'commands are refused whole, and work again once there is room', async () => {
    const cwd = await project();
    const text = 'x'.repeat(3_000);
    const ends: Finished[] = [];
    for (let number = 0; number < 8; number++) {
      ends.push(await start(['add', `Task ${number}`, '-d', text, '--json'], { cwd, program: limited(16) }).finished);
    }
    const added = ends.filter((end) => end.code === 0).map((end) => JSON.parse(end.stdout).id);
    expect(added.length).toBeGreaterThan(2);
    expect(added.length).toBeLessThan(6);
    for (const end of ends.filter(({ code }) => code !== 0)) {
      expect(JSON.parse(end.stderr).error.code).toBe('disk_full');
      expect(end.stdout).toBe('');
    }
    expect(Object.keys(await statuses(cwd)).sort()).toEqual(added.sort());
    expect(await asked(['add', 'At last'], { cwd })).toMatchObject({ id: 'at-last', seq: added.length + 1 });
  });

  test.each([1, 4, 16, 40].slice(0, mass(2, 4)))(
    'a review with room for files of %i KiB only ends with a code or a report',
    async (kib) => {
      const cwd = repository({ 'README.md': `# Full\n${'words '.repeat(2_000)}` });
      const before = digest(cwd, [...OURS, '.git']);
      onTestFinished(() => endEverything(cwd));
      for (const words of [
        ['run', '--exit'],
        ['trial', cwd, '--exit'],
      ]) {
        const end = await start(words, { cwd, program: limited(kib), env: temporary() }).finished;
        expect(end.stderr).not.toMatch(/\n\s+at |error\[internal\]/);
        if (end.code !== 0)
          expect(end.stderr).toMatch(/error\[(disk_full|git_failed|review_incomplete|unknown_review)\]/);
        expect(digest(cwd, [...OURS, '.git'])).toBe(before);
      }
      expect(git(cwd, 'status', '--porcelain', '--', ...OURS.map((name) => `:!${name}`))).toBe('');
    },
  );
});
