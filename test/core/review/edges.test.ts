import path from 'node:path';
import { expect, test } from 'vitest';
import { judgeCommand } from '#core/review/command-findings.js';
import { ECOSYSTEMS, licenceKind, mergeDependencies } from '#core/review/dependencies.js';
import { DEPENDENCY_FILES, factsOf } from '#core/review/facts.js';
import { compareFindings, type Finding, finding } from '#core/review/finding.js';
import { hotspotChart, severityChart } from '#core/review/html/charts.js';
import { timelineChart } from '#core/review/html/timeline.js';
import { judgeLinks } from '#core/review/links.js';
import type { RecognisedCommand } from '#core/review/plan.js';
import { presenceOf, SECTION_FILES } from '#core/review/presence.js';
import { EFFORTS, effortOf } from '#core/review/ranking.js';
import type { Report, StepReport } from '#core/review/report.js';
import { isGeneratedText } from '#core/review/samples.js';
import { weighSecret } from '#core/review/secrets.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { randomFrom } from '#kernel/random.js';

const golden = (name: string) => path.join(import.meta.dirname, 'golden', `${name}.txt`);
const AT = Date.parse('2026-03-01T10:00:00.000Z');
const time = (seconds: number) => new Date(AT + seconds * 1_000).toISOString();

/** What the charts read of a report, always the same for a number. */
function chartedReport(seed: number): Report {
  const next = randomFrom(seed);
  const below = (most: number) => Math.floor(next() * most);
  const one = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const steps = Array.from({ length: 5 + below(8) }, (_, number): Partial<StepReport> => {
    const from = below(90);
    return {
      ...{ node: `n${number}`, title: one(['Look', 'Read all of it', 'A step with quite a long title of its own']) },
      ...{ member: one(['Neo', 'Trinity', 'A member of many words and a name']), role: one(['', 'QA engineer']) },
      ...{ status: one(['done', 'failed', 'in-progress']), type: one(['run', 'check']), has_evidence: below(2) === 0 },
      ...{
        started_at: below(8) === 0 ? null : time(from - 1),
        completed_at: below(3) === 0 ? null : time(from + below(40)),
      },
      duration_ms: below(2) === 0 ? null : below(9_000),
    };
  });
  const hotspots = Array.from({ length: below(24) }, (_, number) => ({
    ...{ file: `src/${'part-'.repeat(below(5))}${number}.ts`, commits: below(30), churn: below(90) },
    ...{ lines: below(900), authors: 1 },
  }));
  const counts = { critical: below(3), high: below(40), medium: 0, low: below(9), info: below(200) };
  return { counts, hotspots, steps, started_at: time(0), finished_at: time(100) } as unknown as Report;
}

test('charts of any report, as wide as a page may be, look as they were found good', async () => {
  const lines = [1, 2, 3, 4, 5, 6].flatMap((seed) => {
    const report = chartedReport(seed);
    const width = [358, 499, 500, 501, 640, 896][seed - 1] ?? 0;
    return [
      `== ${seed}, ${width} wide`,
      severityChart(report, width),
      timelineChart(report, width),
      hotspotChart(report, width, 300),
    ];
  });
  await expect(`${lines.join('\n').replaceAll('><', '>\n<')}\n`).toMatchFileSnapshot(golden('charts'));
});

test('findings come by severity, then by rule, file, line and id', () => {
  const made = (severity: Finding['severity'], rule: string, more: object = {}) =>
    finding({ severity, title: '', detail: '', remedy: '', rule, ...more });
  const sorted = [
    made('critical', 'z'),
    made('low', 'a'),
    made('low', 'a', { line: 3 }),
    made('low', 'a', { file: 'a.ts' }),
    made('low', 'a', { file: 'a.ts', line: 2 }),
    made('low', 'a', { file: 'a.ts', line: 10 }),
    made('low', 'a', { file: 'b.ts', line: 1 }),
    made('low', 'b', { file: 'a.ts' }),
    made('info', 'a'),
  ];
  const others = sorted.map((_, index) => sorted[(index * 4) % sorted.length] as Finding);
  expect([...others].sort(compareFindings)).toEqual(sorted);
  expect([...sorted].reverse().sort(compareFindings)).toEqual(sorted);
  const twins = ['x', 'y'].map((subject) => finding({ ...made('low', 'a'), line: 1 }, subject));
  expect(twins.map(({ id }) => id).sort()).toEqual(twins.sort(compareFindings).map(({ id }) => id));
});

test('broken links are told document by document, whatever the order in which these were read', () => {
  const document = (targets: readonly string[]) => ({
    links: targets.map((target, index) => ({ target, line: index + 1, image: false })),
    anchors: new Set(['über-uns', 'a--b']),
    isOpen: false,
  });
  const documents = new Map([
    ['z/README.md', document(['gone.md', '../README.md#uber-uns', '../README.md#a-b', '../README.md#ab-'])],
    ['a/README.md', document(['gone.md', '../z/', '..', '../README.md?x=1#nowhere', 'x%zz.md'])],
    ['README.md', document(['#', '#gone', '?x', 'a//gone.md#x'])],
  ]);
  const { checked, broken } = judgeLinks(documents, ['z/README.md', 'a/README.md', 'README.md']);
  expect(checked).toBe(11);
  expect(broken.map(({ finding: { file, line, detail }, missing }) => [file, line, detail, missing])).toEqual([
    ['README.md', 2, '#gone: README.md has no heading “gone”.', undefined],
    ['README.md', 4, 'a//gone.md#x: a/gone.md is not in the repository.', 'a/gone.md'],
    ['a/README.md', 1, 'gone.md: a/gone.md is not in the repository.', 'a/gone.md'],
    ['a/README.md', 4, '../README.md?x=1#nowhere: README.md has no heading “nowhere”.', undefined],
    ['a/README.md', 5, 'x%zz.md: a/x%zz.md is not in the repository.', 'a/x%zz.md'],
    ['z/README.md', 1, 'gone.md: z/gone.md is not in the repository.', 'z/gone.md'],
  ]);
});

test('dependencies without a version come before those of the same name that have one', () => {
  const npm = (name: string, version?: string) => ({
    ...{ ecosystem: 'npm' as const, name, direct: false, development: true },
    ...(version === undefined ? {} : { version }),
  });
  const merged = mergeDependencies([
    npm('b', '2.0.0'),
    npm('b'),
    { ...npm('a'), ecosystem: 'go' },
    npm('b', '10.0.0'),
    { ...npm('b'), direct: true, development: false, licence: 'MIT' },
    { ...npm('b', '2.0.0'), licence: 'ISC' },
  ]);
  expect(merged).toEqual([
    { ...npm('a'), ecosystem: 'go' },
    { ...npm('b'), direct: true, development: false, licence: 'MIT' },
    { ...npm('b', '10.0.0') },
    { ...npm('b', '2.0.0'), direct: false, development: true, licence: 'ISC' },
  ]);
});

test('a check that took all the time there is gets another remedy than one that can be given more', () => {
  const command = {
    id: 'unit',
    label: 'unit',
    program: 'npm',
    args: ['test'],
    kind: 'test',
  } as unknown as RecognisedCommand;
  const remedy = (timeMs: number) =>
    judgeCommand(command, { end: 'timed-out', code: 0, output: 'x', timeMs } as never).map((one) => one.remedy);
  const [more, own] = [
    expect.stringContaining('--run all'),
    'Run `npm test` yourself; if it is slow, add a quicker script.',
  ];
  const all = SURFACE_LIMITS.commandAllMs;
  expect([all - 1, all, all + 1].map(remedy)).toEqual([[more], [own], [own]]);
});

test('what a generator says in the first thousand characters counts', () => {
  const filled = (characters: number) => `${'-\n'.repeat(characters / 2)}Do not edit`;
  expect(
    ['Do not edit', 'o not edit', filled(988), filled(990), '\n/* @generated', '# line 3 "x"'].map(isGeneratedText),
  ).toEqual([true, false, true, false, true, true]);
});

test('everything a project should have is missed in an empty one, and found where it is', async () => {
  const { rows, findings } = presenceOf([]);
  const files = [
    'README.md',
    'LICENSE',
    'test/a.test.ts',
    '.github/workflows/ci.yml',
    '.gitignore',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'docs/a.md',
  ];
  const told = [...rows, ...findings, ...presenceOf(files).rows, ...SECTION_FILES].map((row) => JSON.stringify(row));
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(golden('presence'));
});

test('the files that name dependencies, each by itself', () => {
  const none = { commits: 1, commands: 0 };
  for (const file of [...DEPENDENCY_FILES, 'requirements-dev.txt'])
    expect(factsOf({ files: [`deep/${file}`], ...none }), file).toEqual(['manifests']);
  expect([...DEPENDENCY_FILES, ...ECOSYSTEMS, ...EFFORTS].join(' ')).toBe(
    'package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock pyproject.toml requirements.txt ' +
      'poetry.lock uv.lock Pipfile.lock Cargo.toml Cargo.lock go.mod go.sum pom.xml ' +
      'npm python cargo go maven minutes an hour a day',
  );
  expect(factsOf({ files: ['go.txt', 'a.md'], commits: 2, commands: 1 })).toEqual(['commands', 'documents', 'history']);
  expect([effortOf('hotspot'), effortOf('nobody-knows')]).toEqual(['a day', 'an hour']);
});

test('kinds of secrets whose form anybody can write down are doubtful, and none in a sample', () => {
  const weigh = (kind: string, file: string) =>
    weighSecret({ file, kind, value: 'x8fk29dmQ7', lineText: 'key', inTests: false });
  const kinds = ['privatekey', 'basicauth', 'database-connection-string', 'npm', 'aws'];
  expect(kinds.map((kind) => [weigh(kind, 'src/a.ts'), weigh(kind, 'test/a.ts')])).toEqual([
    ['alarm', 'none'],
    ['doubtful', 'none'],
    ['doubtful', 'none'],
    ['doubtful', 'none'],
    ['alarm', 'doubtful'],
  ]);
});

test('licences as people spell them', () => {
  const kinds = [
    'MIT/Apache-2.0',
    'Apache License, Version 2.0',
    'apache2',
    'BSD',
    'public domain',
    'GPLv3',
    'LGPL 2.1',
    'agpl',
    'MIT/',
  ];
  expect(kinds.map((text) => [text, licenceKind(text)])).toEqual([
    ['MIT/Apache-2.0', 'permissive'],
    ['Apache License, Version 2.0', 'permissive'],
    ['apache2', 'permissive'],
    ['BSD', 'permissive'],
    ['public domain', 'permissive'],
    ['GPLv3', 'copyleft'],
    ['LGPL 2.1', 'weak-copyleft'],
    ['agpl', 'copyleft'],
    ['MIT/', 'unknown'],
  ]);
});
