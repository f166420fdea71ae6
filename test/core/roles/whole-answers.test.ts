import path from 'node:path';
import { expect, test } from 'vitest';
import { auditRoles } from '#core/roles/audit.js';
import { candidatesIn, type GraduationCandidate } from '#core/roles/candidates.js';
import { differenceText, graduated, graduationDetail, graduationOf, seenHash } from '#core/roles/graduation.js';
import { editRows, mintRow } from '#core/roles/lane-edit.js';
import { lessonGroups, lessonOverlap } from '#core/roles/lesson-likeness.js';
import { readRoles } from '#core/roles/registry.js';
import { coreFile, laneFile, logFile } from '#core/roles/role-paths.js';
import { endRun } from '#core/roles/run-end.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { codeOf } from '../graph/graph.js';
import { core, registryOf, row } from './some-roles.js';

const golden = (name: string) => path.join(import.meta.dirname, 'golden', name);
const LONG = 'x'.repeat(70);

const coreText = (name: string, lessons: readonly string[], solo: readonly string[]) =>
  [
    ...[
      `# ${name}`,
      '',
      '## Charter',
      '',
      'Works.',
      '',
      '## Learnings (core)',
      '',
      ...lessons.map((one) => `- ${one}`),
    ],
    ...['', '## Learnings (solo)', '', ...solo.map((one) => `- ${one}`), ''],
  ].join('\n');
const rowText = (name: string, ...lines: string[]) => [`### ${name}`, '- status: stable', ...lines, ''].join('\n');

const QA = coreText(
  'qa',
  [
    ...[`see \`${LONG}.ts\` first`, `then \`${LONG}.ts\` and \`${LONG}.ts\``, `last \`${LONG}.ts\``, 'only `src/a.ts`'],
    ...[
      'use a table instead of prose, instead of a list',
      'No longer ask',
      'the body is wrong',
      'no longer this, no longer that',
    ],
    ...[
      '`lib/b.ts` `c.md` `./d/` `../e.md` `f.toml` `no path` `npm` `*.ts` `lib/*.js` `/g/h`',
      '2026-01-05 — again `c.md`',
    ],
  ],
  [
    'Ask for benchmarks and `benchmarks`.',
    'No benchmarks, no claim.',
    'A machine has benchmarks',
    'machines and `i.ts`',
  ],
);

test('everything an audit finds in roles with everything wrong with them, in its order', async () => {
  const texts = new Map([
    [coreFile('qa'), QA],
    [coreFile('bare'), coreText('bare', [], ['machine alone', 'machine again', 'machine still'])],
    [laneFile('crew'), `${rowText('qa', '- runs: clean 0, thin 0, cuts 3')}${rowText('dev')}${rowText('old')}`],
    [laneFile('panel'), `${rowText('critic', '- role: qa')}${rowText('bare')}`],
    [laneFile('research'), rowText('bare')],
    [logFile('crew'), Array.from({ length: 31 }, (_, at) => `## r${at}\n### sub\n`).join('\n')],
    [logFile('panel'), Array.from({ length: 30 }, (_, at) => `## r${at}\n`).join('\n')],
  ]);
  const poor = [
    { lane: 'panel' as const, name: 'dev', runs: 3, mean: 0.2 },
    { lane: 'crew' as const, name: 'old', runs: 4, mean: 0.256 },
    { lane: 'crew' as const, name: 'critic', runs: 4, mean: 0.1 },
  ];
  const files = ['src/a.ts', 'pkg/lib/b.ts', 'd/x.ts', 'web/e.md', 'notes/f.toml/readme', 'g', 'h'];
  const registry = readRoles(texts);
  const told = (seen?: readonly string[]) =>
    auditRoles({ registry, texts, files: seen, poor }).map(
      ({ kind, role, file, line, text }) => `${kind} ${role} ${file}:${line} ${text}`,
    );
  const all = ['# with files', ...told(files), '# without', ...told(), '# of an empty repository', ...told([])];
  await expect(`${all.join('\n')}\n`).toMatchFileSnapshot(golden('audit.txt'));
});

test('what may be graduated, and what comes of each of it', async () => {
  const lessons = (...all: string[]) => ['- learnings:', ...all.map((one) => `  - ${one}`)];
  const texts = new Map([
    [coreFile('qa'), QA],
    [
      coreFile('dev'),
      coreText(
        'dev',
        [],
        Array.from({ length: 21 }, (_, at) => `word${at} thing${at} other${at}`),
      ),
    ],
    [
      laneFile('crew'),
      `${rowText('qa', '- role: qa', ...lessons('2026-02-01 — Check the unit first', 'Mine alone (context-independent)', '2026-02-03 — status: stable after 3 clean runs (r1)'))}${rowText('dev')}`,
    ],
    [
      laneFile('panel'),
      rowText(
        'critic',
        '- role: qa',
        ...lessons('2026-02-05 — check the  unit first now', 'Ask for benchmarks and benchmarks'),
      ),
    ],
    [
      laneFile('research'),
      `${rowText('dev', '- role: dev')}${rowText('gone', '- role: nobody').replace('stable', 'retired')}${rowText('free')}`,
    ],
  ]);
  const candidates = candidatesIn(readRoles(texts));
  const parts = candidates.flatMap((candidate) => {
    const shown = JSON.stringify(candidate, (key, value) => (key === 'overlap' ? value.toFixed(3) : value), 1);
    if (!('lesson' in candidate)) return [shown, codeOf(() => graduationOf(candidate, '2026-03-01'))];
    const graduation = graduationOf(candidate, '2026-03-01');
    const changes = graduated(texts, graduation);
    expect(graduationDetail(graduation, changes)).toEqual({ ...graduation, files: changes });
    return [shown, seenHash(graduation), differenceText(changes)];
  });
  await expect(`${parts.join('\n')}\n`).toMatchFileSnapshot(golden('graduations.txt'));
});

test('a difference has the lines that go and those that come, each as often as the other side lacks it', () => {
  const change = (before: string, after: string) => differenceText([{ file: 'f', before, after }]);
  expect(change('a\na\nb\n\n', 'a\nc\n  \n')).toBe('f\n- a\n- b\n+ c');
  expect(change('a\n', 'a\na\n')).toBe('f\n+ a');
});

test('how much two lessons say the same, and which belong together', () => {
  const overlaps = [
    ...[
      ['a b c', 'A, b c.'],
      ['a b c d', 'a b c'],
      ['a b', 'c d'],
      ['', ''],
      ['!', '?'],
      ['a b c d e', 'a b c x y'],
    ],
    ['a', 'a b c d'],
  ].map(([left = '', right = '']) => lessonOverlap(left, right).toFixed(3));
  expect(overlaps).toMatchInlineSnapshot(`
    [
      "1.000",
      "0.750",
      "0.000",
      "1.000",
      "0.000",
      "0.429",
      "0.250",
    ]
  `);
  const texts = [
    'one two three four',
    'five six seven',
    'one two three',
    'seven six five',
    'one two three five',
    'six seven',
  ];
  const groups = lessonGroups(texts.map((text) => ({ text }))).map((group) => group.map(({ text }) => text));
  expect(groups).toEqual([
    ['one two three four', 'one two three', 'one two three five'],
    ['five six seven', 'seven six five', 'six seven'],
  ]);
});

test('the end of a run, row by row, and told once more', () => {
  const minted = ['qa', 'dev'].reduce<string | undefined>(
    (text, name) => mintRow('crew', text, { name, fields: { owns: 'tests', status: 'stable', model: ' a\nb ' } }).text,
    undefined,
  ) as string;
  const source = `${minted}### old\n- status: retired\n- counted: r0\n`;
  const run = (id: string) => ({
    ...{ run: id, date: '2026-11-23' },
    rows: [
      { name: 'qa', result: 'clean' as const, lesson: 'Learned.' },
      { name: 'qa', result: 'clean' as const },
      { name: 'dev', result: 'cut' as const },
      { name: 'old', result: 'clean' as const },
      { name: 'nobody', result: 'clean' as const },
    ],
  });
  let text = source;
  const news = ['r1', 'r1', 'r2', 'r3'].map((id) => {
    const end = endRun('crew', text, run(id));
    text = end.text;
    return end.news;
  });
  expect(news).toMatchInlineSnapshot(`
    [
      {
        "changes": [],
        "counted": [
          "qa",
          "dev",
        ],
        "skipped": [
          "old",
          "nobody",
        ],
        "unwanted": [],
      },
      {
        "changes": [],
        "counted": [],
        "skipped": [
          "old",
          "nobody",
        ],
        "unwanted": [],
      },
      {
        "changes": [],
        "counted": [
          "qa",
          "dev",
        ],
        "skipped": [
          "old",
          "nobody",
        ],
        "unwanted": [],
      },
      {
        "changes": [
          {
            "from": "probationary",
            "name": "qa",
            "to": "stable",
            "why": "stable after 3 clean runs",
          },
        ],
        "counted": [
          "qa",
          "dev",
        ],
        "skipped": [
          "old",
          "nobody",
        ],
        "unwanted": [
          "dev",
        ],
      },
    ]
  `);
  expect(text).toMatchInlineSnapshot(`
    "# Crew

    ### qa
    - owns: tests
    - model: a b
    - status: stable
    - runs: clean 3, thin 0, cuts 0
    - counted: r1, r2, r3
    - learnings:
      - 2026-11-23 — Learned.
      - 2026-11-23 — status: stable after 3 clean runs (r3)

    ### dev
    - owns: tests
    - model: a b
    - status: probationary
    - runs: clean 0, thin 0, cuts 3
    - counted: r1, r2, r3
    - learnings:
    ### old
    - status: retired
    - counted: r0
    "
  `);
  for (let at = 0; at < TEAM_LIMITS.countedRuns + 3; at++) text = endRun('crew', text, run(`s${at}`)).text;
  const counted = /counted: (.*)/.exec(text)?.[1]?.split(', ') ?? [];
  expect([counted.length, counted.at(-1)]).toEqual([TEAM_LIMITS.countedRuns, `s${TEAM_LIMITS.countedRuns + 2}`]);
});

test('rows are edited where they stand', () => {
  const source =
    '# Crew\n\n### qa\n- status: stable\n- model:\n- owns: a; more\n  and more\n\n### dev\n- status: stable\n- learnings:\n   - one\n     goes on\n';
  const edited = editRows('crew', source, [
    { name: 'qa', fields: { model: 'opus', owns: 'b', status: 'stable', fresh: 'x' }, lessons: [] },
    {
      name: 'dev',
      fields: { model: 'opus' },
      lessons: [
        { date: '2026-03-01', text: 'two' },
        { date: '2026-03-01', text: 'One' },
        { date: '2026-03-01', text: 'two' },
      ],
    },
  ]);
  expect(edited).toMatchInlineSnapshot(`
    "# Crew

    ### qa
    - status: stable
    - model: opus
    - owns: b
    - fresh: x

    ### dev
    - status: stable
    - model: opus
    - learnings:
       - one
         goes on
       - 2026-03-01 — two
       - 2026-03-01 — One
    "
  `);
  const learned = editRows('crew', source, [{ name: 'qa', lessons: [{ date: '2026-03-01', text: 'two' }] }]);
  expect(learned).toBe(source.replace('  and more\n', '  and more\n- learnings:\n  - 2026-03-01 — two\n'));
  expect(editRows('crew', source, [{ name: 'dev' }])).toBe(source);
  expect(codeOf(() => editRows('crew', source, [{ name: 'nobody' }]))).toBe('role_not_found');
});

test('suggestions come in the order of names, and say whether all rows are linked', () => {
  const roles = registryOf(
    [core('b'), core('a')],
    [
      ...[row('crew', 'b', { role: 'b' }), row('panel', 'x', { role: 'b' }), row('crew', 'a'), row('panel', 'a')],
      ...[row('research', 'a', { role: 'a' }), row('crew', 'z', { status: 'retired' }), row('panel', 'z')],
      ...[row('crew', 'c'), row('panel', 'c')],
    ],
  );
  const told = (one: GraduationCandidate) =>
    'linked' in one ? `${one.id} ${one.role} ${one.origins.join()} ${one.linked}` : one.why;
  expect(candidatesIn(roles).map(told)).toEqual([
    ...['c1 a crew,panel,research false', 'c2 b crew,panel true', 'c3 c crew,panel false'],
  ]);
});
