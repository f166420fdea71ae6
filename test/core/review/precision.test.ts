import { expect } from 'vitest';
import { judgeCommand } from '#core/review/command-findings.js';
import { churnFrom } from '#core/review/history.js';
import { judgeLinks } from '#core/review/links.js';
import { presenceOf } from '#core/review/presence.js';
import { isGeneratedPath, isGeneratedText } from '#core/review/samples.js';
import { holdsSecrets, isEnvironmentFile, isKeyFile, testsBegin, weighSecret } from '#core/review/secrets.js';
import { todoMarks } from '#core/review/todos.js';
import { processorMs } from '../../processor-time.js';
import { verifies } from '../../verifies.js';

const hit = (file: string, kind: string, value: string, fields: { lineText?: string; inTests?: boolean } = {}) =>
  weighSecret({ file, kind, value, lineText: value, inTests: false, ...fields });
const key = (body: string) => `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`;
const BODY = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
const login = (user: string, password: string, host = 'db.corp.io') => `https://${user}:${password}@${host}/`;

verifies('review.true', 'placeholders, examples and test data are no secrets; what stands in the program is', () => {
  for (const file of ['src/server.js', 'deploy/prod.pem', 'config/settings.py', 'latest/app.rb'])
    expect(hit(file, 'privatekey', key(BODY)), file).toBe('alarm');
  for (const file of [
    'tests/certs/server.key',
    'examples/tls/self_signed_certs/key.pem',
    'src/test/resources/key.pem',
    'pkg/testdata/key.pem',
    'Src/Json.Tests/key.pem',
    'docs/tls.md',
    'internal/tls_test.go',
    'src/__fixtures__/key.pem',
    '_fixture/certs/key.pem',
  ])
    expect(hit(file, 'privatekey', key(BODY)), file).toBe('none');
  expect(hit('src/tls.rs', 'privatekey', key(BODY), { inTests: true })).toBe('none');
  expect(hit('src/a.js', 'privatekey', key('...'))).toBe('none');
  expect(hit('src/a.js', 'privatekey', key(BODY), { lineText: 'let sampleKey = `\n' })).toBe('doubtful');
  expect(hit('src/a.js', 'aws', 'AKIAIOSFODNN7EXAMPLE')).toBe('none');
  expect(hit('src/a.js', 'github', `ghp_${'x'.repeat(36)}`)).toBe('none');
  expect(hit('test/a.js', 'github', `ghp_${'a1B2'.repeat(9)}`)).toBe('doubtful');
  expect(hit('src/a.js', 'github', `ghp_${'a1B2'.repeat(9)}`)).toBe('alarm');
  for (const made of [
    login('user', 'pass'),
    login('jo', 'k3y9Qz', 'localhost'),
    login('jo', ['$', '{PASSWORD}'].join('')),
  ])
    expect(hit('src/a.js', 'basicauth', made), made).toBe('none');
  expect(hit('src/a.js', 'basicauth', login('jo', 'k3y9Qz7w'))).toBe('doubtful');
  for (const [user, password, host] of [
    ['umbra', 'umbra', 'db.internal.org'],
    ['umbra', 'k3y9Qz7w', 'db:5432'],
    ['umbra', 'replace-me-later', 'db.org'],
  ] as const)
    expect(hit('compose.yml', 'database-connection-string', login(user, password, host)), host).toBe('none');
  expect(hit('podman/env.sample', 'github', `ghp_${'a1B2'.repeat(9)}`)).toBe('doubtful');
  expect(isEnvironmentFile('env.sample') || isEnvironmentFile('.env.sample')).toBe(false);
  expect(hit('src/a.py', 'basicauth', login('jo', 'k3y9Qz7w'), { lineText: '  # such as https://…' })).toBe('none');
  const rust = 'fn a() {}\n#[cfg(test)]\nmod tests {\n  const K: &str = "";\n}\n';
  expect([testsBegin('src/a.rs', rust), testsBegin('src/a.js', rust)]).toEqual([2, Number.POSITIVE_INFINITY]);
});

verifies('review.true', 'a file of environment variables is a finding for what it holds, not for its name', () => {
  for (const text of ['API_TOKEN=9f8a7b6c5d4e', 'export DB_PASSWORD="correct-horse"', 'A=1\nSECRET_KEY=zzq81kd0']) {
    expect(holdsSecrets(text), text).toBe(true);
  }
  for (const text of [
    'TERMINAL_WIDTH=3000',
    'API_TOKEN=',
    'API_TOKEN=your-token-here',
    'AUTHOR=somebody',
    'USE_AUTH=true',
  ])
    expect(holdsSecrets(text), text).toBe(false);
  expect(['.env', 'app/.env.production', '.env.example', '.env.test'].map(isEnvironmentFile)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(['id_rsa', 'a/b.p12', 'id_rsa.example', 'id_rsa.pub'].map(isKeyFile)).toEqual([true, true, false, false]);
});

/** What is broken among these links of one document, in a repository with these files. */
function broken(from: string, files: readonly string[], targets: readonly string[], anchors: readonly string[] = []) {
  const links = targets.map((target) => ({ target, line: 1, image: /\.(png|svg)$/.test(target) }));
  const document = { links, anchors: new Set(anchors), isOpen: false };
  return judgeLinks(new Map([[from, document]]), [from, ...files]).broken.map(
    ({ finding: { detail, confidence } }) => `${detail.split(': ')[0]} ${confidence}`,
  );
}

verifies(
  ['review.true', 'review.confidence'],
  'routes, roots and aliases of site generators are no broken links',
  () => {
    const site = ['site/docusaurus.config.js', 'site/static/img/a.png', 'site/docs/intro.md'];
    const from = 'site/docs/guide/start.mdx';
    const fine = [
      '../../../static/img/a.png',
      '/guide/advanced',
      '/img/a.png',
      '@site/static/img/a.png',
      '../intro',
      'next-page',
      '/api/x.html',
      '/',
    ];
    expect(broken(from, site, fine)).toEqual([]);
    expect(broken(from, site, ['./missing.md', './missing.png'])).toEqual([
      './missing.md likely',
      './missing.png likely',
    ]);
    for (const config of [
      'mkdocs.yml',
      'docs/.vitepress/config.mts',
      'docs/_config.yml',
      'docs/conf.py',
      'docs/book.toml',
      'hugo.toml',
      'docs/docfx.json',
    ])
      expect(broken('docs/a.md', [config], ['/guide/', 'topic', 'page.html']), config).toEqual([]);
    expect(broken('README.md', ['mkdocs.yml', 'docs/a.md'], ['a.md']), 'the code host shows it').toEqual([
      'a.md certain',
    ]);
    expect(broken('docs/zh/a.md', ['docs/.vitepress/config.ts', 'docs/b.md'], ['./b.md']), 'a translation').toEqual([]);
    expect(broken('docs/a.md', ['mkdocs.yml'], ['#what-is-it', '#gone'], ['what-is-it?'])).toEqual(['#gone likely']);
  },
);

verifies('review.true', 'a document made of thousands of anchors and broken links costs what its size costs', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `a-${index}`);
  const gone = many.map((name) => `#gone-${name}`);
  const looking = () => expect(broken('README.md', [], gone, many)).toHaveLength(20_000);
  expect(processorMs(looking)).toBeLessThan(5_000);
  const configs = Array.from({ length: 3_000 }, (_, index) => [
    `s${index}/config.toml`,
    `s${index}/content/a.md`,
  ]).flat();
  expect(broken('s7/content/b.md', configs, ['/route', 'topic'])).toEqual([]);
});

verifies('review.true', 'items of a program, placeholders and forms are no links to files', () => {
  const rust = ['Cargo.toml', 'src/lib.rs'];
  expect(
    broken('src/docs/middleware.md', rust, [
      'tower::Service',
      '`tower::Service`',
      'crate#sharing',
      'fn@crate::x',
      'Router',
      'middleware/index.html#a',
    ]),
  ).toEqual([]);
  expect(broken('src/docs/a.md', rust, ['./gone.md'])).toEqual(['./gone.md likely']);
  expect(broken('README.md', rust, ['Field', 'LICENSE'])).toEqual(['LICENSE certain']);
  expect(broken('README.md', [], ['url', 'path/to/file.md', '<file>', '...', '$HOME/x.md'])).toEqual([]);
  expect(broken('.github/PULL_REQUEST_TEMPLATE.md', [], ['issue.md'])).toEqual([]);
  expect(broken('tests/pages/a.md', [], ['gone.md']), 'broken on purpose').toEqual([]);
  expect(broken('README.md', [], ['installation', '#https://x.org'])).toEqual([
    'installation certain',
    '#https://x.org certain',
  ]);
});

verifies('review.true', 'documents may lie beside the folder of the generator that makes pages of them', () => {
  expect(broken('doc/index.md', ['support/mkdocs.yml'], ['api/#format', 'gone.png'])).toEqual(['gone.png likely']);
});

verifies('review.true', 'a marker is one in a comment, and not in what a program says', () => {
  const words = (line: string) => todoMarks(line).map(({ word }) => word);
  for (const line of ['// FIXME: later', '# TODO(ann): x', ' * XXX: y', 'int a; // see HACK: z', 'TODO: plain text'])
    expect(words(line), line).toHaveLength(1);
  for (const line of [
    'log("FIXME: NOT YET IMPLEMENTED")',
    "expect(words('// FIXME: later'))",
    'const counts = { FIXME: 0, XXX: 0 };',
    '  HACK: 0,',
    "raise Error('TODO: this')",
    'a to-do list',
    'const TODO = 1',
  ])
    expect(words(line), line).toEqual([]);
});

verifies(
  'review.true',
  'what others or a program wrote holds no notes of this repository, and an example is for its reader',
  () => {
    for (const file of [
      'tests/thirdparty/doctest.h',
      'third-party/a.c',
      'src/3rdparty/zip.c',
      'app/Pods/A/a.m',
      'vendor/a.go',
    ])
      expect(isGeneratedPath(file), file).toBe(true);
    for (const file of ['test/gtest/gmock/gmock.h', 'tests/lib/catch2/a.cpp', 'support/docopt.py', 'lib/sqlite3.c'])
      expect(isGeneratedPath(file), file).toBe(true);
    for (const file of [
      'googletest/src/gtest.cc',
      'docopt.py',
      'src/vendor-list.ts',
      'src/parties/a.c',
      'external.md',
      'src/podcast/a.ts',
    ])
      expect(isGeneratedPath(file), file).toBe(false);
    for (const text of [
      '\n#line 2 "src/lexer.c"\n\nint x;',
      '/* A Bison parser, made by GNU Bison 3.8.2.  */',
      '// Code generated by protoc-gen-go. DO NOT EDIT.\n',
      '#!/bin/sh\n# Automatically generated with autoconf\n',
      '/*\n * This file was generated by protoc.\n */',
      '<!-- @generated -->',
    ])
      expect(isGeneratedText(text), text).toBe(true);
    for (const text of [
      'int line = 2;',
      `${'int a;\n'.repeat(200)}// DO NOT EDIT`,
      'const generated = make();',
      '/* Blocks are generated by the parser */',
      '#include "parser.h" /* Generated by bison. */',
    ])
      expect(isGeneratedText(text), text).toBe(false);
    const guide = 'TODO: tell more of it\n\n```js\n// TODO: your own library\n```\n\n<!-- FIXME -->\n';
    expect(todoMarks(guide, true).map(({ line }) => line)).toEqual([1, 7]);
    expect(todoMarks(guide).map(({ line }) => line)).toEqual([1, 4, 7]);
  },
);

verifies('review.true', 'what bots commit is no work of people; a name may end like theirs', () => {
  const log = [
    'dependabot[bot] <1+d@x>',
    'PrometheusBot <p@x>',
    'release-bot <r@x>',
    'Ann Talbot <a@x>',
    'Bo Abbot <b@x>',
  ]
    .map((author) => `\u0001${author}\0\n1\t1\ta.c\0`)
    .join('');
  expect(churnFrom(log).touched.get('a.c')).toMatchObject({ commits: 2, churn: 4 });
});

const COMMAND = { id: 'c', kind: 'test', program: 'npm', args: ['test'], folder: '', install: 'npm ci' } as never;
const ended = (output: string, code = 1) => judgeCommand(COMMAND, { code, end: 'exited', output, timeMs: 5 })[0];

verifies('review.true', 'what this machine lacks, or took too long for a review, is no fault of the repository', () => {
  for (const output of [
    'go: github.com/x/y@v1: dial tcp: lookup proxy.golang.org: no such host',
    'cannot find module providing package github.com/x/y',
    "ModuleNotFoundError: No module named 'attr'",
    "Error: Cannot find module 'left-pad'",
    'error: failed to get `serde` as a dependency of package',
    'Could not resolve host: github.com',
    'error NU1301: Unable to load the service index',
    'A compatible .NET SDK was not found.',
    'sh: 1: jest: not found',
    'Bundler::GemNotFound',
  ])
    expect(ended(output), output).toMatchObject({ rule: 'command-not-run', severity: 'info' });
  expect(ended("Error: Cannot find module './gone.js'")).toMatchObject({
    rule: 'command-test-failed',
    severity: 'high',
  });
  expect(ended('AssertionError: 1 != 2')).toMatchObject({ rule: 'command-test-failed', confidence: 'certain' });
  const [late] = judgeCommand(COMMAND, { code: null, end: 'timed-out', output: '', timeMs: 300_000 });
  expect(late).toMatchObject({ severity: 'info', confidence: 'possible' });
  expect(late?.title).toBe('“npm test” took longer than 5m and was stopped');
});

verifies(
  ['review.true', 'review.confidence'],
  'what a project has is seen in all its spellings, and what its owner may have elsewhere is only likely',
  () => {
    const missing = (files: string[], texts: [string, string][] = []) =>
      presenceOf(files, new Map(texts)).findings.map(({ rule, confidence }) => `${rule} ${confidence}`);
    const common = ['README.md', 'LICENSE', '.gitignore', '.github/workflows/ci.yml', 'CHANGELOG.md'];
    const text =
      '# A\n\n## Contributing\n\nSee [how](https://x.org/contributing).\n[s]: https://x.org/security-policy\n';
    expect(missing([...common, 'test.js'], [['README.md', text]])).toEqual([]);
    for (const test of [
      'test.js',
      'Src/A.Tests/B.cs',
      'spec/a_spec.rb',
      'a_test.go',
      'src/FooTests.swift',
      'x.test-d.ts',
    ])
      expect(missing([...common, test], [['README.md', text]]), test).toEqual([]);
    expect(missing([...common, 'packages/docs/a.md', 'test.js'])).toEqual([
      'missing-contributing likely',
      'missing-security likely',
    ]);
  },
);

verifies(
  'review.less',
  'where most links of a folder fail alike, one note says so; a README is read where its links lead',
  () => {
    const targets = ['IMG/a.png', '../http/b.png', 'c.md', 'd.md'];
    const files = ['templates/docs/x.md', 'other/y.md'];
    const judged = (file: string, all: readonly string[]) => {
      const links = all.map((target, index) => ({ target, line: index + 1, image: false }));
      const { broken: found } = judgeLinks(new Map([[file, { links, anchors: new Set<string>(), isOpen: false }]]), [
        file,
        ...files,
      ]);
      return found.map(({ finding: { rule, severity, confidence } }) => `${rule} ${severity} ${confidence}`);
    };
    expect(judged('templates/docs/a.md', targets)).toEqual(['broken-links-alike info possible']);
    expect(judged('templates/docs/a.md', [...targets.slice(2), 'x.md'])).toEqual([
      'broken-link low likely',
      'broken-link low likely',
    ]);
    expect(judged('README.md', targets.slice(2))).toEqual(['broken-link low certain', 'broken-link low certain']);
    // What a page, a route or a file of another folder may be, nobody says here.
    expect(judged('guides/a.md', ['@ref', 'metrics.html', 'topic', '/y.md', 'other/y.md'])).toEqual([]);
  },
);

verifies('review.less', 'nothing is critical without proof on the spot', () => {
  const weigh = (kind: string, value: string) =>
    weighSecret({ file: 'src/a.js', kind, value, lineText: '', inTests: false });
  expect(weigh('database-connection-string', login('jo', 'k3y9Qz7w', 'db.shop.org'))).toBe('doubtful');
  expect(weigh('github', `ghp_${'a1B2'.repeat(9)}`)).toBe('alarm');
});
