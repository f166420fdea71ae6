import path from 'node:path';
import { expect, test } from 'vitest';
import {
  countLicences,
  type Dependency,
  type DependencyManifest,
  judgeDependencies,
  mergeDependencies,
} from '#core/review/dependencies.js';
import { type Document, judgeLinks } from '#core/review/links.js';

const golden = (name: string) => path.join(import.meta.dirname, `golden/${name}.txt`);
const page = (rows: readonly unknown[]) => `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
const document = (targets: readonly string[], more: Partial<Document> = {}): Document => ({
  links: targets.map((target, line) => ({ target, line: line + 1, image: target.endsWith('.png') })),
  ...{ anchors: new Set<string>(), isOpen: false },
  ...more,
});
const FILES = ['README.md', 'docs/a.md', 'docs/open.md', 'docs/other/b.md', 'src/x.ts', 'web/pic.png'];
const judged = (documents: Readonly<Record<string, Document>>, files = FILES) =>
  judgeLinks(new Map(Object.entries(documents)), files);

test('broken links of a page and of a document, whole', async () => {
  const targets = [
    'docs/gone.md',
    '#nothing',
    'docs/a.md#gone',
    'docs/a.md#here',
    'gone.png',
    '/docs/a.md',
    '/route',
    'src',
  ];
  const { checked, broken } = judged({
    'README.md': document(targets, { anchors: new Set(['top']) }),
    'docs/a.md': document(['gone.md', 'other/b.md', 'open.md#any', '../src/x.ts#any'], { anchors: new Set(['here']) }),
    'docs/open.md': document([], { isOpen: true }),
  });
  expect(checked).toBe(targets.length + 4);
  await expect(page(broken)).toMatchFileSnapshot(golden('broken-links'));
});

test('most links of a folder that lead nowhere are one finding, and of a page each its own', () => {
  const rules = (file: string, missing: number, fine: number) => {
    const targets = [
      ...Array.from({ length: missing }, (_, index) => `./gone-${index}.md`),
      ...Array.from({ length: fine }, () => './there.md'),
    ];
    const folder = path.posix.dirname(file);
    const { broken } = judged({ [file]: document(targets) }, [file, path.posix.join(folder, 'there.md')]);
    return broken.map(({ finding }) => `${finding.rule} ${finding.confidence} ${finding.file}`);
  };
  const [alike, single] = ['broken-links-alike possible docs', 'broken-link likely docs/a.md'];
  expect(rules('docs/a.md', 2, 0)).toEqual([single, single]);
  expect(rules('docs/a.md', 3, 3)).toEqual([alike]);
  expect(rules('docs/a.md', 3, 4)).toEqual([single, single, single]);
  expect(rules('docs/README.md', 3, 0)).toEqual(Array(3).fill('broken-link certain docs/README.md'));
  const two = judged({ 'docs/a.md': document(['./x.md', './y.md']), 'docs/b.md': document(['./z.md']) }, ['docs/a.md']);
  expect(two.broken.map(({ finding: { detail, file, severity } }) => [detail, file, severity])).toEqual([
    ['3 of 3 links. A program may serve these documents from another place.', 'docs', 'info'],
  ]);
});

test('which links are ours to judge', () => {
  const from = (file: string, target: string, files: readonly string[] = []) =>
    judged({ [file]: document([target]) }, [file, ...files]).broken.length === 0 ? 'fine' : 'broken';
  const rust = ['Cargo.toml'];
  const rows: readonly [string, string, string, (readonly string[])?][] = [
    ...(['url', 'link', '...', '…', 'path/to/x.md', 'a<b>.md', '{name}.md', '%7Bx%7D.md', '$HOME/x.md', 'a*.md'].map(
      (target) => ['README.md', target, 'fine'] as const,
    ) as [string, string, string][]),
    ['README.md', 'urls', 'broken'],
    ['README.md', 'ROOT_URL/x.md', 'fine'],
    ['README.md', 'Docs/x.md', 'broken'],
    ['.github/issue_template/bug.md', 'x.md', 'fine'],
    ['README.md', 'crate::x', 'fine', rust],
    ['README.md', 'x.md', 'broken', rust],
    ['README.md', 'super', 'broken'],
    ['README.md', 'super', 'fine', rust],
    ['README.md', 'Vec', 'fine', rust],
    ['README.md', 'push()', 'fine', rust],
    ['src/README.md', 'other.txt', 'fine', rust],
    ['src/README.md', 'other.md', 'broken', rust],
    ['src/README.md', 'other.txt', 'broken'],
    ['README.md', '/route', 'fine'],
    ['README.md', '/file.md', 'broken'],
    ['README.md', 'route', 'broken'],
    ['docs/a.md', 'route', 'fine'],
    ['docs/a.md', 'page.html', 'fine'],
    ['docs/a.md', '@site/x.md', 'fine'],
    ['docs/a.md', '~/x.md', 'fine'],
    ['docs/a.md', '/x.md', 'fine'],
    ['docs/a.md', 'x.md', 'broken'],
    ['docs/a.md', '../../x.md', 'fine'],
    ['docs/deep/a.md', 'b.md', 'fine', ['docs/b.md']],
    ['docs/deep/a.md', 'b.md', 'broken', ['other/b.md']],
    ['docs/deep/a.md', 'img/b.svg', 'fine', ['other/img/b.svg']],
    ['docs/deep/a.md', 'img/b.svg', 'broken', ['other/xb.svg']],
    ['docs/_part.md', 'x.md', 'fine'],
    ['test/a.md', 'x.md', 'fine'],
  ];
  expect(rows.map(([file, target, , files]) => [file, target, from(file, target, files)])).toEqual(
    rows.map(([file, target, said]) => [file, target, said]),
  );
});

const npm = (name: string, more: Partial<Dependency> = {}): Dependency => ({
  ...{ ecosystem: 'npm', name, version: '1.0.0', direct: true, development: false, licence: 'MIT' },
  ...more,
});
const manifest = (more: Partial<DependencyManifest> = {}): DependencyManifest => ({
  ...{ file: 'package.json', ecosystem: 'npm', names: 2, locked: false, library: false },
  ...more,
});

test('what an inventory gives reason to say, whole', async () => {
  const rows = [
    ...judgeDependencies(
      [npm('a'), npm('g', { licence: 'GPL-3.0-only' }), npm('d', { licence: 'AGPL-3.0-only', development: true })],
      [manifest(), manifest({ file: 'p/pyproject.toml', ecosystem: 'python', names: 1 })],
    ),
    ...judgeDependencies([npm('a'), npm('odd', { licence: 'Ours\u202e' })], []),
    ...judgeDependencies([npm('a'), npm('x', { licence: 'LicenseRef-X' }), npm('y', { licence: 'LicenseRef-Y' })], []),
  ];
  await expect(page(rows)).toMatchFileSnapshot(golden('inventory'));
});

test('which manifests want a lockfile, and when silence about licences is a finding', () => {
  const said = (dependencies: readonly Dependency[], ...manifests: DependencyManifest[]) =>
    judgeDependencies(dependencies, manifests).map(({ rule, detail }) => `${rule} ${detail}`);
  const quiet = [
    { locked: true },
    { names: 0 },
    { library: true },
    { ecosystem: 'maven' },
    { file: 'examples/package.json' },
  ];
  for (const more of quiet)
    expect(said([], manifest(more as Partial<DependencyManifest>)), JSON.stringify(more)).toEqual([]);
  expect(said([], manifest({ names: 1 }))).toHaveLength(1);
  const silent = (all: number, count: number) =>
    said(Array.from({ length: all }, (_, index) => npm(`p${index}`, index < count ? { licence: undefined } : {})));
  expect([silent(11, 1), silent(10, 1), silent(2, 2), silent(1, 1)]).toEqual([['unclear-licence p0.'], [], [], []]);
  const odd = (count: number) => [
    npm('fine'),
    ...Array.from({ length: count }, (_, index) => npm(`p${index}`, { licence: 'LicenseRef-X' })),
  ];
  const names = (count: number) => Array.from({ length: count }, (_, index) => `p${index} (LicenseRef-X)`).join(', ');
  expect([said(odd(12)), said(odd(14))]).toEqual([
    [`unclear-licence ${names(12)}.`],
    [`unclear-licence ${names(12)}, and 2 more.`],
  ]);
  expect(said([npm('odd', { licence: 'LicenseRef-X', ecosystem: 'cargo' })])).toEqual([]);
  const many = Array.from({ length: 51 }, (_, index) => npm(`g${index}`, { licence: 'GPL-3.0-only' }));
  expect(said(many)).toHaveLength(50);
});

test('entries of one version are one, with the facts of all; licences are counted, most first', () => {
  const merged = mergeDependencies([
    npm('b', { direct: false, development: true, licence: undefined }),
    npm('b', { direct: true, development: false, licence: 'ISC' }),
    npm('b', { version: undefined, direct: false, development: true, licence: undefined }),
    npm('a', { version: '2.0.0', development: true }),
    npm('a', { version: '1.0.0', development: true, direct: false }),
    npm('a', { version: '1.0.0', development: true, direct: false, licence: 'ISC' }),
    npm('z', { ecosystem: 'cargo' }),
  ]);
  const word = ({ ecosystem, name, version, direct, development, licence }: Dependency) =>
    [ecosystem, name, version, direct ? 'direct' : '', development ? 'development' : '', licence].join(' ');
  expect(merged.map(word)).toEqual([
    ...['cargo z 1.0.0 direct  MIT', 'npm a 1.0.0  development MIT', 'npm a 2.0.0 direct development MIT'],
    ...['npm b   development ', 'npm b 1.0.0 direct  ISC'],
  ]);
  expect(countLicences(merged)).toEqual([
    { licence: 'MIT', count: 3 },
    { licence: 'ISC', count: 1 },
    { licence: 'not said', count: 1 },
  ]);
});
