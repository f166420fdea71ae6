import { expect, test } from 'vitest';
import { excerpt } from '#core/review/command-findings.js';
import { judgeDependencies, licenceKind, mergeDependencies } from '#core/review/dependencies.js';
import { factsOf, reviewedFiles } from '#core/review/facts.js';
import { type Finding, finding } from '#core/review/finding.js';
import { churnFrom, hotspotsOf } from '#core/review/history.js';
import { judgeLinks } from '#core/review/links.js';
import { presenceOf } from '#core/review/presence.js';
import { firstThings, groupFindings } from '#core/review/ranking.js';
import { todoMarks } from '#core/review/todos.js';
import { redact } from '#kernel/secrets.js';
import { verifies } from '../../verifies.js';

const make = (rule: string, severity: Finding['severity'], file = 'a.md', line?: number): Finding =>
  finding(
    { rule, severity, file, title: `${rule} in ${file}`, detail: '', remedy: 'Do it.', ...(line ? { line } : {}) },
    `${line}`,
  );

test('an id stays when the line moves, and differs by rule, file and subject', () => {
  const at = (line: number, subject = 's') =>
    finding({ rule: 'r', severity: 'low', title: '', detail: '', remedy: '', file: 'f', line }, subject).id;
  expect(at(1)).toBe(at(9));
  expect(at(1, 'other')).not.toBe(at(1));
});

verifies(
  'review.confidence',
  'the three things: severity, then effort, then breadth; what is only good to know, or not certain, is none of them',
  () => {
    const found = [
      make('todo', 'info'),
      make('hotspot', 'low'),
      make('broken-link', 'low', 'a.md', 1),
      make('fixme', 'low'),
      make('missing-license', 'medium'),
      make('missing-ci', 'medium'),
      make('large-file', 'low', 'x', 1),
      make('large-file', 'high', 'y', 2),
      make('built-file-tracked', 'low', 'b', 1),
      make('built-file-tracked', 'low', 'c', 2),
      { ...make('leaked-secret', 'critical'), confidence: 'possible' as const },
    ];
    expect(firstThings(found).map((group) => group.rule)).toEqual(['large-file', 'missing-license', 'missing-ci']);
    const order = groupFindings(found).map((group) => group.rule);
    expect(order.slice(4)).toEqual(['built-file-tracked', 'broken-link', 'fixme', 'hotspot', 'todo']);
    expect(groupFindings([...found].reverse()).map((group) => group.rule)).toEqual(order);
    expect(firstThings([make('todo', 'info')])).toEqual([]);
    const unfinished = [make('leaked-secret', 'critical'), make('command-not-run', 'info')];
    expect(firstThings(unfinished).map((group) => group.rule)).toEqual(['command-not-run', 'leaked-secret']);
  },
);

verifies('sec.redact', 'what has the shape of a secret is masked before it is kept, also in long output', () => {
  const secrets = [
    `ghp_${'a1B2'.repeat(9)}`,
    `AKIA${'ABCDEFGH'.repeat(2)}`,
    `sk-${'abcDEF123_'.repeat(4)}`,
    `xoxb-${'1234567890'.repeat(2)}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${'MIIabc/+'.repeat(8)}\n-----END RSA PRIVATE KEY-----`,
    `eyJ${'hbGciOiJ'.repeat(2)}.eyJ${'zdWIiOiI'.repeat(2)}.${'c2lnbmF0'.repeat(2)}`,
  ];
  for (const secret of secrets) expect(redact(`x ${secret} y`), secret.slice(0, 12)).not.toContain(secret.slice(8, 24));
  expect(redact('Authorization: Bearer abcdefghijklmnop')).toBe('Authorization: Bearer ********');
  // In pieces, because in one piece our own review would find them here.
  const address = (value: string) => ['postgres://me', `${value}@db/x`].join(':');
  expect(redact(address('hunter2secret'))).toBe(address('********'));
  const assigned = (value: string) => ['password', '=', JSON.stringify(value)].join(' ');
  expect(redact(assigned('correct-horse'))).toBe(assigned('********'));
  expect(redact('the token was refused')).toBe('the token was refused');
});

test('an excerpt is bounded, keeps both ends, drops colour and shows other escapes', () => {
  const long = excerpt(`begin ${'x'.repeat(50_000)} end`, 1_000);
  expect(long.length).toBeLessThan(1_100);
  expect(long).toMatch(/^begin[\s\S]*left out[\s\S]*end$/);
  expect(excerpt('\u001b[31mred\u001b[0m \u001b]0;title\u0007')).toBe('red \\u{1b}]0;title\\u{7}');
});

test('tracked files: each once, sorted, without our own folders; facts from a closed list', () => {
  const files = reviewedFiles('b\0a\0a\0.workgraph/graph.jsonl\0.squad/team.md\0line\nbreak.md\0');
  expect(files).toEqual(['a', 'b', 'line\nbreak.md']);
  expect(factsOf({ files, commits: 1, commands: 0 })).toEqual(['documents']);
  expect(factsOf({ files: ['web/package.json'], commits: 2, commands: 1 })).toEqual([
    'commands',
    'manifests',
    'history',
  ]);
  // One such file among others is enough.
  const among = (name: string) => factsOf({ files: ['src/a.ts', name, 'b.css'], commits: 0, commands: 0 });
  expect(among('docs/a.md')).toEqual(['documents']);
  expect(among('go.mod')).toEqual(['manifests']);
  expect(among('tools/requirements-dev.txt')).toEqual(['manifests']);
  expect(among('requirements.md.bak')).toEqual([]);
  expect(factsOf({ files: [], commits: 0, commands: 0 })).toEqual([]);
});

test('links: files, folders, anchors, images; other places, templates and paths above the top are not judged', () => {
  const link = (target: string, image = false) => ({ target, line: 3, image });
  const judged = (...links: ReturnType<typeof link>[]) =>
    judgeLinks(
      new Map([
        ['docs/a.md', { links, anchors: new Set(['set-up', 'set-up-1', 'what-über-all-x']), isOpen: false }],
        ['README.md', { links: [], anchors: new Set(['top']), isOpen: false }],
      ]),
      ['docs/a.md', 'README.md', 'src/deep/x.ts', 'with space.md'],
    ).broken.map(({ finding: item }) => `${item.rule} ${item.detail}`);
  expect(
    judged(
      link('../README.md'),
      link('/README.md#top'),
      link('#set-up-1'),
      link('../src/'),
      link('..'),
      link('../with%20space.md'),
      link('x.md?raw=1#a', false),
    ),
  ).toEqual(['broken-link x.md?raw=1#a: docs/x.md is not in the repository.']);
  expect(
    judged(
      link('https://x.org'),
      link('//x.org'),
      link('mailto:a@b'),
      link('{{url}}/x'),
      link('../../issues'),
      link('%zz'),
    ),
  ).toEqual([]);
  const good = ['../README.md', '../src/', '..', '../with%20space.md'].map((target) => link(target));
  expect(judged(link('#nothing'), link('../README.md#gone'), link('pic.png', true), ...good)).toEqual([
    'broken-link #nothing: docs/a.md has no heading “nothing”.',
    'broken-link ../README.md#gone: README.md has no heading “gone”.',
    'missing-image pic.png: docs/pic.png is not in the repository.',
  ]);
});

test('licences: choices take the kindest, sums the strictest, the unknown stays unknown', () => {
  const kinds = [
    'MIT',
    '(MIT OR GPL-3.0)',
    'MIT AND GPL-2.0-only',
    'LGPL-3.0',
    'Apache-2.0',
    'GPL-2.0 WITH Classpath-exception-2.0',
    'SEE LICENSE IN x',
    '',
    'Elvish',
  ];
  expect(kinds.map(licenceKind)).toEqual([
    'permissive',
    'permissive',
    'copyleft',
    'weak-copyleft',
    'permissive',
    'copyleft',
    'unknown',
    'unknown',
    'unknown',
  ]);
  expect(licenceKind(undefined)).toBe('unknown');
});

test('licences: brackets hold together what stands in them', () => {
  expect(licenceKind('GPL-3.0-only AND (MIT OR ISC)')).toBe('copyleft');
  expect(licenceKind('(MIT OR GPL-3.0-only) AND (AGPL-3.0-only OR MPL-2.0)')).toBe('weak-copyleft');
  expect(licenceKind('MIT OR (ISC AND LicenseRef-Ours)')).toBe('permissive');
  expect(licenceKind('LicenseRef-Ours')).toBe('unknown');
});

test('licences: what people write instead of an identifier is understood; what only looks like one is unknown', () => {
  const kindsOf = (...texts: string[]) => new Set(texts.map(licenceKind));
  expect(kindsOf('mit', 'Apache 2.0', 'Apache License, Version 2.0', 'apache-2', 'BSD', 'MIT/Apache-2.0')).toEqual(
    new Set(['permissive']),
  );
  expect(kindsOf('gpl-3.0-OR-later', 'GPL', 'agpl-3.0', 'AGPLv3', 'GPL v2', 'GPL-2.0+')).toEqual(new Set(['copyleft']));
  expect(kindsOf('LGPLv2.1', 'mpl-2.0')).toEqual(new Set(['weak-copyleft']));
  const wrong = [
    'UNLICENSED',
    'MIT AND',
    'AND',
    '(MIT',
    'MIT OR Elvish',
    'Apache-2.0 WITH Nothing',
    'MIT license text',
  ];
  expect(kindsOf(...wrong, '('.repeat(900), `MIT${' '.repeat(1_000)}`)).toEqual(new Set(['unknown']));
});

test('dependencies: repeated ones are joined; no lockfile, strict and unclear licences are findings', () => {
  const npm = { ecosystem: 'npm', direct: false, development: true } as const;
  const merged = mergeDependencies([
    { ...npm, name: 'b', version: '1', licence: 'AGPL-3.0' },
    { ...npm, name: 'a', version: '1' },
    { ...npm, name: 'a', version: '1', direct: true, development: false, licence: 'MIT' },
    { ...npm, name: 'c', version: '1', licence: 'SEE LICENSE' },
  ]);
  expect(merged.map((item) => item.name)).toEqual(['a', 'b', 'c']);
  expect(merged[0]).toMatchObject({ direct: true, development: false, licence: 'MIT' });
  const manifests = [{ file: 'package.json', ecosystem: 'npm', names: 3, locked: false, library: false }] as const;
  expect(judgeDependencies(merged, manifests).map((item) => `${item.rule} ${item.severity}`)).toEqual([
    'no-lockfile medium',
    'copyleft-licence info',
    'unclear-licence info',
  ]);
});

test('history: churn per file from git’s own format, also for names with breaks; generated files are no hot spots', () => {
  const log =
    '\u0001a@x\0\n3\t1\tsrc/a.ts\0-\t-\tpic.png\0\u0001b@x\0\u0001b@x\0\n5\t0\tsrc/a.ts\x002\t2\tline\nbreak.ts\x009\t9\tyarn.lock\0';
  const { commits, touched } = churnFrom(log);
  expect(commits).toBe(3);
  const spots = hotspotsOf(
    touched,
    new Map([
      ['src/a.ts', 100],
      ['line\nbreak.ts', 10],
      ['yarn.lock', 9_000],
    ]),
  );
  expect(spots).toEqual([
    { file: 'src/a.ts', commits: 2, churn: 9, lines: 100, authors: 2 },
    { file: 'line\nbreak.ts', commits: 1, churn: 4, lines: 10, authors: 1 },
  ]);
});

test('marks in comments count, prose and names do not', () => {
  const text = [
    '// TODO: one',
    'const TODO_LIST = 1',
    'We have a TODO list',
    '/* FIXME two */',
    '# HACK',
    '<!-- XXX -->',
    'TODO(me): three',
    'mastodon',
  ].join('\n');
  expect(todoMarks(text).map((mark) => `${mark.line} ${mark.word}`)).toEqual([
    '1 TODO',
    '4 FIXME',
    '5 HACK',
    '6 XXX',
    '7 TODO',
  ]);
  expect(todoMarks(`// TODO ${'x'.repeat(5_000)}`)).toEqual([]);
});

test('presence: each expected thing by the names people give it', () => {
  const full = [
    'README.md',
    'LICENSE',
    'test/a.test.ts',
    '.github/workflows/ci.yml',
    '.gitignore',
    '.github/CONTRIBUTING.md',
    'SECURITY.md',
    'docs/x.md',
  ];
  expect(presenceOf(full).findings).toEqual([]);
  expect(presenceOf([]).findings).toHaveLength(8);
  for (const { title } of presenceOf([]).findings) expect(title).not.toMatch(/There is no an? /);
  const said = (file: string, text: string) =>
    presenceOf([file], new Map([[file, text]])).rows.find((row) => row.id === 'security')?.file;
  expect(said('CONTRIBUTING.md', '# Help\n\n## Reporting a vulnerability\n\nTell us.\n')).toBe('CONTRIBUTING.md');
  expect(said('README.md', '# Security, in short\n\nReport a vulnerability somewhere.\n')).toBeNull();
  expect(said('deep/er/CONTRIBUTING.md', '## Reporting a vulnerability\n')).toBeNull();
  expect(presenceOf(['deep/er/README.md']).rows.find((row) => row.id === 'readme')?.file).toBeNull();
});
