import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LocalGit } from '#adapters/git/local-git.js';
import { RepositoryInspector } from '#adapters/inspectors/repository-inspector.js';
import { TrackedFileReader } from '#adapters/inspectors/tracked-files.js';
import { LocalPrograms } from '#adapters/processes/local-programs.js';
import type { InspectionName, ReviewPlan } from '#core/review/plan.js';
import { commitAll, git, repository, treeDigest, write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

async function read(folder: string, names: string[]) {
  const reader = new TrackedFileReader(folder);
  const texts: Record<string, string> = {};
  for await (const { file, text } of reader.texts(names)) texts[file] = text;
  return { reader, texts };
}

function plan(folder: string): ReviewPlan {
  return {
    version: 1,
    review: 'review',
    workflow: 'repository-review',
    name: 'x',
    repository: folder,
    dependencies_from: folder,
    run: 'none',
    head: git(folder, 'rev-parse', 'HEAD').trim(),
    started_at: new Date().toISOString(),
    leader: 'Neo',
    facts: [],
    commands: [],
    steps: [],
  };
}

function inspector(projectFolder: string): RepositoryInspector {
  return new RepositoryInspector({
    projectFolder,
    git: new LocalGit(process.env),
    programs: new LocalPrograms({ projectFolder, environment: {} }),
    environment: process.env,
  });
}

const inspect = (folder: string, name: InspectionName) => inspector(folder).inspect({ name, plan: plan(folder) });

verifies('sec.path.escape', 'no link, pipe or path that leads out is read, and none is waited for', async () => {
  const outside = room('outside');
  write(outside, { 'secret.txt': 'secret' });
  const folder = room();
  write(folder, { 'plain.txt': 'plain', 'real/a.txt': 'a' });
  symlinkSync(path.join(outside, 'secret.txt'), path.join(folder, 'link.txt'));
  symlinkSync(outside, path.join(folder, 'linked'));
  symlinkSync('real', path.join(folder, 'inner'));
  execFileSync('mkfifo', [path.join(folder, 'pipe')]);
  const names = [
    'plain.txt',
    'link.txt',
    'linked/secret.txt',
    'inner/a.txt',
    'pipe',
    `../${path.basename(outside)}/secret.txt`,
    path.join(outside, 'secret.txt'),
    'real',
  ];
  expect((await read(folder, names)).texts).toEqual({ 'plain.txt': 'plain' });
});

test('files nobody can read, that are gone, binary or huge are passed over and told about', async () => {
  const folder = room();
  write(folder, { 'a.txt': 'a', 'binary.txt': 'a\u0000b' });
  const huge = openSync(path.join(folder, 'huge.txt'), 'w');
  writeSync(huge, 'text '.repeat(2_000));
  ftruncateSync(huge, 2 * 1024 * 1024 * 1024);
  closeSync(huge);
  const tooLong = 'x'.repeat(300);
  const { texts, reader } = await read(folder, ['a.txt', 'binary.txt', 'gone.txt', 'huge.txt', tooLong]);
  expect(texts).toEqual({ 'a.txt': 'a' });
  expect(reader.findings('secrets').map((item) => [item.rule, item.severity, item.file])).toEqual([
    ['file-not-searched', 'info', 'huge.txt'],
    ['unreadable-file', 'info', tooLong],
  ]);
});

test('an inspection stops at its time and says how much it left out', async () => {
  const folder = room();
  write(folder, { a: 'a', b: 'b' });
  const reader = new TrackedFileReader(folder, -1);
  for await (const { file } of reader.texts(['a', 'b'])) throw new Error(`${file} was read`);
  expect(reader.findings('todos')[0]).toMatchObject({ rule: 'inspection-bounded', severity: 'info' });
});

const ODD = [
  'with space.md',
  'line\nbreak.md',
  '$(touch x).md',
  '😀.md',
  '-n.md',
  '`id`.md',
  'quo\'te".md',
  '<img src=x>.md',
];

verifies(
  ['sec.open', 'sec.names'],
  'inspecting a hostile repository runs nothing from it and changes nothing in it',
  async () => {
    const folder = repository(Object.fromEntries(ODD.map((name) => [name, '# T\n\nTODO: x [l](gone.md)\n'])));
    const marks = room('marks');
    const evil = `#!/bin/sh\ntouch ${marks}/ran\n`;
    write(folder, {
      'package.json': JSON.stringify({
        scripts: { preinstall: `touch ${marks}/ran` },
        dependencies: { 'a b$(x)': '*' },
      }),
      'conftest.py': `open("${marks}/ran", "w")`,
      'setup.py': `open("${marks}/ran", "w")`,
      '.npmrc': 'script-shell=/bin/evil\n',
      Makefile: `all:\n\ttouch ${marks}/ran\n`,
      'pnpm-lock.yaml': `packages:\n  &a a@1: [*a, *a]\n`,
      'Cargo.lock': 'package = [[[',
    });
    commitAll(folder, 'second');
    for (const hook of ['post-checkout', 'pre-commit', 'post-index-change', 'fsmonitor-watchman']) {
      writeFileSync(path.join(folder, '.git/hooks', hook), evil, { mode: 0o755 });
    }
    git(folder, 'config', 'core.fsmonitor', path.join(folder, '.git/hooks/fsmonitor-watchman'));
    git(folder, 'config', 'diff.external', path.join(folder, '.git/hooks/pre-commit'));
    const before = treeDigest(folder);
    for (const name of ['secrets', 'inventory', 'links', 'hotspots', 'todos', 'presence', 'big'] as const) {
      const result = await inspect(folder, name);
      expect(result.exit_code, name).toBe(0);
      expect(result.output, name).not.toMatch(/[\u0000-\u0008\u001b]/);
      if (name === 'links') expect(new Set(result.findings.map((item) => item.file))).toEqual(new Set(ODD));
      if (name === 'todos') expect(result.facts).toMatchObject({ counts: { TODO: ODD.length } });
      if (name === 'inventory') expect(result.findings.map((item) => item.rule)).toContain('manifest-invalid');
    }
    expect(treeDigest(folder)).toBe(before);
    expect(execFileSync('ls', [marks], { encoding: 'utf8' })).toBe('');
  },
);

test('secrets: found at the right file and line among many, masked, quieter in tests, and no file silences another', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const folder = repository({
    'a.js': '// secretlint-disable\n',
    'b.js': `one\ntwo\nconst t = "${token}";\n`,
    'test/c.js': `const t = "${token}";\n`,
    'd.json': JSON.stringify({ token }, null, 2),
    '.env': 'API_TOKEN=9f8a7b6c5d4e\n',
    'app/.env': 'TERMINAL_WIDTH=3000\n',
    '.env.example': 'X=\n',
    'e.txt': 'nothing\n',
  });
  const { findings } = await inspect(folder, 'secrets');
  expect(findings.map((item) => `${item.severity} ${item.file}:${item.line ?? ''}`).sort()).toEqual([
    'critical b.js:3',
    'critical d.json:2',
    'low .env:',
    'low test/c.js:1',
  ]);
  expect(findings.find(({ file }) => file === 'test/c.js')?.confidence).toBe('possible');
  expect(JSON.stringify(findings)).not.toContain(token.slice(8, 20));
});

test('inventory: five ecosystems, licences from lockfile and installation', async () => {
  const folder = repository({
    'package.json': JSON.stringify({ dependencies: { left: '^1', right: '2.0.0' }, devDependencies: { tool: '^3' } }),
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { left: '^1', right: '2.0.0' }, devDependencies: { tool: '^3' } },
        'node_modules/left': { version: '1.4.0', license: 'MIT' },
        'node_modules/right': { version: '2.0.0' },
        'node_modules/tool': { version: '3.1.0', dev: true, license: 'GPL-3.0' },
        'node_modules/left/node_modules/deep': { version: '9.0.0', license: 'ISC' },
      },
    }),
    'pyproject.toml': '[project]\ndependencies = ["requests[socks] >= 2.0", "flask==3.0.1"]\n',
    'Cargo.toml': '[dependencies]\nserde = "1"\n',
    'Cargo.lock':
      '[[package]]\nname = "me"\nversion = "0.1.0"\n[[package]]\nname = "serde"\nversion = "1.0.9"\nsource = "registry"\n',
    'go.mod': 'module x\nrequire (\n\tgithub.com/a/b v1.2.3\n\tgithub.com/c/d v0.1.0 // indirect\n)\n',
    'pom.xml':
      '<project><!-- <dependency><artifactId>old</artifactId></dependency> --><dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency></project>',
  });
  write(folder, { 'node_modules/right/package.json': JSON.stringify({ license: 'Apache-2.0' }) });
  const { facts, findings } = await inspect(folder, 'inventory');
  const rows = (
    facts['dependencies'] as { ecosystem: string; name: string; version?: string; direct: boolean; licence?: string }[]
  ).map(
    (item) =>
      `${item.ecosystem} ${item.name} ${item.version ?? '-'} ${item.direct ? 'direct' : 'indirect'} ${item.licence ?? '-'}`,
  );
  expect(rows).toEqual([
    'cargo serde 1.0.9 direct -',
    'go github.com/a/b v1.2.3 direct -',
    'go github.com/c/d v0.1.0 indirect -',
    'maven g:a 1 direct -',
    'npm deep 9.0.0 indirect ISC',
    'npm left 1.4.0 direct MIT',
    'npm right 2.0.0 direct Apache-2.0',
    'npm tool 3.1.0 direct GPL-3.0',
    'python flask 3.0.1 direct -',
    'python requests - direct -',
  ]);
  expect(findings.map((item) => `${item.rule} ${item.severity} ${item.file ?? item.title}`)).toEqual([
    'no-lockfile medium go.mod',
    'no-lockfile low pyproject.toml',
    'copyleft-licence info tool is under GPL-3.0',
  ]);
});

test('links: anchors are numbered as GitHub numbers them, also beside a heading that looks numbered', async () => {
  const folder = repository({
    'README.md': [
      '# Set up\n\n# Set up\n\n# Set up-1\n\n# A `b` & *c*: Über–d\n',
      '[1](#set-up) [2](#set-up-1) [3](#set-up-1-1) [4](#a-b--c-überd) [5](#set-up-2)\n',
    ].join('\n'),
  });
  const { findings } = await inspect(folder, 'links');
  expect(findings.map((item) => item.detail)).toEqual(['#set-up-2: README.md has no heading “set-up-2”.']);
});

verifies(
  'review.true',
  'a link to what a build makes is none that leads nowhere, and a copied note is one note',
  async () => {
    const folder = repository({
      '.gitignore': 'coverage/\n/docs/logo.gif\n',
      'README.md': '[report](coverage/index.html) ![logo](docs/logo.gif) [gone](docs/gone.md) [part](#part)',
      'src/parse.c': '// TODO: read numbers of more than one hundred digits\n',
      'single/all.c': '// TODO: read numbers of more than one hundred digits\n// TODO: second\n',
      'src/lexer.c': '#line 2 "src/lexer.c"\n// FIXME: should we pop?\n',
      'tests/thirdparty/fuzz.cpp': '// FIXME: no shell path here\n',
    });
    const { findings } = await inspect(folder, 'links');
    expect(findings.map(({ detail }) => detail)).toEqual([
      'docs/gone.md: docs/gone.md is not in the repository.',
      '#part: README.md has no heading “part”.',
    ]);
    const notes = await inspect(folder, 'todos');
    expect(notes.findings.map(({ file, title }) => `${file}: ${title}`)).toEqual([
      'single/all.c: 2 notes left for later',
    ]);
  },
);

test('inventory: pnpm and yarn lockfiles', async () => {
  const folder = repository({
    'a/package.json': JSON.stringify({ dependencies: { x: '^1' } }),
    'a/pnpm-lock.yaml': 'packages:\n  /x@1.2.3(peer@1):\n    dev: false\n  "@s/y@2.0.0":\n    resolution: {}\n',
    'b/yarn.lock': '"@s/z@^1.0.0", "@s/z@^1.1.0":\n  version "1.1.5"\n\nlone@npm:^4:\n  version: 4.0.1\n',
  });
  const { facts } = await inspect(folder, 'inventory');
  expect(
    (facts['dependencies'] as { name: string; version: string }[]).map((item) => `${item.name}@${item.version}`),
  ).toEqual(['@s/y@2.0.0', '@s/z@1.1.5', 'lone@4.0.1', 'x@1.2.3']);
});

test('big: size and kind from the first bytes; a sparse file of 2 GB costs nothing', async () => {
  const folder = repository({
    'a.txt': 'text',
    'lib.jar': 'PK\u0003\u0004\u0000\u0000',
    'tool.dll': 'MZ\u0003\u0004\u0000\u0000',
  });
  write(folder, { 'huge.bin': '' });
  commitAll(folder, 'second');
  const huge = openSync(path.join(folder, 'huge.bin'), 'w');
  ftruncateSync(huge, 2 * 1024 * 1024 * 1024);
  closeSync(huge);
  const { findings } = await inspect(folder, 'big');
  expect(findings.map((item) => `${item.rule} ${item.severity} ${item.file}`)).toEqual([
    'built-file-tracked low tool.dll',
    'large-file high huge.bin',
  ]);
});

test('hot spots: counted from the history of the last year, names verbatim', async () => {
  const folder = repository({ 'line\nbreak.ts': 'x\n' });
  for (let round = 0; round < 9; round++) {
    write(folder, { 'line\nbreak.ts': `${'line\n'.repeat(400)}${round}\n`, 'yarn.lock': `${round}` });
    commitAll(folder, `round ${round}`);
  }
  const { findings, facts } = await inspect(folder, 'hotspots');
  expect(facts).toMatchObject({ commits: 10, spots: [{ file: 'line\nbreak.ts', commits: 10, authors: 1 }] });
  expect(findings).toMatchObject([{ rule: 'hotspot', file: 'line\nbreak.ts' }]);
});

verifies(
  'sec.tree.links',
  'a link in the path of a report folder is refused, for reading, writing and removing',
  async () => {
    const outside = room('outside');
    const folder = room();
    mkdirSync(path.join(folder, '.workgraph'));
    symlinkSync(outside, path.join(folder, '.workgraph', 'reports'));
    const { folder: reports } = inspector(folder);
    const refused = { code: 'unsafe_path' };
    await expect(reports.reserve('review')).rejects.toMatchObject(refused);
    await expect(reports.readPlan('review')).rejects.toMatchObject(refused);
    await expect(reports.writePlan(plan(repository({})))).rejects.toMatchObject(refused);
    await expect(reports.discard('review')).rejects.toMatchObject(refused);
    for (const name of ['../x', '', 'A', 'a/b', '-x']) {
      await expect(reports.readPlan(name)).rejects.toMatchObject({ code: 'bad_input' });
    }
  },
);

test('report folders: one owner a name, atomic files only their owner may read, broken ones told', async () => {
  const folder = room();
  const { folder: reports } = inspector(folder);
  expect(await Promise.all([reports.reserve('review'), reports.reserve('review')])).toEqual(
    expect.arrayContaining([true, false]),
  );
  await expect(reports.readPlan('review')).rejects.toMatchObject({ code: 'unknown_review' });
  write(folder, {
    '.workgraph/reports/review/plan.json': '{"version": 2}',
    '.workgraph/reports/review/evidence/todos.json': '{',
  });
  await expect(reports.readPlan('review')).rejects.toMatchObject({ code: 'corrupt' });
  expect(await reports.readEvidence('review', ['todos', 'links'])).toEqual([
    { node: 'todos', problem: 'its evidence cannot be parsed' },
    { node: 'links', problem: 'it left no evidence' },
  ]);
  expect(
    execFileSync('stat', ['-c', '%a', path.join(folder, '.workgraph/reports/review')], { encoding: 'utf8' }).trim(),
  ).toBe('700');
});

test('a folder nobody may write to, and a file where the folder should be, are said so', async () => {
  // Not even root makes folders there.
  await expect(inspector('/sys').folder.reserve('review')).rejects.toMatchObject({ code: 'read_only' });
  const folder = room();
  write(folder, { '.workgraph/reports': 'a file' });
  await expect(inspector(folder).folder.reserve('review')).rejects.toMatchObject({ code: 'read_only' });
});

verifies(
  'sec.path.escape',
  'a path that is absolute, climbs or leads into .git is not read, and is no finding',
  async () => {
    const folder = room();
    write(folder, { 'a/b.txt': 'b', '.git/config': 'secret', 'a/.git/config': 'secret' });
    const { reader, texts } = await read(folder, [
      ...[
        path.join(folder, 'a/b.txt'),
        '../x',
        'a/../a/b.txt',
        '.git/config',
        'a/.git/config',
        'gone/c.txt',
        'a/b.txt',
      ],
    ]);
    expect(texts).toEqual({ 'a/b.txt': 'b' });
    expect(reader.findings('secrets')).toEqual([]);
  },
);

test('files of these names are read wherever they lie, the nearest first', async () => {
  const folder = room();
  write(folder, {
    'deep/er/NAME': 'deeper',
    'deep/NAME': 'deep',
    NAME: 'top',
    'deep/OTHER': 'other',
    'deep/NAMES': 'x',
  });
  const files = ['deep/er/NAME', 'deep/NAME', 'NAME', 'deep/OTHER', 'deep/NAMES'];
  const texts = await inspector(folder).readNamed(folder, files, ['NAME', 'OTHER']);
  expect([...texts]).toEqual([
    ['NAME', 'top'],
    ['deep/NAME', 'deep'],
    ['deep/OTHER', 'other'],
    ['deep/er/NAME', 'deeper'],
  ]);
});

test('a link and an image of HTML are told apart', async () => {
  const html = '<a href="gone.md">x</a> <img alt="" src="gone.png">\n\n<a name="here"></a>\n\n[here](#here)\n';
  const folder = repository({ 'README.md': html });
  const { findings } = await inspect(folder, 'links');
  expect(findings.map(({ rule, line }) => [rule, line])).toEqual([
    ['broken-link', 1],
    ['missing-image', 1],
  ]);
});
