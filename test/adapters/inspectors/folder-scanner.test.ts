import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FolderScanner } from '#adapters/inspectors/folder-scanner.js';
import { openBelow } from '../../open-files.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const scanner = new FolderScanner();

/** A folder with these files; a name that ends in `/` is an empty folder. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = room('scan');
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(name.endsWith('/') ? file : path.dirname(file), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(file, text);
  }
  return folder;
}

async function signalsOf(files: Readonly<Record<string, string>>) {
  const folder = project(files);
  const { signals } = await scanner.scan(folder);
  expect(openBelow(folder)).toEqual([]);
  return signals;
}

verifies(
  'cast.words',
  'a language counts by how much of it there is, not by files, and a trace of one not at all',
  async () => {
    const languages = (
      await signalsOf({
        'main.rs': 'x'.repeat(60_000),
        'lib.rs': 'x'.repeat(60_000),
        'a.sh': 'x'.repeat(2_000),
        'b.sh': 'x'.repeat(2_000),
        'c.sh': 'x'.repeat(2_000),
        'bundle.js': 'x'.repeat(900_000),
      })
    ).languages;
    expect(languages).toEqual(['rust', 'javascript']);
  },
);

verifies('cast.words', 'a twentieth of the code is a language, a fifth of all is a content', async () => {
  const of = (bytes: number) => 'x'.repeat(bytes - 1); // that there is such a file counts one
  const languages = async (rust: number, shell: number) =>
    (await signalsOf({ 'a.rs': of(rust), 'b.sh': of(shell) })).languages;
  expect([await languages(95, 5), await languages(200, 10)]).toEqual([['rust', 'shell'], ['rust']]);
  const { contents } = await signalsOf({ 'a.rs': of(1_001), 'b.ipynb': of(250) });
  expect(contents).toEqual(['code']);
});

const LONG = 'x'.repeat(4_000);

verifies(
  'who.cast',
  'what a repository holds is told by what most of it is, not by the first program in it',
  async () => {
    const common = {
      'README.md': LONG,
      'CHANGELOG.md': LONG,
      '.github/workflows/check.yml': LONG,
      'tool.py': 'print()',
    };
    const held = async (files: Readonly<Record<string, string>>) => (await signalsOf({ ...common, ...files })).contents;
    expect(await held({ 'src/SUMMARY.md': LONG, 'src/chapter/one.md': LONG })).toEqual(['text']);
    expect(await held({ 'chapters/one.tex': LONG })).toEqual(['text']);
    expect(await held({ 'first.ipynb': LONG, 'notes.md': 'x' })).toEqual(['notebooks']);
    expect(await held({ 'dbt_project.yml': 'x', 'models/a.sql': LONG, 'models/schema.md': LONG })).toEqual([
      'pipelines',
    ]);
    expect(await held({ 'dags/daily.py': LONG })).toEqual(['pipelines']);
    expect(await held({ 'prompts/a.md': LONG, 'evals/cases.jsonl': LONG })).toEqual(['prompts']);
    expect(await held({ 'main.tf': LONG, 'docs/use.md': LONG })).toEqual(['infrastructure']);
    expect(await held({ 'tasks/main.yml': LONG, 'handlers/main.yml': LONG })).toEqual(['infrastructure']);
    // Documents of a program, and a container for it, are part of the program.
    expect(await held({ 'src/main.go': LONG, 'docs/a.md': LONG, Dockerfile: 'x' })).toEqual(['code']);
    expect(await held({ 'src/main.go': LONG, 'infra/main.tf': LONG + LONG })).toEqual(['infrastructure', 'code']);
  },
);

verifies('who.cast', 'a generator of web pages is known by its file at the top', async () => {
  for (const name of ['_config.yml', 'hugo.toml', 'docusaurus.config.js', 'astro.config.mjs', 'eleventy.config.js'])
    expect(await signalsOf({ [name]: 'x', 'a.md': LONG }), name).toMatchObject({ site: true, contents: ['text'] });
  expect(await signalsOf({ 'below/_config.yml': 'x', 'a.md': LONG })).toMatchObject({ site: false });
});

verifies('casting.scan.signals', 'languages by extension, most of the code first', async () => {
  const signals = await signalsOf({
    'a.ts': '',
    'b.tsx': '',
    'src/c.py': '',
    'd.CS': '',
    'e.unknown': '',
    'x/y.py': '',
    'x/z.py': '',
  });
  expect(signals.languages).toEqual(['python', 'typescript', 'csharp']);
});

verifies('casting.scan.signals', 'frameworks from manifests, from nothing else', async () => {
  const signals = await signalsOf({
    'package.json': JSON.stringify({
      dependencies: { react: '1', next: '2' },
      devDependencies: { '@angular/core': '3', svelte: '4' },
      peerDependencies: { vue: '5' },
    }),
    'api/pyproject.toml': '[project]\ndependencies = ["Django>=5", "fastapi"]\n# flask\n',
    'web/Web.csproj':
      '<Project Sdk="Microsoft.NET.Sdk.Web"><PackageReference Include="Microsoft.AspNetCore.Components.Web" /></Project>',
    'notes.txt': 'flask',
  });
  expect(signals.frameworks).toEqual([
    'react',
    'vue',
    'angular',
    'nextjs',
    'svelte',
    'aspnet',
    'blazor',
    'django',
    'fastapi',
  ]);
  expect(await signalsOf({ 'requirements.txt': 'Flask==3.0\nnot-django-at-all==1\n' })).toMatchObject({
    frameworks: ['flask'],
  });
  expect(await signalsOf({ 'package.json': '{"dependencies": {"react"' })).toMatchObject({ frameworks: [] });
  for (const text of ['{"dependencies": ["react"], "constructor": 1}', '{"dependencies": null}', 'null', '["react"]'])
    expect(await signalsOf({ 'package.json': text }), text).toMatchObject({ frameworks: [] });
});

verifies('casting.scan.signals', 'tests, docs, CI and size', async () => {
  expect(await signalsOf({ 'a.ts': '' })).toMatchObject({ tests: false, docs: false, ci: false, size: 'small' });
  for (const name of ['test/a', 'x/tests/a', '__tests__/a', 'spec/a', 'a.test.ts', 'a.spec.js', 'a_test.go']) {
    expect(await signalsOf({ [name]: '' })).toMatchObject({ tests: true });
  }
  for (const name of ['README.md', 'README', 'docs/a.md', 'sub/readme.txt'])
    expect(await signalsOf({ [name]: '' })).toMatchObject({ docs: true });
  for (const name of ['.github/workflows/ci.yml', '.gitlab-ci.yml', 'azure-pipelines.yml']) {
    expect(await signalsOf({ [name]: '' })).toMatchObject({ ci: true });
  }
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}.txt`, '']));
  const sizes = await Promise.all([49, 50, 249, 250].map(async (count) => (await signalsOf(many(count))).size));
  expect(sizes).toEqual(['small', 'medium', 'medium', 'large']);
});

verifies('casting.scan.skip', 'built and foreign folders and files with secrets are not looked at', async () => {
  const skipped = [
    '.git',
    'node_modules',
    'bin',
    'obj',
    '.next',
    'dist',
    'build',
    'target',
    '__pycache__',
    '.venv',
    'vendor',
    '.cache',
    'coverage',
    '.squad',
    '.workgraph',
  ];
  const secrets = [
    '.env',
    '.env.local',
    'a.pem',
    'b.key',
    'c.pfx',
    'd.p12',
    'id_rsa',
    'id_ed25519',
    'credentials.json',
    'secrets.yaml',
    'e.secret',
    '.npmrc',
    '.netrc',
  ];
  const files = [
    ...skipped.map((name) => `${name}/a.ts`),
    ...skipped.map((name) => `deep/${name}/a.ts`),
    ...secrets,
    ...secrets.map((name) => `x/${name}`),
  ];
  const scan = await scanner.scan(project({ ...Object.fromEntries(files.map((name) => [name, ''])), 'kept.go': '' }));
  expect(scan).toMatchObject({ files: 1, signals: { languages: ['go'] } });
});

verifies(
  'casting.scan.bounds',
  'breadth first and sorted, so that a scan that is cut off has seen the top',
  async () => {
    const files: Record<string, string> = {};
    for (let index = 0; index < 499; index++) files[`a/${String(index).padStart(3, '0')}.py`] = '';
    files['z.go'] = 'x'.repeat(100);
    files['a/zz/deep.rs'] = '';
    const scan = await scanner.scan(project(files));
    expect(scan).toMatchObject({ files: 500, truncated: true });
    expect(scan.signals.languages).toEqual(['python', 'go']);
  },
);

verifies('casting.scan.bounds', 'depth, entries and the size of a manifest are limited', async () => {
  const at = (depth: number) => `${'d/'.repeat(depth)}a.ts`;
  expect(await scanner.scan(project({ [at(12)]: '' }))).toMatchObject({ files: 1, truncated: false });
  expect(await scanner.scan(project({ [at(13)]: '' }))).toMatchObject({ files: 0, truncated: true });
  const padding = ' '.repeat(64 * 1024);
  expect(await signalsOf({ 'requirements.txt': `${padding}\nflask\n` })).toMatchObject({ frameworks: [] });
  expect(await signalsOf({ 'requirements.txt': `flask\n${padding}` })).toMatchObject({ frameworks: ['flask'] });
  const manifests: Record<string, string> = {};
  for (let index = 0; index < 16; index++)
    manifests[`a${String(index).padStart(2, '0')}/requirements.txt`] = `x\n${padding}`;
  expect(await signalsOf({ ...manifests, 'b/requirements.txt': 'flask' })).toMatchObject({ frameworks: [] });
  delete manifests['a15/requirements.txt'];
  const last = 'flask'.padStart(64 * 1024);
  expect(await signalsOf({ ...manifests, 'b/requirements.txt': last })).toMatchObject({ frameworks: ['flask'] });
});

verifies('casting.scan.bounds', 'five thousand entries are the end, and so are five hundred files', async () => {
  const folder = room('scan');
  for (let index = 0; index < 5_000; index++) mkdirSync(path.join(folder, `f${String(index).padStart(4, '0')}`));
  writeFileSync(path.join(folder, 'f0000', 'a.ts'), '');
  expect(await scanner.scan(folder)).toMatchObject({ files: 0, truncated: true });
  const names = Array.from({ length: 500 }, (_, index) => [`a/${index}.py`, ''] as const);
  expect(await scanner.scan(project(Object.fromEntries(names)))).toMatchObject({ files: 500, truncated: false });
  expect(await scanner.scan(project({ ...Object.fromEntries(names), 'b/a.go': '' }))).toMatchObject({
    ...{ files: 500, truncated: true },
  });
  const keys = room('scan');
  for (let index = 0; index < 5_000; index++) symlinkSync('.', path.join(keys, String(index)));
  expect(await scanner.scan(keys)).toMatchObject({ files: 0, truncated: false });
  symlinkSync('.', path.join(keys, 'one more'));
  expect(await scanner.scan(keys)).toMatchObject({ files: 0, truncated: true });
});

verifies(
  ['casting.scan.bounds', 'sec.open'],
  'links, pipes and closed folders are passed over; nothing is executed',
  async () => {
    const outside = project({ 'secret.rs': '', 'package.json': '{"dependencies":{"react":"1"}}' });
    const folder = project({
      'a.py': '',
      'closed/b.go': '',
      'setup.py': 'import pathlib; pathlib.Path("ran").touch()',
    });
    symlinkSync(outside, path.join(folder, 'linked'));
    symlinkSync(path.join(outside, 'package.json'), path.join(folder, 'package.json'));
    symlinkSync('.', path.join(folder, 'loop'));
    execFileSync('mkfifo', [path.join(folder, 'requirements.txt')]);
    chmodSync(path.join(folder, 'closed'), 0);
    const scan = await scanner.scan(folder);
    chmodSync(path.join(folder, 'closed'), 0o700);
    expect(scan.signals.languages.filter((language) => language !== 'go')).toEqual(['python']); // root may look into closed folders
    expect(scan.signals.frameworks).toEqual([]);
    expect(scan.manifests).toEqual(['setup.py']);
  },
);

test('manifests are named by their path, nearest to the top first', async () => {
  const scan = await scanner.scan(
    project({
      'z/Cargo.toml': '',
      'go.mod': '',
      'a/b/pom.xml': '',
      'package.json': '{}',
      'node_modules/x/package.json': '{}',
    }),
  );
  expect(scan.manifests).toEqual(['go.mod', 'package.json', 'z/Cargo.toml', 'a/b/pom.xml']);
});

test('names that are hostile are only names', async () => {
  const scan = await scanner.scan(
    project({ '$(touch ran).ts': '', '-rf.py': '', 'new\nline.go': '', '__proto__.rs': '', '😀.rb': '' }),
  );
  expect(scan.files).toBe(5);
  expect(scan.signals.languages).toHaveLength(5);
});

test('a folder that is not there is said so', async () => {
  await expect(scanner.scan(path.join(room(), 'gone'))).rejects.toThrow(expect.objectContaining({ code: 'not_found' }));
});
