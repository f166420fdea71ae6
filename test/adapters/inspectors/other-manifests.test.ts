import { readFileSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as manifests from '#adapters/inspectors/manifests/others.js';
import { FileReportFolder } from '#adapters/inspectors/report-folder.js';
import { leaksIn } from '#adapters/inspectors/secrets.js';
import type { Dependency } from '#core/review/dependencies.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';

/** A dependency in a line: `cargo serde 1.0 direct development`. */
const row = ({ ecosystem, name, version, direct, development, ...more }: Dependency) =>
  [
    ecosystem,
    name,
    version ?? '-',
    ...(direct ? ['direct'] : []),
    ...(development ? ['development'] : []),
    ...Object.keys(more),
  ].join(' ');

test('what requirements of Python name: no options, links, comments or files', () => {
  const text = [
    ...[
      '# head',
      '  # more',
      '',
      '-r other.txt',
      ' --hash=x',
      'requests[socks] == 2.31.0 ; python_version > "3"',
      'Django>=4',
    ],
    ...[
      '  zope.interface',
      'https://example.org/a.zip',
      ' git+https://example.org/b',
      'file:///c',
      'python',
      'Python==3',
      '@odd',
    ],
    ...['numpy==1.26.4,<2', 'http-client', 'x#y'],
  ].join('\n');
  expect(manifests.fromRequirements(text).map(row)).toEqual([
    ...['python requests 2.31.0 direct', 'python Django - direct', 'python zope.interface - direct'],
    ...['python numpy 1.26.4 direct', 'python http-client - direct', 'python x - direct'],
  ]);
});

test('what pyproject.toml names, as the standard has it and as Poetry had it', () => {
  const text = `
[project]
dependencies = ["a==1", "b", 7]
[project.optional-dependencies]
docs = ["c==3"]
odd = "d"
[dependency-groups]
dev = ["e==5", { include-group = "docs" }]
[tool.poetry.dependencies]
python = "^3.11"
f = "^6"
`;
  expect(manifests.fromPyproject(text).map(row)).toEqual([
    ...['python a 1 direct', 'python b - direct', 'python c 3 direct development', 'python e 5 direct development'],
    'python f - direct',
  ]);
  for (const odd of [
    '',
    'project = 1\ntool = 1\n',
    '[project]\ndependencies = "a"\n[tool]\npoetry = 1\n',
    '[tool.poetry]\ndependencies = 1\n',
  ])
    expect(manifests.fromPyproject(odd), odd).toEqual([]);
});

test('what a list of packages locks, for Python and for Cargo', () => {
  const text = `
[[package]]
name = "a"
version = "1.0"
category = "dev"
[[package]]
name = "b"
version = 2
source = "registry"
[[package]]
name = ""
source = "registry"
`;
  expect(manifests.fromPackageList(text, 'python').map(row)).toEqual(['python a 1.0 development', 'python b -']);
  expect(manifests.fromPackageList(text, 'cargo').map(row)).toEqual(['cargo b -']);
  expect([
    manifests.fromPackageList('package = 1\n', 'cargo'),
    manifests.fromPackageList('package = [1]\n', 'python'),
  ]).toEqual([[], []]);
});

test('what Cargo.toml names: what lies beside it is none, and a bare number is the least that will do', () => {
  const text = `
[dependencies]
serde = "1.0"
own = { path = "../own" }
exact = { version = "=2.1" }
git = { git = "https://example.org/x" }
[build-dependencies]
cc = { version = "1", features = ["x"] }
[dev-dependencies]
insta = "~1.3"
`;
  expect(manifests.fromCargoToml(text).map(row)).toEqual([
    ...['cargo serde ^1.0 direct', 'cargo exact =2.1 direct', 'cargo git - direct', 'cargo cc ^1 direct development'],
    'cargo insta ~1.3 direct development',
  ]);
  expect(manifests.fromCargoToml('dependencies = 1\n')).toEqual([]);
});

test('what go.mod requires, in a block and alone, and what only others require', () => {
  const text = [
    ...['module example.org/x', 'go 1.22', 'require example.org/a v1.0.0', 'require example.org/b v1.1.0 // indirect'],
    ...[
      'require (',
      '\texample.org/c v1.2.0',
      '\texample.org/d v1.3.0 //indirect',
      '\t// note',
      ')',
      '\texample.org/e v1.4.0',
    ],
    ...['exclude example.org/f v1.5.0', 'require(', '\texample.org/g v2.0.0+incompatible', ')'],
  ].join('\n');
  expect(manifests.fromGoMod(text).map(row)).toEqual([
    ...[
      'go example.org/a v1.0.0 direct',
      'go example.org/b v1.1.0',
      'go example.org/c v1.2.0 direct',
      'go example.org/d v1.3.0',
    ],
    'go example.org/g v2.0.0+incompatible direct',
  ]);
});

test('what a pom names, and not what is commented out', () => {
  const one = (fields: string) => `<dependency>${fields}</dependency>\n`;
  const text = [
    one('<groupId>g</groupId><artifactId> a </artifactId><version>1</version>'),
    one('<artifactId>b</artifactId><scope>test</scope>'),
    one('<groupId>none</groupId>'),
    `<!-- ${one('<artifactId>c</artifactId>')} -->`,
    one('<groupId>g</groupId><artifactId>d</artifactId><scope>runtime</scope>'),
    `<!-- ${one('<artifactId>e</artifactId>')}`,
  ].join('');
  expect(manifests.fromPom(text).map(row)).toEqual([
    ...['maven g:a 1 direct', 'maven ?:b - direct development', 'maven g:d - direct'],
  ]);
});

test('report folders: where each file lies, who may read it, and what is there of a report', async () => {
  const project = room('reports');
  const reports = new FileReportFolder(project);
  expect([reports.path('r'), reports.path('r', 'report.md'), reports.worktree('r')]).toEqual([
    ...['.workgraph/reports/r', '.workgraph/reports/r/report.md', path.join(project, '.workgraph/reports/r/worktree')],
  ]);
  for (const name of ['../r', '', 'a/b']) expect(() => reports.path(name), name).toThrow('is not the name of a review');
  expect(await reports.readReport('r')).toEqual({});
  expect(await reports.latest()).toBeUndefined();
  write(project, { '.workgraph/reports/r/report.md': '# R', '.workgraph/reports/r/report.json': '{}' });
  expect(await reports.readReport('r'), 'what is no report is none').toEqual({ markdown: '# R' });
  write(project, { '.workgraph/reports/r/report.html': '<p>' });
  expect(await reports.readReport('r')).toEqual({ markdown: '# R', html: '<p>' });
  await reports.writeEvidence('fresh', { node: 'todos' } as never);
  const file = path.join(project, '.workgraph/reports/fresh/evidence/todos.json');
  expect(readFileSync(file, 'utf8')).toBe('{\n  "node": "todos"\n}\n');
  expect([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(await reports.latest(), 'without a plan it is no review').toBeUndefined();
  for (const [name, at] of Object.entries({ first: 100, last: 300, second: 200, 'not a name!': 900 })) {
    write(project, { [`.workgraph/reports/${name}/plan.json`]: '{}' });
    utimesSync(path.join(project, '.workgraph/reports', name, 'plan.json'), at, at);
  }
  expect(await reports.latest()).toBe('last');
  await reports.discard('fresh');
  await reports.discard('fresh');
  expect(() => statSync(file)).toThrow('ENOENT');
});

test('what leaves is searched line by line: a key is known by the word above it, and one made up is none', async () => {
  const kinds = async (text: string) =>
    (await leaksIn([{ name: 'a', text }], {})).map(({ kind, value }) => `${kind}: ${value.slice(0, 8)}`);
  const url = 'https://ann:Tr0ub4dor3x@db.acme.io/';
  const found = await kinds(`see ${url}`);
  expect(found).toHaveLength(1);
  expect(await kinds(`# ${url}`), 'a login in a comment is a sample').toEqual([]);
  expect(await kinds(`an example:\n${url}`), 'the line above says so').toEqual([]);
  expect(await kinds(`an example:\n\n${url}`), 'it is not the line above').toEqual(found);
  expect(await kinds(`an example:\nsee ${url}`), 'its own line says enough').toEqual(found);
});
