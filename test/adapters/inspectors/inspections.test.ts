import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { big } from '#adapters/inspectors/big.js';
import { programEnvironment, runCommand } from '#adapters/inspectors/command.js';
import { copyDependencies } from '#adapters/inspectors/copy-dependencies.js';
import { hotspots } from '#adapters/inspectors/hotspots.js';
import { inventory } from '#adapters/inspectors/inventory.js';
import { links } from '#adapters/inspectors/links.js';
import * as npm from '#adapters/inspectors/manifests/npm.js';
import { prepare } from '#adapters/inspectors/prepare.js';
import { leaksIn, secrets } from '#adapters/inspectors/secrets.js';
import { todos } from '#adapters/inspectors/todos.js';
import { TrackedFileReader } from '#adapters/inspectors/tracked-files.js';
import type { RecognisedCommand, ReviewPlan } from '#core/review/plan.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { openBelow } from '../../open-files.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';

const MEBIBYTE = 1024 * 1024;

/** Tracked files in a folder, and a reader of them. */
function tracked(files: Readonly<Record<string, string>>, sizes: Readonly<Record<string, number>> = {}) {
  const top = room('tracked');
  write(top, files);
  for (const [file, size] of Object.entries(sizes)) truncateSync(path.join(top, file), size);
  return { top, names: Object.keys(files), reader: new TrackedFileReader(top) };
}
const planOf = (repository: string, more: Partial<ReviewPlan> = {}) =>
  ({
    ...{ repository, dependencies_from: repository, head: 'abcdef0123456789', run: 'fast', commands: [] },
    ...{ started_at: '2026-03-31T10:00:00.000Z', ...more },
  }) as unknown as ReviewPlan;
const told = ({ findings }: { findings: readonly { rule: string; severity: string; file?: string | undefined }[] }) =>
  findings.map(({ rule, severity, file }) => `${rule} ${severity} ${file}`);

test('big: each size has its weight, the largest come first, and what is generated is nobody’s', async () => {
  const limit = SURFACE_LIMITS.bigFileBytes;
  const sizes = {
    ...{ 'a.txt': limit, 'b.txt': limit - 1, 'c.txt': 10 * MEBIBYTE, 'd.txt': 10 * MEBIBYTE - 1 },
    ...{ 'e.txt': 100 * MEBIBYTE, 'f.txt': 100 * MEBIBYTE - 1, 'aa.txt': limit, 'package-lock.json': limit },
  };
  const small = {
    'x.dll': 'MZ\0\0',
    'plain.dll': 'text',
    'test/fixtures/y.dll': 'MZ\0\0',
    'z.bin': 'MZ\0\0',
    'empty.dll': '',
  };
  const { names, reader } = tracked(
    { ...Object.fromEntries(Object.keys(sizes).map((name) => [name, 'x'])), ...small },
    sizes,
  );
  const result = await big(reader, [...names, 'gone.txt']);
  expect(told(result)).toEqual([
    ...['built-file-tracked low x.dll', 'large-file high e.txt', 'large-file medium f.txt', 'large-file medium c.txt'],
    ...['large-file low d.txt', 'large-file low a.txt', 'large-file low aa.txt'],
  ]);
  const { facts, output } = result;
  expect(facts).toMatchObject({ files: names.length, binaries: 11 });
  expect(facts['large']).toHaveLength(6);
  expect(output.split('\n')).toEqual([
    expect.stringMatching(/^13 files, [\d.]+ MiB: 6 large, \d+ not text\.$/),
    ...['100.0 MiB e.txt', '100.0 MiB f.txt', '10.0 MiB c.txt', '10.0 MiB d.txt', '1.0 MiB a.txt'],
  ]);
  const sized = async (bytes: number) => {
    const one = tracked({ 'a.txt': 'x'.repeat(bytes) });
    return (await big(one.reader, one.names)).output;
  };
  expect([await sized(1023), await sized(1024), await sized(MEBIBYTE - 1)]).toEqual([
    ...['1 files, 1023 B: 0 large, 0 not text.', '1 files, 1 KiB: 0 large, 0 not text.'],
    '1 files, 1024 KiB: 0 large, 0 not text.',
  ]);
});

test('a reader says what it left out, and why; of many only so many', async () => {
  const { top, names, reader } = tracked({ 'a.md': 'a', 'b.md': 'b\0', 'c.md': 'cc', 'deep/d.md': 'd' });
  symlinkSync('a.md', path.join(top, 'link.md'));
  symlinkSync('deep', path.join(top, 'linked'));
  mkdirSync(path.join(top, 'folder.md'));
  const read = async (files: readonly string[], most?: number) => {
    const texts: string[] = [];
    for await (const { file, text } of reader.texts(files, most)) texts.push(`${file} ${text}`);
    return texts;
  };
  const odd = ['link.md', 'linked/d.md', 'folder.md', 'gone.md', 'a.md/x', '../a.md', '.git/config', '/etc/passwd'];
  expect(await read([...names, ...odd], 1)).toEqual(['a.md a', 'deep/d.md d']);
  expect([reader.files, reader.bytes]).toEqual([2, 2]);
  expect(told({ findings: reader.findings('todos') })).toEqual([]);
  expect(reader.findings('secrets')).toMatchObject([
    { rule: 'file-not-searched', severity: 'info', file: 'c.md', detail: 'Files above 1 MiB are not searched.' },
  ]);
  expect(openBelow(top)).toEqual([]);
  expect((await reader.open('c.md', 1))?.head.toString()).toBe('c');
  const spent = new TrackedFileReader(top, -1);
  for await (const { file } of spent.texts(['a.md', 'c.md'])) expect(file).toBe('none');
  expect(spent.findings('todos')).toMatchObject([
    { rule: 'inspection-bounded', detail: '0 files were inspected, 2 more were not.' },
  ]);
  const full = new TrackedFileReader(top);
  for (let number = 0; number < SURFACE_LIMITS.inspectFiles - 1; number++) full.count();
  expect(full.isSpent()).toBe(false);
  full.count();
  expect(full.isSpent()).toBe(true);
  const many = new TrackedFileReader(top);
  const large = Array.from({ length: SURFACE_LIMITS.inspectFindings + 1 }, (_, number) => `l${number}.md`);
  write(top, Object.fromEntries(large.map((name) => [name, 'xx'])));
  for await (const { file } of many.texts(large, 1)) expect(file).toBe('none');
  expect(many.findings('secrets')).toHaveLength(SURFACE_LIMITS.inspectFindings);
});

test('todos: a file is told once, with its first note; what is copied, generated or data says nothing', async () => {
  const note = '// TODO: a note that is long enough to tell';
  const { names, reader } = tracked({
    'a.ts': `x\n${note}\n// FIXME: soon\n`,
    'b.ts': `${note}\n`,
    'c.ts': '// HACK: short\n',
    'd.ts': '// HACK: short\n// XXX: token=abcdefghijklmnop\n',
    'package-lock.json': '// TODO: x\n',
    'gen.ts': '// Code generated by x. DO NOT EDIT.\n// TODO: y\n',
    'doc.md': '```\n// TODO: in an example\n```\n',
  });
  const { findings, facts, output } = await todos(reader, names);
  expect(findings.map(({ file, line, title, detail }) => [file, line, title, detail])).toEqual([
    ['a.ts', 2, '2 notes left for later', note],
    ['c.ts', 1, 'A note left for later', '// HACK: short'],
    ['d.ts', 1, '2 notes left for later', '// HACK: short'],
  ]);
  expect(facts).toEqual({
    ...{ searched: 6, total: 5, counts: { FIXME: 1, XXX: 1, HACK: 2, TODO: 1 } },
    files: [
      { file: 'a.ts', count: 2 },
      { file: 'd.ts', count: 2 },
      { file: 'c.ts', count: 1 },
    ],
  });
  expect(output).toBe('6 files searched: 1 FIXME, 1 XXX, 2 HACK, 1 TODO, in 3 files.');
});

test('hot spots: from each bound on, code alone, with the part that changes most', async () => {
  const lines = (count: number) => 'x\n'.repeat(count);
  const files = {
    ...{ 'hot.ts': lines(300), 'short.ts': lines(299), 'rare.ts': lines(300), 'calm.ts': lines(300) },
    ...{ 'doc.md': lines(300), 'locales/de.ts': lines(300), 'hot.test.ts': lines(300), 'types.d.ts': lines(300) },
  };
  const { top, names, reader } = tracked({ ...files, 'empty.ts': '' });
  const commits = { 'rare.ts': 7 } as Readonly<Record<string, number>>;
  const churn = { 'calm.ts': 99 } as Readonly<Record<string, number>>;
  const log = Array.from({ length: 8 }, (_, index) => {
    const rows = [...names, 'gone.ts'].filter((name) => index < (commits[name] ?? 8));
    const changed = (name: string) => (index === 0 ? (churn[name] ?? 100) : 0);
    return `\x01Ann <ann@x>\0${rows.map((name) => `${changed(name)}\t0\t${name}\0`).join('')}`;
  }).join('\0');
  const asked: (readonly string[])[] = [];
  const git = {
    output: async (_: string, words: readonly string[]) => {
      asked.push(words);
      return log;
    },
    tryOutput: async (_: string, words: readonly string[]) => {
      asked.push(words);
      return '@@ -1 +1 @@ rare()\n@@ -2 +2 @@ often()\n@@ -3 +3 @@ often()\n@@ -4 +4 @@\n';
    },
  };
  const { findings, facts, command, output } = await hotspots(git as never, reader, planOf(top), names);
  expect(told({ findings })).toEqual(['hotspot low hot.ts']);
  expect(findings[0]?.detail).toBe(
    '8 commits by 1 person in 12 months changed 100 lines; it has 300. Most often: often() (2 times).',
  );
  expect(command).toBe('git log --numstat --since=2025-03-31');
  expect([facts['commits'], facts['files'], facts['months']]).toEqual([8, names.length + 1, 12]);
  expect(output.split('\n')[0]).toBe(`8 commits in 12 months touched ${names.length + 1} files.`);
  expect(output.split('\n')).toHaveLength(6);
  expect(asked[0]).toEqual([
    ...[
      'log',
      '--since=2025-03-31T10:00:00.000Z',
      `--max-count=${SURFACE_LIMITS.historyCommits}`,
      '--no-merges',
      '--numstat',
    ],
    ...['-z', '--no-renames', '--no-ext-diff', '--no-textconv', '--format=%x01%an <%ae>', 'abcdef0123456789', '--'],
  ]);
  expect(asked[1]).toEqual([
    ...['log', '--since=2025-03-31T10:00:00.000Z', '--no-merges', '--no-renames', '--no-ext-diff', '--no-textconv'],
    ...['--format=', '--unified=0', 'abcdef0123456789', '--', 'hot.ts'],
  ]);
});

test('links: each kind is followed, each anchor is one, and what git ignores is there', async () => {
  const { top, names, reader } = tracked({
    'a.md': `# One *two*\n\n## One two\n\n[x](b.md#here) ![y](gone.png) [z]: c.md\n\n[ref]\n\n[ref]: gone.md\n
<a name="By-Name"></a> <img alt="x" src="lost.png"> <A href='b.md'>b</A>\n\n## ![alt text](b.md) {#own-id}\n
[1](#one-two) [2](#one-two-1) [3](#by-name) [4](#own-id) [5](#nowhere) \`[code](none.md)\` [made](build/out.md)\n`,
    'b.md': '<p id="here">x</p>\n',
  });
  const asked: unknown[] = [];
  const git = {
    tryOutput: async (folder: string, words: readonly string[]) => {
      asked.push([folder, words]);
      return './build/out.md\n';
    },
  };
  const { findings, facts, output } = await links(git as never, reader, planOf(top), names);
  expect(findings.map(({ file, line, rule }) => [file, line, rule]).sort()).toEqual([
    ['a.md', 11, expect.any(String)],
    ['a.md', 15, expect.any(String)],
    ['a.md', 5, expect.any(String)],
    ['a.md', 9, expect.any(String)],
  ]);
  expect(facts).toMatchObject({ documents: 2, broken: 4 });
  expect(output).toMatch(/^2 documents, \d+ links inside the repository followed, 4 broken\.$/);
  expect((asked[0] as [string, readonly string[]])[1].slice(0, 4)).toEqual([
    '-c',
    'core.quotePath=false',
    'check-ignore',
    '--',
  ]);
  const paths = [...((asked[0] as [string, readonly string[]] | undefined)?.[1].slice(4) ?? [])].sort();
  expect(paths).toEqual(['./build/out.md', './gone.md', './gone.png', './lost.png']);
  const many = tracked({ 'a.md': Array.from({ length: 101 }, (_, index) => `[x](g${index}.md)`).join('\n\n') });
  asked.length = 0;
  const told = await links(
    { tryOutput: async (...call: unknown[]) => void asked.push(call) } as never,
    many.reader,
    planOf(many.top),
    ['a.md'],
  );
  expect(asked.map((call) => (call as [string, string[]])[1].length - 4)).toEqual([100, 1]);
  expect(told.facts).toMatchObject({ broken: 101 });
});

test('secrets: told apart by file and kind; what leaves is searched whole, variables too', async () => {
  const token = `ghp_${'a1B2c3D4'.repeat(4)}e5F6`;
  const { names, reader } = tracked({
    'a.txt': `x\ntoken = ${token}\n`,
    'b.txt': `// secretlint-disable\ntoken = ${token}\n`,
    id_rsa: 'words',
    'test/fixtures/id_rsa': 'words',
    '.env': 'API_TOKEN=8f7d6a5b4c3e2d1f0a9b8c7d\n',
    '.env.example': 'API_TOKEN=8f7d6a5b4c3e2d1f0a9b8c7d\n',
  });
  const { findings, facts, output } = await secrets(reader, names);
  const rows = findings.map(({ rule, file, line }) => `${rule} ${file} ${line ?? ''}`.trim());
  expect(rows.slice(0, 2)).toEqual(['secret-file-tracked id_rsa', 'secret-file-tracked .env']);
  expect(rows.filter((row) => row.startsWith('leaked-secret'))).toContain('leaked-secret a.txt 2');
  expect(JSON.stringify(findings)).not.toContain(token);
  expect(facts).toMatchObject({ searched: 6, bytes: expect.any(Number) });
  expect(output).toMatch(
    /^6 files searched, \d+ places that look like a secret, \d+ made up for tests and examples\.$/,
  );
  const leaks = await leaksIn(
    [
      { name: 'one', text: `secretlint-disable ${token}` },
      { name: 'two', text: 'nothing' },
      { name: 'three', text: 'it is s3cr3t-words-of-mine' },
      { name: 'four', text: `${'x'.repeat(256 * 1024)}\n` },
      { name: 'five', text: `token: ${token}` },
    ],
    { MY_API_TOKEN: 's3cr3t-words-of-mine', HOME: '/home/ann' },
  );
  expect(leaks.map(({ name, kind }) => [name, kind])).toEqual([
    ['three', 'the value of MY_API_TOKEN'],
    ['one', 'a token of GitHub'],
    ['five', 'a token of GitHub'],
  ]);
  expect(await leaksIn([], {})).toEqual([]);
});

test('inventory: manifests are locked by what lies beside or at the top; a library locks nothing', async () => {
  const manifest = (more: object) => JSON.stringify({ name: 'x', dependencies: { left: '^1.0.0' }, ...more });
  const { top, names, reader } = tracked({
    'package.json': manifest({ private: true }),
    'pkg/package.json': manifest({ private: true }),
    'pkg/yarn.lock': 'left@^1.0.0:\n  version "1.2.3"\n',
    'node_modules/y/package.json': manifest({}),
    'test/fixtures/package.json': manifest({}),
    'broken/pnpm-lock.yaml': 'a: [',
    'Cargo.toml': '[package]\nname = "x"\n[dependencies]\nserde = "1.0"\n',
    'bin/Cargo.toml': '[package]\nname = "y"\n[dependencies]\nserde = "1.0"\n',
    'bin/src/main.rs': '',
    'named/Cargo.toml': '[package]\nname = "z"\n[[bin]]\nname = "z"\n',
    'go.mod': 'module x\n\ngo 1.22\n\nrequire example.org/m v1.0.0\n',
    'go.sum': '',
    'py/pyproject.toml': '[build-system]\nrequires = []\n[project]\nname = "p"\ndependencies = ["requests>=2"]\n',
    'app/pyproject.toml': '[project]\nname = "p"\ndependencies = ["requests>=2"]\n',
  });
  const { facts, findings, output } = await inventory(reader, planOf(top), names);
  const rows = (facts['manifests'] as { file: string; locked: boolean; library: boolean; names: number }[]).map(
    ({ file, locked, library }) => [file, locked, library],
  );
  expect(rows).toEqual([
    ['package.json', false, false],
    ['pkg/package.json', true, false],
    ['Cargo.toml', false, true],
    ['bin/Cargo.toml', false, false],
    ['named/Cargo.toml', false, false],
    ['go.mod', true, false],
    ['py/pyproject.toml', false, true],
    ['app/pyproject.toml', false, false],
  ]);
  expect(findings[0]).toMatchObject({ rule: 'manifest-invalid', file: 'broken/pnpm-lock.yaml' });
  const dependencies = facts['dependencies'] as { name: string; version?: string; direct?: boolean }[];
  expect(dependencies.find(({ name }) => name === 'left')).toMatchObject({ version: '1.2.3', direct: true });
  expect(facts['ecosystems']).toEqual([
    ...[
      { ecosystem: 'npm', count: 1 },
      { ecosystem: 'python', count: 1 },
    ],
    ...[
      { ecosystem: 'cargo', count: 1 },
      { ecosystem: 'go', count: 1 },
    ],
  ]);
  expect(facts['total']).toBe(4);
  expect(output.split('\n')[0]).toBe('8 manifests, 4 dependencies (1 of npm, 1 of python, 1 of cargo, 1 of go).');
});

test('inventory: licences are asked of what is installed, and of nothing outside of it', async () => {
  const lock = {
    lockfileVersion: 3,
    packages: Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((name) => [
        `node_modules/${name}`,
        { version: '1.0.0', ...(name === 'd' ? { license: 'MIT' } : {}) },
      ]),
    ),
  };
  const { top, names, reader } = tracked({ 'package-lock.json': JSON.stringify(lock) });
  const installed = room('installed');
  write(installed, {
    'node_modules/a/package.json': '{"license":"ISC"}',
    'node_modules/d/package.json': '{"license":"WRONG"}',
    'outside/package.json': '{"license":"OUT"}',
  });
  symlinkSync('../outside', path.join(installed, 'node_modules/b'));
  const licences = async (from: string) => {
    const { facts } = await inventory(
      from === top ? new TrackedFileReader(top) : reader,
      planOf(top, { dependencies_from: from }),
      names,
    );
    return (facts['dependencies'] as { name: string; licence?: string }[]).map(({ name, licence }) => [name, licence]);
  };
  const none = ['a', 'b', 'c'].map((name) => [name, undefined]);
  expect(await licences(installed)).toEqual([['a', 'ISC'], ...none.slice(1), ['d', 'MIT']]);
  expect(await licences(top)).toEqual([...none, ['d', 'MIT']]);
});

test('dependencies: so many files and bytes are copied, no more; each link is looked at', async () => {
  const source = room('source');
  write(source, { 'node_modules/a': 'aaaa', 'node_modules/b/c': 'cc', '.venv/bin/x': '', 'other/bin/x': '' });
  const copied = async (bounds: object, name = 'node_modules') => {
    const target = room('target');
    const outcome = await copyDependencies(source, target, name, { files: 2, bytes: 6, timeMs: 60_000, ...bounds });
    return { target, outcome };
  };
  expect((await copied({})).outcome).toEqual({ files: 2, bytes: 6, linksLeftOut: 0 });
  expect((await copied({ files: 1 })).outcome).toEqual({
    ...{ files: 0, bytes: 0, linksLeftOut: 0, refused: 'they are more than 1 files' },
  });
  expect((await copied({ bytes: 5 })).outcome.refused).toBe('they are larger than 0 MiB');
  expect((await copied({ timeMs: -1_000 })).outcome.refused).toBe('copying took longer than -1 s');
  const gone = await copied({}, 'gone');
  expect([gone.outcome.refused, existsSync(path.join(gone.target, 'gone'))]).toEqual([
    'copying failed (ENOENT)',
    false,
  ]);
  for (const folder of ['.venv', 'other']) {
    symlinkSync('/usr/bin/python3', path.join(source, folder, 'bin/python3.12'));
    symlinkSync('/usr/bin/env', path.join(source, folder, 'bin/env'));
    symlinkSync(path.join(source, 'gone/bin/python3'), path.join(source, folder, 'bin/python'));
  }
  const [own, other] = [await copied({}, '.venv'), await copied({}, 'other')];
  expect([own.outcome.linksLeftOut, other.outcome.linksLeftOut]).toEqual([1, 2]);
  expect(readdirSync(path.join(own.target, '.venv/bin')).sort()).toEqual(['python', 'python3.12', 'x']);
  expect(readdirSync(path.join(other.target, 'other/bin')).sort()).toEqual(['python', 'x']);
  write(source, Object.fromEntries(Array.from({ length: 33 }, (_, number) => [`many/f${number}`, 'x'])));
  expect((await copied({ files: 33, bytes: 33 }, 'many')).outcome).toMatchObject({ files: 33, bytes: 33 });
});

test('a scratch copy has what is installed beside each manifest and command, and not what is tracked', async () => {
  const source = room('source');
  write(source, {
    ...{ 'node_modules/a/x': 'x', 'pkg/node_modules/b/x': 'x', 'cmd/.venv/x': 'x', 'vendor/x': 'x', 'deep/venv/x': '' },
    ...{ venv: 'a file' },
  });
  const worktree = path.join(room('worktree'), 'tree');
  const steps: string[] = [];
  const git = {
    removeWorktree: async () => void steps.push('removed'),
    addWorktree: async (_: string, folder: string) => {
      steps.push(existsSync(folder) ? 'over' : 'added');
      mkdirSync(folder, { recursive: true });
    },
  };
  mkdirSync(worktree);
  const plan = planOf(source, { commands: [{ folder: 'cmd' }, { folder: 'cmd' }] as never });
  const files = ['pkg/package.json', 'pkg/other.json', 'vendor/x'];
  const { facts, output, findings, command } = await prepare(git as never, plan, files, worktree);
  expect(steps).toEqual(['removed', 'added']);
  expect(facts).toEqual({
    copied: ['cmd/.venv', 'node_modules', 'pkg/node_modules'].map((folder) => ({ folder, files: 1, bytes: 1 })),
    links_left_out: 0,
  });
  expect([findings, command]).toEqual([[], 'git worktree add --detach tree HEAD']);
  expect(output.split('\n')).toEqual([
    'Checked out abcdef012345 into a scratch worktree.',
    ...['cmd/.venv', 'node_modules', 'pkg/node_modules'].map((folder) => `Copied ${folder}: 1 files, 0.0 MiB.`),
    expect.stringMatching(/^Copying took /),
  ]);
  expect(lstatSync(path.join(worktree, 'node_modules/a/x')).isFile()).toBe(true);
  symlinkSync('/elsewhere', path.join(source, 'node_modules/out'));
  expect((await prepare(git as never, plan, files, worktree)).output).toMatch(/\n1 links that lead out of the copy/);
  const empty = await prepare(git as never, planOf(room('empty')), [], worktree);
  expect(empty.output).toMatch(/\nThere are no installed dependencies to copy\.$/);
});

test('a command is run where it belongs, with the Python of the project, when what it needs is there', async () => {
  const worktree = room('worktree');
  write(worktree, { 'pkg/x': '', 'node_modules/x': '', needs: 'a file' });
  symlinkSync(room('elsewhere'), path.join(worktree, 'linked'));
  const asked: { program: string; cwd: string; timeMs: number }[] = [];
  const programs = {
    run: async (program: string, _: unknown, options: { cwd: string; timeMs: number }) => {
      asked.push({ program, cwd: options.cwd, timeMs: options.timeMs });
      return { code: 0, end: 'exited', output: 'fine', durationMs: 5 };
    },
  };
  const run = async (more: Partial<RecognisedCommand>, plan: Partial<ReviewPlan> = {}) => {
    const one = {
      id: 'c',
      title: 'c',
      kind: 'unit',
      program: 'sh',
      args: ['-c', 'x'],
      folder: '',
      install: 'npm ci',
      ...more,
    };
    return await runCommand(planOf(worktree, plan), one as RecognisedCommand, worktree, {}, programs as never);
  };
  expect(await run({})).toMatchObject({
    ...{ command: 'sh -c x', exit_code: 0, output: 'fine' },
    facts: { end: 'exited', program_ms: 5, time_box_ms: SURFACE_LIMITS.commandFastMs },
  });
  await run({ folder: 'pkg', needs: 'node_modules' }, { run: 'all' });
  expect(asked).toEqual([
    { program: 'sh', cwd: worktree, timeMs: SURFACE_LIMITS.commandFastMs },
    { program: 'sh', cwd: path.join(worktree, 'pkg'), timeMs: SURFACE_LIMITS.commandAllMs },
  ]);
  for (const [more, why] of [
    [{ folder: 'linked' }, 'There is no scratch copy to run it in.'],
    [{ folder: 'gone' }, 'There is no scratch copy to run it in.'],
    [{ needs: 'needs' }, 'Its dependencies (needs) are not installed.'],
    [{ needs: 'vendor' }, 'Its dependencies (vendor) are not installed.'],
  ] as const)
    expect(await run(more), why).toMatchObject({
      exit_code: null,
      output: `Not run. ${why}`,
      facts: { end: 'not-run' },
    });
  expect(asked).toHaveLength(2);
  for (const [file, folder] of [
    ['', 'pkg'],
    ['venv/bin/python', 'pkg'],
    ['.venv/bin/python', 'pkg'],
    ['pkg/.venv/bin/python', 'pkg'],
  ] as const) {
    if (file !== '') write(worktree, { [file]: '' });
    await run({ folder, program: 'python3' });
    expect(asked.at(-1)?.program).toBe(file === '' ? 'python3' : path.join(worktree, file));
  }
  await run({ program: 'python' });
  expect(asked.at(-1)?.program).toBe('python');
});

test('a program of the repository knows the names on the list, and what tools are told', () => {
  const passed = [
    ...['HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'JAVA_HOME'],
    ...[
      'M2_HOME',
      'MAVEN_HOME',
      'CARGO_HOME',
      'RUSTUP_HOME',
      'GOROOT',
      'GOPATH',
      'GOMODCACHE',
      'GOCACHE',
      'PYENV_ROOT',
    ],
    ...['NVM_DIR', 'PNPM_HOME', 'VOLTA_HOME', 'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'NODE_EXTRA_CA_CERTS'],
    ...['WG_RUN', 'TROUPE_TEST_ROOM'],
  ];
  const base = Object.fromEntries([...passed, 'MY_KEY', 'NODE_OPTIONS'].map((name) => [name, `${name} here`]));
  const environment = programEnvironment({ ...base, PATH: `/a${path.delimiter}b${path.delimiter}/c` }, '/scratch');
  expect(environment).toMatchObject({
    ...Object.fromEntries(passed.map((name) => [name, `${name} here`])),
    ...{ PATH: `/a${path.delimiter}/c`, npm_config_cache: '/scratch/npm', CI: '1', GIT_TERMINAL_PROMPT: '0' },
  });
  for (const name of ['MY_KEY', 'NODE_OPTIONS']) expect(environment).not.toHaveProperty(name);
  expect(programEnvironment({}, '/scratch')).toMatchObject({ PATH: '' });
  expect(programEnvironment({}, '/scratch')).not.toHaveProperty('HOME');
});

test('what each manifest of npm names', () => {
  const row = (name: string, version?: string, more: object = {}) => ({
    ...{ ecosystem: 'npm', name, version, direct: false, development: false, ...more },
  });
  const licences = [
    { license: 'MIT' },
    { license: { type: 'ISC' } },
    { licenses: [{ type: 'A' }, 'B', 7] },
    { licenses: [] },
  ];
  expect([...licences, { license: '' }, {}, { license: { type: 7 } }].map((one) => npm.licenceOf(one))).toEqual([
    ...['MIT', 'ISC', 'A OR B', undefined, undefined, undefined, undefined],
  ]);
  const manifest = { dependencies: { a: '1' }, optionalDependencies: { b: 7 }, devDependencies: { c: '3' } };
  expect(npm.fromPackageJson(JSON.stringify(manifest))).toEqual([
    ...[row('a', '1', { direct: true }), row('b', undefined, { direct: true })],
    row('c', '3', { direct: true, development: true }),
  ]);
  expect([npm.fromPackageJson('{'), npm.fromPackageJson('{"dependencies":[]}')]).toEqual([[], []]);
  for (const field of ['main', 'module', 'exports', 'types', 'bin', 'files']) {
    expect(npm.isPublished(JSON.stringify({ name: 'x', [field]: 'y' })), field).toBe(true);
    expect(npm.isPublished(JSON.stringify({ name: 'x', private: true, [field]: 'y' })), field).toBe(false);
    expect(npm.isPublished(JSON.stringify({ [field]: 'y' })), field).toBe(false);
  }
  expect([npm.isPublished('{"name":"x"}'), npm.isPublished('{')]).toEqual([false, false]);
  const lock = {
    packages: {
      ...{
        '': { dependencies: { a: '1' }, devDependencies: { b: '1' }, optionalDependencies: { c: '1' } },
        'pkg/own': {},
      },
      ...{ 'node_modules/a': { version: '1.0.0', license: 'MIT' }, 'node_modules/b': { version: '2.0.0', dev: true } },
      ...{
        'node_modules/c': { version: '3.0.0', devOptional: true },
        'node_modules/b/node_modules/a': { version: '1.5.0' },
      },
      ...{
        'node_modules/linked': { link: true },
        'node_modules/odd': 7,
        'node_modules/alias': { name: 'real', version: '' },
      },
    },
  };
  expect(npm.fromPackageLock(JSON.stringify(lock))).toEqual([
    row('a', '1.0.0', { direct: true, licence: 'MIT' }),
    row('b', '2.0.0', { direct: true, development: true, licence: undefined }),
    row('c', '3.0.0', { direct: true, development: true, licence: undefined }),
    row('a', '1.5.0', { licence: undefined }),
    row('real', undefined, { licence: undefined }),
  ]);
  expect(npm.fromPackageLock('{"packages":{"node_modules/a":{}}}')).toMatchObject([{ name: 'a', direct: false }]);
  const old = { dependencies: { a: { version: '1', dev: true, dependencies: { b: { version: '2' } } }, c: 7 } };
  expect(npm.fromPackageLock(JSON.stringify(old))).toEqual([
    row('a', '1', { direct: true, development: true }),
    row('b', '2'),
  ]);
  expect([npm.fromPackageLock('{'), npm.fromPackageLock('{}')]).toEqual([[], []]);
  const pnpm =
    'packages:\n  /a@1.0.0(peer@1):\n    dev: true\n  "@s/b@2.0.0": 7\n  /c/3.0.0_peer: {}\n  odd: {}\n  /d/4.0.0:\n';
  expect(npm.fromPnpmLock(pnpm)).toEqual([
    row('a', '1.0.0', { development: true }),
    row('@s/b', '2.0.0'),
    row('c', '3.0.0'),
    row('d', '4.0.0'),
  ]);
  expect([npm.fromPnpmLock('a: 1\n'), npm.fromPnpmLock('- 1\n')]).toEqual([[], []]);
  const yarn =
    '# head\n  version "9"\n"@s/a@^1", "@s/a@^2":\n  version "1.5"\n  version "7"\n\nb@npm:2:\n  version: 2.0\nown@workspace:.:\n  version: 0.0.0-use.local\n  version: 5\n';
  expect(npm.fromYarnLock(yarn)).toEqual([row('@s/a', '1.5'), row('b', '2.0')]);
});
