import { expect, test } from 'vitest';
import { readFindings } from '#core/playbooks/findings-file.js';
import { isPhaseTask, placeOf } from '#core/playbooks/formation.js';
import { parseHandoff, sectionOf } from '#core/playbooks/handoff-file.js';
import { mayNameAgent, phaseOfAgent } from '#core/playbooks/hook-call.js';
import { rungFor } from '#core/playbooks/ladder.js';
import { editedNames } from '#core/playbooks/line-up.js';
import { checkedRounds, defaultPanel } from '#core/playbooks/panel.js';
import { checkDecision } from '#core/playbooks/panel-decision.js';
import { readNote } from '#core/playbooks/panel-note.js';
import { readScout } from '#core/playbooks/scout-entries.js';
import { compileSweep, scoutFile, verdictFile } from '#core/playbooks/sweep.js';
import { partitionOf, USUAL_SCHEMA } from '#core/playbooks/sweep-schema.js';
import { readSynthesis } from '#core/playbooks/synthesis.js';
import { NO_ROLES } from '#core/roles/lane.js';
import { TroupeError } from '#kernel/errors.js';
import { PANEL_LIMITS } from '#kernel/limits/panel.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';

const RUN = '20260321-one-1f0c';
const said = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (error instanceof TroupeError) return `${error.code}: ${error.message} (${error.hint})`;
    return String(error);
  }
};

test('a decision is refused with what it lacks, cut where that is long', () => {
  const sections = new Map(
    ['decision', 'why', 'minority view', 'unresolved tensions', 'moves'].map((title) => [title, 'x']),
  );
  const state = { missing: [], unanimous: false, steelmanWritten: false, waived: undefined };
  const decision = { sections, moves: [], steelman: undefined } as never;
  const move = `${'m'.repeat(59)}no`;
  expect([
    said(() => checkDecision(decision, state)),
    said(() => checkDecision({ sections, moves: [{ move, seats: [] }] } as never, state)),
    said(() => checkDecision({ sections: new Map([...sections, ['why', '']]), moves: [] } as never, state)),
    said(() => checkDecision(decision, { ...state, missing: ['qa'] })),
    said(() =>
      checkDecision(
        { ...(decision as object), sections: new Map([...sections, ['why', 'without qa-lead']]) } as never,
        { ...state, missing: ['qa'] },
      ),
    ),
    said(() =>
      checkDecision({ ...(decision as object), sections: new Map([...sections, ['why', 'without QA.']]) } as never, {
        ...state,
        missing: ['qa'],
      }),
    ),
    said(() => checkDecision(decision, { ...state, unanimous: true, waived: 'it is small' })),
    said(() => checkDecision(decision, { ...state, unanimous: true })),
    said(() => checkDecision(decision, { ...state, unanimous: true, steelmanWritten: true })),
  ]).toMatchInlineSnapshot(`
    [
      "n/a",
      "decision_incomplete: The decision of the panel: the move "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm…" does not name its source note. (Add the missing part.)",
      "decision_incomplete: The decision of the panel: its section \`## Why\` is missing or empty. (Add the missing part.)",
      "decision_incomplete: The decision of the panel: qa submitted no note, and the decision does not say so. (Add the missing part.)",
      "decision_incomplete: The decision of the panel: qa submitted no note, and the decision does not say so. (Add the missing part.)",
      "n/a",
      "waived because it is small",
      "steelman_missing: All seats agree, and no case against it was made. (Add a line \`Steelman: ran, … retained\`.)",
      "steelman_missing: All seats agree, and the decision does not answer the strongest case against it. (Add a line \`Steelman: ran, … retained\`.)",
    ]
  `);
});

test('names of a line-up that are not there are told, cut, with the nearest', () => {
  const seats = [{ name: 'dev' }, { name: 'qa', tier: 'opus' }];
  expect([
    said(() => editedNames(seats, { drop: ['q'] } as never)),
    said(() => editedNames(seats, { drop: ['x'.repeat(70)] } as never)),
    said(() => editedNames(seats, { tier: ['qb=haiku'] } as never)),
  ]).toMatchInlineSnapshot(`
    [
      "not_found: No seat is called "q". (The seats are: dev, qa.)",
      "not_found: No seat is called "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx". (The seats are: dev, qa.)",
      "not_found: No seat is called "qb". (The seats are: dev, qa.)",
    ]
  `);
});

test('tags say which run, lane and seat a task belongs to', () => {
  const tags = [`formation:${RUN}`, 'lane:crew', 'seat:dev', 'phase:dev'];
  expect([
    placeOf(tags),
    placeOf(tags.slice(1)),
    placeOf([`formation:${RUN}`, 'lane:moon']),
    placeOf(['formation:x']),
    placeOf(undefined),
    isPhaseTask({ tags }),
    isPhaseTask({ tags: tags.slice(0, 3) }),
    isPhaseTask({ tags: [tags[0] ?? '', 'lane:panel', 'phase:dev'] }),
    isPhaseTask({}),
  ]).toMatchInlineSnapshot(`
    [
      {
        "lane": "crew",
        "run": "20260321-one-1f0c",
        "seat": "dev",
      },
      undefined,
      {
        "lane": undefined,
        "run": "20260321-one-1f0c",
        "seat": undefined,
      },
      undefined,
      undefined,
      true,
      false,
      false,
      false,
    ]
  `);
});

test('rounds of a panel: one is usual, and a number within bounds is taken', () => {
  const most = PANEL_LIMITS.roundsMost;
  expect([undefined, 1, most].map(checkedRounds)).toEqual([PANEL_LIMITS.rounds, 1, most]);
  for (const rounds of [0, most + 1, 1.5, Number.NaN]) {
    expect(() => checkedRounds(rounds), String(rounds)).toThrow(expect.objectContaining({ code: 'bad_input' }));
  }
});

test('entries of a scout: what is taken, and each reason why one is put aside', () => {
  const good = { id: 'a1', title: 'T', source: 'https://x.org', summary: 'S' };
  const { optional, required, root } = USUAL_SCHEMA;
  const whole = Object.fromEntries([...required, ...optional].map((name) => [name, `of ${name}`]));
  const report = readScout(
    'angle',
    {
      data: {
        [root]: [
          { ...whole, ...good },
          { ...whole, id: 7, title: true },
          'words',
          { ...whole, title: undefined },
          { ...whole, [`${'n'.repeat(39)}xyz`]: 'more' },
          { ...whole, id: 'a2', title: { text: 'x' } },
          { ...whole, id: 'a3', title: 'x'.repeat(SWEEP_LIMITS.valueCharacters) },
          { ...whole, id: 'a4', title: 'x'.repeat(SWEEP_LIMITS.valueCharacters + 1) },
          { ...whole, id: 'a5', title: ' ' },
          { ...whole, id: `${'#'.repeat(39)}xyz` },
          { ...whole, id: 'a'.repeat(SWEEP_LIMITS.idCharacters) },
          { ...whole, id: 'a'.repeat(SWEEP_LIMITS.idCharacters + 1) },
        ],
        thin: 'weak-prompt',
        lesson: ' Look\nlonger ',
      },
    },
    USUAL_SCHEMA,
  );
  expect({
    ...report,
    entries: report.entries.map(({ id, title }) => [id.slice(0, 9), title.length]),
    rejected: report.rejected.map(({ entry, reason }) => `${entry}: ${reason}`),
  }).toMatchInlineSnapshot(`
    {
      "entries": [
        [
          "7",
          4,
        ],
        [
          "a3",
          2000,
        ],
        [
          "aaaaaaaaa",
          8,
        ],
      ],
      "lesson": " Look longer ",
      "rejected": [
        "1: summary is not a field of the schema",
        "3: it is not an entry with fields",
        "4: title is not text",
        "5: nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn… is not a field of the schema",
        "6: title is not text",
        "8: title has more than 2000 characters",
        "9: title is empty",
        "10: its id is not valid: #######################################…",
        "12: its id is not valid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…",
      ],
      "slice": "angle",
      "thin": "weak-prompt",
    }
  `);
});

test('findings that were written down, and those of a synthesis, as far as they hold', () => {
  expect([
    readFindings({
      entries: [{ slice: 'a', id: 1, title: 'T', provenance: ['a:1', 'b'] }, 'words', { provenance: 7 }],
    }),
    readFindings({ entries: 'none' }),
    readFindings(undefined),
  ]).toMatchInlineSnapshot(`
    [
      [
        {
          "fields": {
            "id": "1",
            "title": "T",
          },
          "id": "1",
          "provenance": [
            {
              "id": "1",
              "slice": "a",
            },
            {
              "id": "b",
              "slice": "",
            },
          ],
          "slice": "a",
          "source": "",
          "title": "T",
        },
        {
          "fields": {},
          "id": "",
          "provenance": [],
          "slice": "undefined",
          "source": "",
          "title": "",
        },
      ],
      [],
      [],
    ]
  `);
  const findings = Array.from({ length: SWEEP_LIMITS.findings + 2 }, (_, at) => ({ text: `F${at}`, entries: ['a'] }));
  const { findings: taken, dropped } = readSynthesis({ findings }, new Set(['a']));
  expect([taken.length, dropped]).toEqual([SWEEP_LIMITS.findings, 2]);
  const odd = [
    { text: 'x', entries: ['b', 'a', 'a', 7] },
    { text: ' ', entries: ['a'] },
    { text: 7, entries: ['a'] },
    { text: 'y' },
    'z',
    { text: 'no', entries: ['b'] },
  ];
  expect(readSynthesis({ findings: odd }, new Set(['a']))).toEqual({
    findings: [{ text: 'x', entries: ['a'] }],
    dropped: 5,
  });
  expect(readSynthesis({ findings: 'none' }, new Set())).toEqual({ findings: [], dropped: 0 });
});

test('a seat of a sweep that owns nothing looks at what its name says', () => {
  const slices = [
    { name: 'one', owns: ['first things'] },
    { name: 'two', owns: ['second things'] },
  ];
  const partition = partitionOf(slices as never, USUAL_SCHEMA);
  const seats = [{ name: 'one' }, { name: 'other', tier: 'opus' }] as never[];
  const { tasks } = compileSweep('Why?', seats, { run: RUN, partition, tiers: ['haiku', 'sonnet'] });
  expect(
    tasks
      .slice(0, 2)
      .map(({ title, model, description }) => [title, model, /owns?:? .*/i.exec(description ?? '')?.[0]]),
  ).toMatchInlineSnapshot(`
    [
      [
        "one: Why?",
        "haiku",
        "owns: first things. Look there and leave everything else to others.",
      ],
      [
        "other: Why?",
        "opus",
        "owns: other. Look there and leave everything else to others.",
      ],
    ]
  `);
  expect([scoutFile('a'), scoutFile('a', true), verdictFile(), verdictFile('a')]).toMatchInlineSnapshot(`
    [
      "scouts/a.yaml",
      "again/a.yaml",
      "verify/sample.yaml",
      "verify/a.yaml",
    ]
  `);
  expect([
    said(() => partitionOf(slices as never, { ...USUAL_SCHEMA, optional: ['title'] })),
    said(() => partitionOf(slices as never, { ...USUAL_SCHEMA, optional: ['x', 'y', 'x'] })),
    said(() => partitionOf(slices as never, { ...USUAL_SCHEMA, required: ['id', 'title', 'source', 'id'] })),
    said(() => partitionOf(slices as never, { ...USUAL_SCHEMA, required: ['id', 'title'] })),
    said(() => partitionOf([...slices, slices[0]] as never, USUAL_SCHEMA)),
  ]).toMatchInlineSnapshot(`
    [
      "bad_input: The schema names the field title twice. (See docs/guide/panels.md.)",
      "bad_input: The schema names the field x twice. (See docs/guide/panels.md.)",
      "bad_input: The schema names the field id twice. (See docs/guide/panels.md.)",
      "bad_input: The schema requires id, title and source of an entry; source is missing. (See docs/guide/panels.md.)",
      "slices_overlap: There are two slices called one. (Give each key to one slice.)",
    ]
  `);
});

test('points of a note, with signs and spaces around them', () => {
  const note = (line: string) => {
    const reading = readNote(`### Operator — CHANGES REQUESTED\n${line}`);
    return 'note' in reading ? reading.note.points : reading.problem;
  };
  expect([
    note('- [high] It breaks → bound it'),
    note('- [ HIGH ]  It breaks  ->   bound it  '),
    note('- [med] It breaks →  '),
    note('- [low]  → bound it'),
    note('- [huge] It breaks → bound it'),
  ]).toMatchInlineSnapshot(`
    [
      [
        {
          "move": "bound it",
          "note": "It breaks",
          "weight": "high",
        },
      ],
      [
        {
          "move": "bound it",
          "note": "It breaks",
          "weight": "high",
        },
      ],
      [],
      [],
      [],
    ]
  `);
});

test('names of agents and their phases', () => {
  expect([
    phaseOfAgent('dev', ['dev']),
    phaseOfAgent('plugin:dc-dev', ['qa', 'dev']),
    phaseOfAgent('dc-other', ['dev']),
    mayNameAgent('| my  agent |', 'x:my agent'),
    mayNameAgent('| my  agents |', 'x:my\nagent two'),
    mayNameAgent('nothing', 'agent'),
  ]).toEqual(['dev', 'dev', undefined, true, false, false]);
});

test('a phase that nobody sits on is stuck under its own name', () => {
  const report = { diagnosis: 'decision', tried: 't', missing: 'm', needs: 'n' } as never;
  const run = { seats: [{ name: 'qa' }], stumbles: {} } as never;
  expect(rungFor(run, 'dev', report, { talent: [], tiers: [] } as never)).toEqual({
    ...{ rung: 'user', why: 'it is a decision for a person' },
  });
});

test('sections of a handoff by their titles, however these are written', () => {
  const { body } = parseHandoff('# X\n## What-was  Tried :\none\n### more\ntwo\n## Needs\nthree\n');
  expect([
    sectionOf(body, 'What was tried')?.length,
    sectionOf(body, 'needs')?.length,
    sectionOf(body, 'other'),
    said(() => parseHandoff('---\ninputs: { CHANGES.md: 1 }\n---\n')),
    said(() => parseHandoff('---\na: 1\n')),
    said(() => sectionOf(parseHandoff('## A\n## a:\n').body, 'a')),
  ]).toMatchInlineSnapshot(`
    [
      3,
      1,
      undefined,
      "Error: an entry of its \`inputs\` is not a file with its SHA-256: "CHANGES.md: 1"",
      "Error: its front matter has no end",
      "Error: \`## a\` appears twice",
    ]
  `);
});

test('a usual seat stands once on a panel that a row is on already', () => {
  const row = {
    ...{ lane: 'panel', name: 'operator', line: 1, role: undefined, status: 'probationary', lessons: [] },
    ...{ runs: { clean: 0, thin: 0, cuts: 0 }, fields: new Map([['when-to-seat', 'deploy']]) },
  } as never;
  const names = (...rows: never[]) =>
    defaultPanel({ ...NO_ROLES, rows: { ...NO_ROLES.rows, panel: rows } }, 'Deploy it').map(({ name }) => name);
  expect([names(), names(row)]).toMatchInlineSnapshot(`
    [
      [
        "operator",
        "maintainer",
        "user-advocate",
        "skeptic",
      ],
      [
        "operator",
        "maintainer",
        "user-advocate",
        "skeptic",
      ],
    ]
  `);
});

test('a scout may hand in as many entries as are read, and what is beyond them is counted', () => {
  const { optional, required, root } = USUAL_SCHEMA;
  const whole = Object.fromEntries([...required, ...optional].map((name) => [name, `of ${name}`]));
  const handedIn = (count: number) => {
    const list = Array.from({ length: count }, (_, number) => ({ ...whole, id: `e-${number}` }));
    const { entries, rejected } = readScout('angle', { data: { [root]: list } }, USUAL_SCHEMA);
    return [entries.length, rejected];
  };
  const most = SWEEP_LIMITS.scoutEntries;
  const surplus = (count: number) => ({
    ...{ slice: 'angle', entry: most + 1, text: '' },
    reason: `${count} entries beyond the ${most} that are read`,
  });
  expect([handedIn(0), handedIn(most), handedIn(most + 2)]).toEqual([
    [0, []],
    [most, []],
    [most, [surplus(2)]],
  ]);
});
