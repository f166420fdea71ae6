import path from 'node:path';
import { expect, test } from 'vitest';
import { excerpt, judgeCommand, uncheckedOf } from '#core/review/command-findings.js';
import { recogniseCommands } from '#core/review/commands.js';
import { finding } from '#core/review/finding.js';
import { judgeReport } from '#core/review/gate.js';
import { churnFrom, hotspotsOf } from '#core/review/history.js';
import type { RecognisedCommand } from '#core/review/plan.js';
import { firstThings, groupFindings } from '#core/review/ranking.js';
import { checksSentence, countsSentence } from '#core/review/words.js';

const golden = (name: string) => path.join(import.meta.dirname, 'golden', `${name}.txt`);
const lines = (rows: readonly unknown[]) =>
  `${rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n')}\n`;

/** Repositories by their manifests, with the texts of those; other files are only there. */
const REPOSITORIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'every script': {
    'package.json':
      '{"packageManager":"yarn@4","dependencies":{"a":"1"},"scripts":{"tsc":"tsc","check:lint":"eslint","unit":"vitest","test":"all","lint:check":""}}',
    'pnpm-lock.yaml': '',
  },
  'watchers and numbers': {
    'package.json': '{"scripts":{"lint":"x --watch=true","types:check":"x --watch=false","test":7,"unit-test":"  "}}',
  },
  'another manager': {
    'package.json': '{"packageManager":"pnpm@9","scripts":{"eslint":"x"},"devDependencies":{}}',
    'yarn.lock': '',
  },
  'npm by name': {
    'package.json': '{"packageManager":"npm@9","scripts":{"lint":"x"}}',
    'yarn.lock': '',
    'package-lock.json': '',
  },
  'both locks': {
    'package.json': '{"packageManager":7,"scripts":{"lint":"x"}}',
    'yarn.lock': '',
    'pnpm-lock.yaml': '',
  },
  'scripts of another form': { 'package.json': '{"scripts":["lint"]}' },
  'python by pytest.ini': { 'pytest.ini': '' },
  'python by setup.cfg': { 'setup.cfg': 'x\n[tool:pytest]\n' },
  'python by tox.ini': { 'tox.ini': '[pytest]\n' },
  'python by its tests': { 'setup.cfg': '', 'src/a_test.py': '' },
  'python without tests': { 'setup.cfg': '', 'src/contest.py': '' },
  'tests of python alone': { 'go.mod': '', 'test_a.py': '' },
  'tests beside the folder': { 'api/setup.cfg': '', 'web/test_a.py': '' },
  'tests in the folder': { 'api/setup.cfg': '', 'api/test_a.py': '' },
  everything: {
    'Cargo.toml': '',
    'go.mod': '',
    'pom.xml': '',
    'pyproject.toml': '[tool.pytest.ini_options]',
    'package.json': '{"scripts":{"test":"x"}}',
  },
  'many folders': { 'd/go.mod': '', 'a/go.mod': '', 'C/go.mod': '', 'b/deep/go.mod': '', 'a-b/pom.xml': '' },
  'a lock at the top': { 'web/package.json': '{"scripts":{"lint":"x"}}', 'pnpm-lock.yaml': '' },
  'two deep': { 'a/b/go.mod': '', 'a/Äé/go.mod': '', 'a/b/c/go.mod': '' },
  'three deep': { 'a/b/c/go.mod': '' },
  'a long name': { 'a-folder-with-a-long-name-that-goes-on/go.mod': '', '-x-/go.mod': '' },
};

test('the commands of repositories, whole', async () => {
  const told = Object.entries(REPOSITORIES).flatMap(([name, files]) => [
    `== ${name}`,
    ...(['fast', 'all', 'none'] as const).flatMap((mode) => [
      mode,
      ...recogniseCommands(Object.keys(files), new Map(Object.entries(files)), mode).map(
        (row) => `  ${JSON.stringify(row)}`,
      ),
    ]),
  ]);
  await expect(lines(told)).toMatchFileSnapshot(golden('commands'));
});

const LINT: RecognisedCommand = {
  ...{
    id: 'npm-lint',
    title: 'Lint',
    kind: 'lint',
    program: 'npm',
    args: ['run', 'lint'],
    folder: '',
    install: 'npm ci',
  },
};
const exited = { code: 1, end: 'exited', output: '', timeMs: 60_000 } as const;
const printed = Array.from({ length: 14 }, (_, at) => `line ${at}${at % 5 === 0 ? '\n  ' : ''}`).join('\n');

test('the ends of commands, whole: what each means, and whether the check has a result', async () => {
  const ends = [
    { ...exited, code: 0 },
    { ...exited, output: printed },
    { ...exited, output: '\n \n' },
    { ...exited, output: `${'x'.repeat(1_300)}y` },
    { ...exited, code: null },
    { ...exited, end: 'missing' },
    { ...exited, end: 'not-started' },
    { ...exited, end: 'stopped' },
    { ...exited, end: 'timed-out' },
    { ...exited, end: 'timed-out', timeMs: 1_800_000, output: 'half way' },
    { ...exited, output: 'sh: 1: eslint: not found' },
    { ...exited, output: "cannot import name 'a' (/usr/lib/site-packages/a.py)" },
    { ...exited, output: 'dial tcp: no such host' },
  ] as const;
  const told = ends.flatMap((end) =>
    [
      LINT,
      { ...LINT, kind: 'typecheck' as const, folder: 'web' },
      { ...LINT, kind: 'unit' as const },
      { ...LINT, kind: 'test' as const },
    ].map((command) => {
      const findings = judgeCommand(command, end);
      const evidence = { exit_code: end.code, findings, facts: { end: end.end } } as never;
      return [command.kind, end.end, end.code, uncheckedOf(evidence) ?? 'a result', findings];
    }),
  );
  await expect(lines(told)).toMatchFileSnapshot(golden('command-ends'));
  expect(uncheckedOf({ exit_code: null, findings: [], facts: {} } as never)).toBeUndefined();
});

test('an excerpt is as long as it may be, or cut after its first quarter', () => {
  expect(excerpt('12345678', 8)).toBe('12345678');
  expect(excerpt('123456789', 8)).toBe('12\n… 1 characters left out …\n456789');
  expect(excerpt('a\r\nb\rc  \n\n', 8)).toBe('a\nb\nc');
});

test('a report is whole and of this review, or it is said what is wrong', () => {
  const steps = [
    { node: 'a', title: 'A', type: 'run', has_evidence: true },
    { node: 'b', title: 'B', type: 'run', has_evidence: false },
    { node: 'c', title: 'C', type: 'check', has_evidence: false },
  ];
  const plan = { review: 'r', head: 'h', steps } as never;
  const explained = { rule: 'step-without-result', node: 'b' };
  const judge = (report: object | undefined, pages: object = {}) =>
    judgeReport({
      ...{ plan, markdown: 'm', html: 'h', expected: { markdown: 'm', html: 'h' } },
      report:
        report === undefined
          ? undefined
          : ({ review: 'r', head: 'h', steps, findings: [explained], ...report } as never),
      ...pages,
    });
  expect([
    judge(undefined),
    judge({}),
    judge({ findings: [{ ...explained, rule: 'todo' }] }),
    judge({ findings: [{ ...explained, node: 'a' }] }),
    judge({ review: 'x' }),
    judge({ head: 'x' }),
    judge({ steps: steps.slice(1) }),
    judge({}, { markdown: undefined, html: 'other' }),
    judge({}, { expected: undefined }),
  ]).toMatchInlineSnapshot(`
    [
      [
        "There is no report.json, or it cannot be parsed.",
      ],
      [],
      [
        "“B” has neither evidence nor a finding that explains why.",
      ],
      [
        "“B” has neither evidence nor a finding that explains why.",
      ],
      [
        "The report belongs to another review.",
      ],
      [
        "The report belongs to another review.",
      ],
      [
        "“A” is missing from the report.",
      ],
      [
        "report.md is missing.",
        "report.html does not match report.json.",
      ],
      [
        "report.md does not match report.json.",
        "report.html does not match report.json.",
      ],
    ]
  `);
});

test('findings gathered in the order in which they are worth doing', () => {
  const one = (severity: 'critical' | 'high' | 'low' | 'info', rule: string, more: object = {}) =>
    finding({ severity, rule, title: `One ${rule}`, detail: '', remedy: '', ...more });
  const found = [
    one('low', 'todo', { file: 'b' }),
    one('low', 'todo', { file: 'a' }),
    one('high', 'hotspot'),
    one('high', 'missing-license'),
    one('info', 'command-not-run'),
    one('low', 'unheard-of'),
    one('low', 'another'),
    one('high', 'leaked-secret', { confidence: 'likely' }),
    one('info', 'leaked-secret', { file: 'x' }),
    one('critical', 'step-without-result'),
    one('high', 'large-file'),
  ];
  const told = (groups: ReturnType<typeof groupFindings>) =>
    groups.map(
      ({ rule, severity, title, effort, findings }) =>
        `${severity} ${effort} ${rule} ${findings.map(({ file }) => file ?? '-')}: ${title}`,
    );
  expect([
    told(groupFindings(found)),
    told(firstThings(found)),
    told(firstThings(found.slice(5))),
  ]).toMatchInlineSnapshot(`
    [
      [
        "critical minutes step-without-result -: One step-without-result",
        "high minutes missing-license -: One missing-license",
        "high an hour leaked-secret -,x: Secrets seem to be in the repository",
        "high an hour large-file -: One large-file",
        "high a day hotspot -: One hotspot",
        "low an hour todo a,b: Notes were left for later",
        "low an hour another -: One another",
        "low an hour unheard-of -: One unheard-of",
        "info minutes command-not-run -: One command-not-run",
      ],
      [
        "info minutes command-not-run -: One command-not-run",
        "high minutes missing-license -: One missing-license",
        "high an hour large-file -: One large-file",
      ],
      [
        "high an hour large-file -: One large-file",
        "low an hour another -: One another",
        "low an hour unheard-of -: One unheard-of",
      ],
    ]
  `);
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  expect([
    countsSentence(counts),
    countsSentence({ ...counts, info: 1 }),
    countsSentence({ ...counts, low: 1, info: 2 }),
    countsSentence({ ...counts, critical: 1, high: 2, low: 3 }),
    ...[0, 1, 2].map((total) => checksSentence({ total, finished: 1 } as never)),
  ]).toMatchInlineSnapshot(`
    [
      "No problems were found.",
      "No problems were found. 1 note is for information only.",
      "1 finding: 1 low. 2 notes are for information only.",
      "6 findings: 1 critical, 2 high and 3 low.",
      "",
      " 1 of 1 check finished.",
      " 1 of 2 checks finished.",
    ]
  `);
});

test('how often files change and how long they are, of a log with bots, binaries and odd names', () => {
  const entry = (author: string, ...files: string[]) => `\u0001${author}\n\n${files.join('\0')}\0`;
  const log = [
    entry('Ann <a@x>', '3\t1\tsrc/a.ts', '-\t-\tlogo.png', '2\t0\ta\tb\nc.ts'),
    entry('renovate[bot] <r@x>', '9\t9\tsrc/a.ts'),
    entry('release-bot <r@x>', '9\t9\tsrc/a.ts'),
    entry('PrometheusBot <p@x>', '9\t9\tsrc/a.ts'),
    entry('Talbot <t@x>', '1\t1\tsrc/a.ts', '5\t5\tpackage-lock.json', '4\t0\tgone.ts', '1\t0\tempty.ts'),
    '\u0001Nobody <n@x>',
    entry('Ann <a@x>', '0\t2\tsrc/b.ts', 'odd'),
  ].join('');
  const { commits, touched } = churnFrom(log);
  expect([
    commits,
    [...touched].map(([file, { authors, ...rest }]) => [file, rest, [...authors].join()]),
  ]).toMatchInlineSnapshot(`
    [
      6,
      [
        [
          "src/a.ts",
          {
            "churn": 6,
            "commits": 2,
          },
          "Ann <a@x>,Talbot <t@x>",
        ],
        [
          "logo.png",
          {
            "churn": 0,
            "commits": 1,
          },
          "Ann <a@x>",
        ],
        [
          "a	b
    c.ts",
          {
            "churn": 2,
            "commits": 1,
          },
          "Ann <a@x>",
        ],
        [
          "package-lock.json",
          {
            "churn": 10,
            "commits": 1,
          },
          "Talbot <t@x>",
        ],
        [
          "gone.ts",
          {
            "churn": 4,
            "commits": 1,
          },
          "Talbot <t@x>",
        ],
        [
          "empty.ts",
          {
            "churn": 1,
            "commits": 1,
          },
          "Talbot <t@x>",
        ],
        [
          "src/b.ts",
          {
            "churn": 2,
            "commits": 1,
          },
          "Nobody <n@x>Ann <a@x>",
        ],
      ],
    ]
  `);
  const sizes = new Map([
    ['src/a.ts', 10],
    ['src/b.ts', 20],
    ['a\tb\nc.ts', 20],
    ['package-lock.json', 900],
    ['empty.ts', 0],
    ['logo.png', 1],
  ]);
  expect(hotspotsOf(touched, sizes)).toMatchInlineSnapshot(`
    [
      {
        "authors": 1,
        "churn": 2,
        "commits": 1,
        "file": "a	b
    c.ts",
        "lines": 20,
      },
      {
        "authors": 2,
        "churn": 6,
        "commits": 2,
        "file": "src/a.ts",
        "lines": 10,
      },
      {
        "authors": 1,
        "churn": 2,
        "commits": 1,
        "file": "src/b.ts",
        "lines": 20,
      },
      {
        "authors": 1,
        "churn": 0,
        "commits": 1,
        "file": "logo.png",
        "lines": 1,
      },
    ]
  `);
});
