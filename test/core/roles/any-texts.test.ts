import path from 'node:path';
import { expect, test } from 'vitest';
import { auditRoles } from '#core/roles/audit.js';
import type { GraduationCandidate } from '#core/roles/candidates.js';
import { addCoreLesson, parseCore, replaceSection } from '#core/roles/core-file.js';
import { refuseWrite } from '#core/roles/judge-write.js';
import { LANES, ROW_STATUSES } from '#core/roles/lane.js';
import { parseLane } from '#core/roles/lane-file.js';
import { afterRun, cleanRunsLeft, crewResult, isUnwanted, panelResult, researchResult } from '#core/roles/lane-life.js';
import { lessonGroups, lessonOverlap } from '#core/roles/lesson-likeness.js';
import { promptPartsAt } from '#core/roles/prompt-parts.js';
import { RESERVED_ROLE_NAMES } from '#core/roles/role-paths.js';
import { withLogEntry } from '#core/roles/run-end.js';
import { sessionContext } from '#core/roles/session-context.js';
import { CREW_WRITER } from '#core/roles/writers.js';
import { randomFrom } from '#kernel/random.js';
import { core, lessonsOf, registryOf, row } from './some-roles.js';

const golden = (name: string) => path.join(import.meta.dirname, 'golden', name);

/** Lines as hands and merges leave them in files of roles. */
const PIECES = [
  ...['# qa', '# another', '## Charter', '##  charter ##', '## When to use', '## Body', '## Learnings (core)'],
  ...['## Learnings (solo)', '## Learnings (core)', '## Other', '### qa', '### dev', '### Dev!', '#### below'],
  ...['- status: stable', '- status: probationary', '- status: fine', '- runs: clean 1, thin 2, cuts 3', '- runs: x'],
  ...['- model: opus effort: high', '- model: opus', '  and more', '   - and a dash', '- learnings:', ' - Role: qa'],
  ...['- 2026-03-01 — seen', '  - 2026-03-02: deeper', '   - three in', '    - four in', '  goes on', '* no date'],
  ...['', '', 'Words of prose', '```', '<!-- a -->', '<!--> b', '<!--', '-->', '<<<<<<< HEAD', '=======', '>>>>>>> x'],
];

function anyText(seed: number): string {
  const next = randomFrom(seed);
  // In every second one nothing keeps its editors from their work.
  const pieces = seed % 2 === 0 ? PIECES : PIECES.filter((piece) => !/^(<|>|`|-->)/.test(piece));
  const line = () => pieces[Math.floor(next() * pieces.length)] ?? '';
  const lines = Array.from({ length: 6 + Math.floor(next() * 18) }, line);
  const eol = ['\n', '\r\n', '\r'][seed % 3] ?? '';
  return lines.join(eol) + (seed % 4 === 0 ? '' : eol);
}

/** What comes of it, or how it is refused. */
function outcome(act: () => string): string {
  try {
    return JSON.stringify(act());
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : ''}`;
  }
}

test('files of roles of any text are read and changed as was found good', async () => {
  const told = Array.from({ length: 44 }, (_, number) => {
    const source = anyText(number + 1);
    const { role, lessons, problems } = parseCore('qa', source);
    const lane = parseLane('crew', source);
    const edits = [
      outcome(() => addCoreLesson('qa', source, 'core', { date: '2026-04-01', text: 'new' }).text),
      outcome(() => replaceSection('qa', source, 'charter', 'One.\nTwo.')),
    ];
    return [
      `== ${JSON.stringify(source)}`,
      `core ${JSON.stringify(role)}`,
      `lines ${JSON.stringify([...lessons.core, ...lessons.solo].map(({ at, lines, indent }) => [at, lines, indent.length]))}`,
      ...lane.rows.map(({ lines, row: one }) => `row ${JSON.stringify({ ...one, fields: lines.fields })}`),
      ...[...problems, ...lane.problems].map(({ file, line, severity, text }) => `${severity} ${file}:${line} ${text}`),
      ...edits,
    ].join('\n');
  });
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(golden('any-texts.txt'));
});

test('where each end of a run leaves each row', async () => {
  const results = ['clean', 'thin', 'cut', 'neither'] as const;
  const counts = [0, 1, 2, 3].map((count) => ({ clean: count, thin: count, cuts: count }));
  const states = ROW_STATUSES.flatMap((status) => counts.map((runs) => ({ status, runs })));
  const told = states.flatMap((state) => {
    const shown = ({ runs }: typeof state) => `${runs.clean} clean, ${runs.thin} thin, ${runs.cuts} cuts`;
    const steps = LANES.flatMap((lane) =>
      results.map((result) => {
        const { why = '', ...step } = afterRun(lane, state, result);
        return `  ${lane} ${result}: ${step.status}, ${shown(step as typeof state)} ${why}`.trimEnd();
      }),
    );
    const unwanted = LANES.filter((lane) => isUnwanted(lane, state));
    return [`${state.status}, ${shown(state)}; lacks ${cleanRunsLeft(state)}, unwanted in ${unwanted}`, ...steps];
  });
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(golden('life.txt'));
});

test('which results count', () => {
  const crew = [
    [true, 0, 0],
    [false, 0, 0],
    [true, 1, 0],
    [true, 0, 1],
  ] as const;
  expect(crew.map(([passed, rejections, escalations]) => crewResult({ passed, rejections, escalations }))).toEqual([
    'clean',
    'neither',
    'neither',
    'neither',
  ]);
  expect([
    panelResult({ adopted: 0, steelman: false }),
    panelResult({ adopted: 1, steelman: false }),
    panelResult({ adopted: 0, steelman: true }),
  ]).toEqual(['neither', 'clean', 'clean']);
  expect([
    researchResult({ entries: 2, floor: 3, fabricated: 0 }),
    researchResult({ entries: 3, floor: 3, fabricated: 0 }),
    researchResult({ entries: 3, floor: 3, fabricated: 1 }),
  ]).toEqual(['thin', 'clean', 'neither']);
  expect([...RESERVED_ROLE_NAMES]).toEqual([...LANES, 'registry', 'as', 'evolve']);
});

test('lessons are grouped by the first that they are like, however often their words are used', () => {
  const texts = [
    'alpha beta gamma delta epsilon',
    'alpha beta gamma delta zeta',
    'alpha beta gamma eta theta',
    'ALPHA  beta gamma delta epsilon',
    'iota kappa lambda',
    'kappa iota lambda mu nu',
    'lambda',
    '!!!',
    '???',
    '!!!',
  ];
  expect(
    lessonGroups(texts.map((text) => ({ text }))).map((group) => group.map(({ text }) => texts.indexOf(text))),
  ).toEqual([[0, 1, 3], [2], [4, 5], [6], [7, 7], [8]]);
  const pairs = [
    [0, 1],
    [0, 2],
    [0, 3],
    [4, 5],
    [4, 6],
    [7, 8],
    [7, 7],
  ].map(([left = 0, right = 0]) => [texts[left] ?? '', texts[right] ?? ''] as const);
  const sameLesson = (...pair: [string, string]) => lessonGroups(pair.map((text) => ({ text }))).length === 1;
  expect(pairs.map(([left, right]) => [lessonOverlap(left, right).toFixed(3), sameLesson(left, right)])).toEqual([
    ['0.667', true],
    ['0.429', false],
    ['1.000', true],
    ['0.600', true],
    ['0.333', false],
    ['0.000', false],
    ['1.000', true],
  ]);
});

test('a session is told of as many candidates as there is room for, and how many are left', () => {
  const candidate = (number: number): GraduationCandidate => ({
    ...{ id: `c${number}`, role: 'r'.repeat(40), origins: ['crew', 'panel'] as const },
    ...{ why: 'several-lanes', linked: number % 2 === 0 },
  });
  const told = (count: number) =>
    sessionContext(Array.from({ length: count }, (_, number) => candidate(number)))?.split('\n');
  const rest = (count: number) => {
    const lines = told(count) ?? [];
    return [lines.length, lines.at(-1)?.startsWith('- and') === true ? lines.at(-1) : 'all', lines.join('\n').length];
  };
  expect([1, 19, 20, 21, 22, 30].map(rest)).toMatchInlineSnapshot(`
    [
      [
        2,
        "all",
        233,
      ],
      [
        20,
        "all",
        1727,
      ],
      [
        21,
        "all",
        1825,
      ],
      [
        22,
        "all",
        1894,
      ],
      [
        23,
        "- and 1 more: \`troupe roles graduate --candidates\`",
        1945,
      ],
      [
        23,
        "- and 9 more: \`troupe roles graduate --candidates\`",
        1945,
      ],
    ]
  `);
  expect(told(2)?.slice(1)).toEqual([
    `- c0 ${'r'.repeat(40)}: works in crew, panel`,
    `- c1 ${'r'.repeat(40)}: works in crew, panel, not linked to one core role`,
  ]);
});

test('a prompt has the newest lessons of all lists, each list in its own order', () => {
  const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}`;
  const registry = registryOf(
    [
      core('qa', {
        core: lessonsOf(Array.from({ length: 25 }, (_, at) => `${day(1 + (at % 5))} core ${at}`)),
        solo: lessonsOf(Array.from({ length: 20 }, (_, at) => (at % 3 === 0 ? `solo ${at}` : `${day(3)} solo ${at}`))),
      }),
      core('long', { solo: lessonsOf(Array.from({ length: 12 }, (_, at) => `${day(at + 1)} ${'x'.repeat(1_100)}`)) }),
    ],
    [
      row('crew', 'qa', {
        role: 'qa',
        fields: new Map([
          ['charter', 'its own'],
          ['lens', ' '],
          ['status', 'stable'],
        ]),
      }),
    ],
  );
  const texts = (place: Parameters<typeof promptPartsAt>[1]) =>
    promptPartsAt(registry, place).map(({ part, text }) => [
      part,
      ...text.split('\n').map((line) => line.slice(0, 30)),
    ]);
  expect([texts({ lane: 'solo', role: 'qa' }), texts({ lane: 'crew', seat: 'qa' })]).toMatchInlineSnapshot(`
    [
      [
        [
          "charter",
          "qa is what it is.",
        ],
        [
          "core lessons",
          "- 2026-01-01 — core 0",
          "- 2026-01-02 — core 1",
          "- 2026-01-03 — core 2",
          "- 2026-01-04 — core 3",
          "- 2026-01-05 — core 4",
          "- 2026-01-01 — core 5",
          "- 2026-01-02 — core 6",
          "- 2026-01-03 — core 7",
          "- 2026-01-04 — core 8",
          "- 2026-01-05 — core 9",
          "- 2026-01-01 — core 10",
          "- 2026-01-02 — core 11",
          "- 2026-01-03 — core 12",
          "- 2026-01-04 — core 13",
          "- 2026-01-05 — core 14",
          "- 2026-01-01 — core 15",
          "- 2026-01-02 — core 16",
          "- 2026-01-03 — core 17",
          "- 2026-01-04 — core 18",
          "- 2026-01-05 — core 19",
          "- 2026-01-01 — core 20",
          "- 2026-01-02 — core 21",
          "- 2026-01-03 — core 22",
          "- 2026-01-04 — core 23",
          "- 2026-01-05 — core 24",
        ],
        [
          "own lessons",
          "- 2026-01-03 — solo 1",
          "- 2026-01-03 — solo 2",
          "- 2026-01-03 — solo 4",
          "- 2026-01-03 — solo 5",
          "- 2026-01-03 — solo 7",
          "- 2026-01-03 — solo 8",
          "- 2026-01-03 — solo 10",
          "- 2026-01-03 — solo 11",
          "- 2026-01-03 — solo 13",
          "- 2026-01-03 — solo 14",
          "- solo 15",
          "- 2026-01-03 — solo 16",
          "- 2026-01-03 — solo 17",
          "- solo 18",
          "- 2026-01-03 — solo 19",
        ],
      ],
      [
        [
          "charter",
          "qa is what it is.",
        ],
        [
          "core lessons",
          "- 2026-01-01 — core 0",
          "- 2026-01-02 — core 1",
          "- 2026-01-03 — core 2",
          "- 2026-01-04 — core 3",
          "- 2026-01-05 — core 4",
          "- 2026-01-01 — core 5",
          "- 2026-01-02 — core 6",
          "- 2026-01-03 — core 7",
          "- 2026-01-04 — core 8",
          "- 2026-01-05 — core 9",
          "- 2026-01-01 — core 10",
          "- 2026-01-02 — core 11",
          "- 2026-01-03 — core 12",
          "- 2026-01-04 — core 13",
          "- 2026-01-05 — core 14",
          "- 2026-01-01 — core 15",
          "- 2026-01-02 — core 16",
          "- 2026-01-03 — core 17",
          "- 2026-01-04 — core 18",
          "- 2026-01-05 — core 19",
          "- 2026-01-01 — core 20",
          "- 2026-01-02 — core 21",
          "- 2026-01-03 — core 22",
          "- 2026-01-04 — core 23",
          "- 2026-01-05 — core 24",
        ],
        [
          "row",
          "name: qa",
          "status: stable",
        ],
      ],
    ]
  `);
  const long = promptPartsAt(registry, { lane: 'solo', role: 'long' }).find(({ part }) => part === 'own lessons');
  expect([long?.text.split('\n').length, long?.text.slice(0, 20), long?.bytes]).toMatchInlineSnapshot(`
    [
      7,
      "- 2026-01-06 — xxxxx",
      7293,
    ]
  `);
});

test('an audit comes by file and line, and names the topic that most solo lessons are about', () => {
  const solo = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word} number${at}`);
  const cores = [
    core('z', { core: lessonsOf(['`make test` one', '`make test` two', '`make test` three']) }),
    core('a', { solo: lessonsOf([...solo('caches', 3), ...solo('benchmarks', 4), ...solo('latency', 3)], 20) }),
    core('p', {
      core: lessonsOf(['see `a b/c`', 'see `src/*.ts`', 'see `./gone.ts`', 'see `gone/`', 'see `word`'], 5),
    }),
  ];
  const rows = (['crew', 'panel'] as const).flatMap((lane) => [
    row(lane, 'late', { line: 9, runs: { clean: 0, thin: 0, cuts: 3 } }),
    row(lane, 'a', { line: 4, runs: { clean: 0, thin: 0, cuts: 4 } }),
  ]);
  const found = auditRoles({ registry: registryOf(cores, rows), texts: new Map(), files: ['src/a.ts'], poor: [] });
  expect(
    found.map(({ kind, role, file, line, text }) => `${kind} ${role} ${file}:${line} ${text}`),
  ).toMatchInlineSnapshot(`
    [
      "graduate a .claude/roles/a.md:23 4 solo lessons are about "benchmarks", and 2 lanes have the role: see \`troupe roles graduate --candidates\`.",
      "retire a .claude/roles/crew.md:4 It was cut 4 times: retire it with \`troupe roles retire a --lane crew\`.",
      "retire late .claude/roles/crew.md:9 It was cut 3 times: retire it with \`troupe roles retire late --lane crew\`.",
      "stale p .claude/roles/p.md:7 2 things named in its lessons are not in the repository: \`./gone.ts\`, \`gone/\`.",
      "retire a .claude/roles/panel.md:4 It was cut 4 times: retire it with \`troupe roles retire a --lane panel\`.",
      "retire late .claude/roles/panel.md:9 It was cut 3 times: retire it with \`troupe roles retire late --lane panel\`.",
      "consolidate z .claude/roles/z.md:1 3 core lessons are about \`make test\`: merge them.",
    ]
  `);
});

test('a file that holds a merge conflict is changed by nobody, and one that stays as it is by anybody', () => {
  const conflict = '### qa\n<<<<<<< HEAD\n=======\n>>>>>>> x\n';
  const judged = (before: string | undefined, after: string, file = '.claude/roles/crew.md') =>
    outcome(() => {
      refuseWrite(CREW_WRITER, file, before, after);
      return 'written';
    });
  const file = '.claude/roles/crew.md';
  expect([
    judged(conflict, `${conflict}x`),
    judged(conflict, conflict),
    judged(undefined, conflict),
    judged('```\n', '```\nx\n'),
    judged('\ufeff### qa\n', '### qa\n', '.claude/roles/panel.md'),
    judged('x', 'x', '.claude/roles/panel.md'),
  ]).toEqual([
    `refused: ${file}:2: A merge conflict: keep one side and remove the markers.`,
    '"written"',
    '"written"',
    '"written"',
    'refused: .claude/roles/panel.md was not changed: a row is not written by crew.',
    '"written"',
  ]);
});

test('an entry of a log stands apart from the one before, in the ends of lines of the log', () => {
  expect(withLogEntry(undefined, '\n## one\n\ntext\n\n')).toBe('## one\n\ntext\n');
  expect(withLogEntry('## one\r\n', '## two\ntext')).toBe('## one\r\n\r\n## two\r\ntext\r\n');
  expect(withLogEntry('## one', ' ## two ')).toBe('## one\n\n## two\n');
  expect(withLogEntry('## one\n', '## one')).toBe('## one\n');
  expect(withLogEntry('## one and more\n', '## one')).toBe('## one and more\n\n## one\n');
});
