import { expect, test } from 'vitest';
import { presenceOf } from '#core/review/presence.js';
import {
  holdsSecrets,
  isEnvironmentFile,
  isKeyFile,
  secretVariables,
  testsBegin,
  weighSecret,
} from '#core/review/secrets.js';
import { todoMarks } from '#core/review/todos.js';

test('secrets by value, name and place', () => {
  const hit = { file: 'src/a.ts', kind: 'aws', value: 'AKIA8F3K29DMX7QPL2ZT', lineText: 'key', inTests: false };
  const login = 'https://shop:kx93jd8@db.intern.net/x';
  expect(
    [
      {},
      { inTests: true },
      { file: 'test/a.ts' },
      { value: 'AKIAEXAMPLEEXAMPLE77' },
      { value: 'abcdeabcde' },
      { value: 'abcdefabcdef' },
      { value: 'AbCdEaBcDe' },
      { value: '-----BEGIN KEY-----\naabb\n-----END KEY-----' },
      { kind: 'privatekey', value: '-----BEGIN KEY-----\nx8fk29dm\n-----END KEY-----' },
      { kind: 'privatekey', lineText: 'an example of a key' },
      { kind: 'privatekey', file: 'docs/a.md' },
      { kind: 'basicauth', value: login },
      { kind: 'basicauth', value: login, lineText: '# old' },
      { kind: 'basicauth', value: login, lineText: 'an example' },
      { kind: 'basicauth', value: login, inTests: true },
      { kind: 'basicauth', value: 'https://admin:x9f8d7@db.intern.net' },
      { kind: 'basicauth', value: 'https://same:same@db.intern.net' },
      { kind: 'npm' },
      { kind: 'aws', lineText: '// an example' },
    ].map((changes) => weighSecret({ ...hit, ...changes })),
  ).toMatchInlineSnapshot(`
    [
      "alarm",
      "doubtful",
      "doubtful",
      "none",
      "none",
      "alarm",
      "none",
      "none",
      "alarm",
      "doubtful",
      "none",
      "doubtful",
      "none",
      "none",
      "none",
      "none",
      "none",
      "doubtful",
      "alarm",
    ]
  `);
  const variables = {
    API_KEY: 'x8fk29dm',
    TOKEN: 'x8fk29d',
    AUTHOR: 'x8fk29dm',
    SECRET: undefined,
    PASSWORD: 'changeme',
    HOME: 'x8fk29dm',
    AUTH: 'aaaabbbb',
  };
  expect(secretVariables(variables)).toEqual([['API_KEY', 'x8fk29dm']]);
  const texts = [
    'TOKEN=abcdef',
    'TOKEN=abcde',
    ' export  API_KEY = "x8fk29dm"',
    'TOKEN=123456',
    'TOKEN=1234567',
    'TOKEN=false',
    'TOKEN=changeme1',
    '# TOKEN=x8fk29dm',
    'HOME=x8fk29dm',
    "a\nSECRET='x8fk29dm'",
  ];
  expect(texts.filter(holdsSecrets)).toMatchInlineSnapshot(`
    [
      "TOKEN=abcdef",
      " export  API_KEY = "x8fk29dm"",
      "TOKEN=1234567",
      "a
    SECRET='x8fk29dm'",
    ]
  `);
  const names = [
    '.env',
    '.env.local',
    '.env.example',
    'a/.env',
    '.environment',
    '.env.ci',
    'id_rsa',
    'id_rsa.pub',
    'a/store.jks',
    'test/key.pfx',
    '.netrc',
    'credentials.json',
    'credentials.json.dist',
    'x.p12.default',
  ];
  expect([names.filter(isEnvironmentFile), names.filter(isKeyFile)]).toMatchInlineSnapshot(`
    [
      [
        ".env",
        ".env.local",
        "a/.env",
      ],
      [
        "id_rsa",
        "a/store.jks",
        ".netrc",
        "credentials.json",
      ],
    ]
  `);
  const rust = 'fn a() {}\n#[cfg(test)]\nmod tests {}';
  expect([
    testsBegin('a.rs', rust),
    testsBegin('a.rs', 'fn a() {}'),
    testsBegin('a.ts', rust),
    testsBegin('a.rs', '#[cfg(any(test, x))]'),
  ]).toEqual([...[2, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 1]]);
});

test('notes that were left for later, and words that are none', () => {
  const text = [
    '// TODO mend it',
    '"// TODO in a text"',
    "'# FIXME' // HACK after a text",
    '`<!-- XXX -->`',
    "it's // TODO: one quote before",
    'TODO(ann): somebody',
    'TODO: two words',
    'TODO: one',
    'the TODO: in prose of words',
    '- TODO: a list of it',
    ' * @FIXME late',
    'const XXX = 1',
    '; HACK',
    `// TODO ${'x'.repeat(200)}`,
    `${'y'.repeat(1_990)} // TODO`,
    `${'y'.repeat(1_993)} // TODO`,
    '```',
    '// TODO in an example',
    '~~~',
    '// TODO after it',
    'x = 1 // see TODO: for more of it',
  ].join('\n');
  expect(
    todoMarks(text).map(({ word, line, text: said }) => `${word} ${line} ${said.slice(0, 30)} ${said.length}`),
  ).toMatchInlineSnapshot(`
    [
      "TODO 1 // TODO mend it 15",
      "TODO 6 TODO(ann): somebody 19",
      "TODO 7 TODO: two words 15",
      "TODO 10 TODO: a list of it 18",
      "FIXME 11 * @FIXME late 13",
      "HACK 13 ; HACK 6",
      "TODO 14 // TODO xxxxxxxxxxxxxxxxxxxxxx 160",
      "TODO 15 // TODO 7",
      "TODO 18 // TODO in an example 21",
      "TODO 20 // TODO after it 16",
      "TODO 21 TODO: for more of it 20",
    ]
  `);
  expect(todoMarks(text, true).map(({ line }) => line)).toMatchInlineSnapshot(`
    [
      1,
      6,
      7,
      10,
      11,
      13,
      14,
      15,
      20,
      21,
    ]
  `);
});

test('what a project should have, by file, by heading and by link', () => {
  const found = (files: string[], texts: Record<string, string> = {}) => {
    const { rows, findings } = presenceOf(files, new Map(Object.entries(texts)));
    return [
      rows.map(({ id, file }) => `${id}: ${file}`).join(', '),
      ...findings.map(({ title, severity, confidence, rule }) => `${severity} ${confidence} ${rule}: ${title}`),
    ];
  };
  expect([
    found([]),
    found([
      'docs/README.md',
      'deep/down/README.md',
      'LICENSE',
      'src/LICENSE',
      '.gitignore',
      'a/.gitignore',
      'CHANGELOG.md',
    ]),
    found(['x/LICENSE', 'a/.gitignore', 'a/HISTORY.md', '.github/SECURITY.md', 'x/HACKING']),
    found(['test/a.ts', '.github/workflows/ci.yml', 'docs/a.md'], {
      'README.md': '# A\n## Developing\n',
      'a/README.md': '# Contributing\n',
    }),
    found([], { 'README.md': 'Contributing\n-----\n[how](SECURITY.md)\n' }),
    found([], {
      'README.md': 'Contributing\n---\n[x]: https://x.org/contribute\n<a href="https://x.org/security/advisories">',
    }),
  ]).toMatchInlineSnapshot(`
    [
      [
        "readme: null, license: null, tests: null, ci: null, gitignore: null, contributing: null, security: null, docs: null",
        "medium certain missing-readme: There is no README here",
        "medium certain missing-license: There is no licence here",
        "medium certain missing-tests: There are no tests here",
        "medium likely missing-ci: There is no continuous integration here",
        "low certain missing-gitignore: There is no .gitignore here",
        "low likely missing-contributing: There is no guide for contributors here",
        "low likely missing-security: There is no way to report a vulnerability here",
        "info certain missing-docs: There is no documentation beyond the README here",
      ],
      [
        "readme: docs/README.md, license: LICENSE, tests: null, ci: null, gitignore: .gitignore, contributing: null, security: null, docs: docs/README.md",
        "medium certain missing-tests: There are no tests here",
        "medium likely missing-ci: There is no continuous integration here",
        "low likely missing-contributing: There is no guide for contributors here",
        "low likely missing-security: There is no way to report a vulnerability here",
      ],
      [
        "readme: null, license: null, tests: null, ci: null, gitignore: null, contributing: null, security: .github/SECURITY.md, docs: null",
        "medium certain missing-readme: There is no README here",
        "medium certain missing-license: There is no licence here",
        "medium certain missing-tests: There are no tests here",
        "medium likely missing-ci: There is no continuous integration here",
        "low certain missing-gitignore: There is no .gitignore here",
        "low likely missing-contributing: There is no guide for contributors here",
        "info certain missing-docs: There is no documentation beyond the README here",
      ],
      [
        "readme: null, license: null, tests: test/a.ts, ci: .github/workflows/ci.yml, gitignore: null, contributing: README.md, security: null, docs: docs/a.md",
        "medium certain missing-readme: There is no README here",
        "medium certain missing-license: There is no licence here",
        "low certain missing-gitignore: There is no .gitignore here",
        "low likely missing-security: There is no way to report a vulnerability here",
      ],
      [
        "readme: null, license: null, tests: null, ci: null, gitignore: null, contributing: README.md, security: README.md, docs: null",
        "medium certain missing-readme: There is no README here",
        "medium certain missing-license: There is no licence here",
        "medium certain missing-tests: There are no tests here",
        "medium likely missing-ci: There is no continuous integration here",
        "low certain missing-gitignore: There is no .gitignore here",
        "info certain missing-docs: There is no documentation beyond the README here",
      ],
      [
        "readme: null, license: null, tests: null, ci: null, gitignore: null, contributing: README.md, security: README.md, docs: null",
        "medium certain missing-readme: There is no README here",
        "medium certain missing-license: There is no licence here",
        "medium certain missing-tests: There are no tests here",
        "medium likely missing-ci: There is no continuous integration here",
        "low certain missing-gitignore: There is no .gitignore here",
        "info certain missing-docs: There is no documentation beyond the README here",
      ],
    ]
  `);
});
