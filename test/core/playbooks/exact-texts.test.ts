import { expect } from 'vitest';
import { checkedStages } from '#core/playbooks/chain.js';
import { findingsText, idsText, readFindings, rejectedText } from '#core/playbooks/findings-file.js';
import { checkedRunId, isRunId } from '#core/playbooks/formation.js';
import { gateRecordIn, gateRecordText, NO_GATE_RECORD } from '#core/playbooks/gate-record.js';
import { checkedSeats, editedNames, namedSeat, topicStems } from '#core/playbooks/line-up.js';
import { compilePanel, defaultPanel } from '#core/playbooks/panel.js';
import { PENDING_KINDS } from '#core/playbooks/pending.js';
import { criteriaOf, criteriaStandings, judgeVerdicts } from '#core/playbooks/qa-verdicts.js';
import { releaseCommands } from '#core/playbooks/release.js';
import { tiersOf } from '#core/playbooks/tiers.js';
import { type LaneRow, NO_ROLES, type RoleRegistry } from '#core/roles/lane.js';
import { TroupeError } from '#kernel/errors.js';
import { FORMATION_LIMITS } from '#kernel/limits/formations.js';
import { markdownLines } from '#kernel/markdown-lines.js';
import { refusalOf } from '../../refusal.js';
import { verifies } from '../../verifies.js';
import { codeOf } from '../graph/graph.js';

const refusal = (action: () => unknown) => {
  const { code, message } = refusalOf(action);
  return `${code}: ${message}`;
};

verifies('crew.deploy', 'the commands of a release: one block, in one section, with an end', () => {
  const read = (...lines: string[]) => {
    const release = releaseCommands(lines.join('\n'));
    return 'problem' in release ? release.problem : release.commands;
  };
  const section = '## Commands';
  expect([
    read('# Deploy', section, '```sh', 'a', 'b', '```', '## Then', '```', 'c', '```'),
    read(section, '~~~', '```', 'a', '~~~~ \t'),
    read(section, '````', '```', '~~~~', '````', 'end'),
    read('## commands :', 'none'),
    read(section, '### Part', '```', 'a', '```'),
    read(section, '# Other', '```', 'a', '```'),
    read('', section, '', '```', 'x', '```', 'y'),
    read(section, '   ```', 'x', '``` text', '`````'),
  ]).toEqual(['a\nb\n', '```\na\n', '```\n~~~~\n', '', 'a\n', '', 'x\n', 'x\n``` text\n']);
  expect([
    read('# Commands', '```', '```'),
    read('### Commands'),
    read(section, section),
    read(section, '```', 'a', '```', '```', 'b', '```'),
    read(section, '```', 'a'),
    read(section, '```', 'a', '```', '~~~', 'b'),
    read(section, '```', 'a\0', '```'),
  ]).toEqual([
    ...['has no section `## Commands`', 'has no section `## Commands`', 'has more than one section `## Commands`'],
    ...['has more than one block of commands', 'has a block of commands without an end'],
    ...['has more than one block of commands', 'holds a NUL among its commands'],
  ]);
  const bytes = (count: number) => read(section, '```', 'x'.repeat(count - 1), '```').length;
  expect(bytes(FORMATION_LIMITS.releaseBytes)).toBe(FORMATION_LIMITS.releaseBytes);
  expect(read(section, '```', 'x'.repeat(FORMATION_LIMITS.releaseBytes), '```')).toBe(
    'has more than 65536 bytes of commands',
  );
});

verifies(
  'crew.handoff.file',
  'the file of a gate holds all of a record that a hook needs, and is read as strictly',
  () => {
    const hash = 'a'.repeat(64);
    const stumble = {
      rungs: ['clarify', 're-role', 'other', 7],
      passed: [1, 'x', 2],
      answered: { sha256: hash, rung: 're-role', why: 'w' },
    };
    const file = (more: object = {}) => JSON.stringify({ seats: [{ name: 'dev', phase: 'dev' }], judged: {}, ...more });
    const of = (more: object) => gateRecordIn(file(more));
    expect(NO_GATE_RECORD.accepted).toEqual(new Map());
    expect(NO_GATE_RECORD.judged).toEqual(new Map());
    expect(NO_GATE_RECORD.tiers).toEqual(tiersOf('claude'));
    expect(['proposed', 'running', 'ended', 'other', undefined].map((state) => of({ state })?.state)).toEqual([
      ...['proposed', 'running', 'ended', undefined, undefined],
    ]);
    const stumbles = (one: unknown) => of({ stumbles: { dev: one } })?.stumbles;
    expect(stumbles(stumble)).toEqual({
      dev: { rungs: ['clarify', 're-role'], passed: [1, 2], answered: stumble.answered },
    });
    const real = gateRecordIn(
      file({ stumbles: { dev: { rungs: [], passed: [], answered: { sha256: hash, rung: 'x', why: 'w' } } } }),
    );
    expect(real?.stumbles).toEqual({ dev: { rungs: [], passed: [] } });
    for (const bad of [7, 'x', null, []]) expect(stumbles(bad), String(bad)).toEqual({});
    for (const bad of [{ rungs: 're-role', passed: 7, answered: 'x' }, {}, { answered: null }])
      expect(stumbles(bad)).toEqual({ dev: { rungs: [], passed: [] } });
    expect(of({ stumbles: [1] })?.stumbles).toEqual({});
    expect([of({ tiers: ['a', 7, 'b'] })?.tiers, of({ tiers: 'a' })?.tiers]).toEqual([['a', 'b'], tiersOf('claude')]);
    expect(of({ judged: { 'QA.md': 'x', 'PLAN.md': 7 } })?.judged).toEqual(new Map([['QA.md', 'x']]));
    expect(
      of({
        seats: [{ name: 'dev', phase: 'dev', core: 'c', tier: 't', tools: 'all', owns: 'o', more: 'm', charter: 7 }],
      })?.seats,
    ).toEqual([{ name: 'dev', phase: 'dev', core: 'c', tier: 't', tools: 'all', owns: 'o' }]);
    expect([
      of({ seats: [] }),
      of({ seats: 'x' }),
      of({ seats: [{ name: 'dev', phase: 'dev' }, { name: 'qa' }] }),
      of({ seats: [{ phase: 'dev' }] }),
      of({ seats: [7] }),
      of({ judged: 'x' }),
      of({ handoffs: [] }),
      gateRecordIn('no json'),
    ]).toEqual(Array(8).fill(undefined));
    const record = {
      state: 'running',
      seats: [{ name: 'maker', phase: 'dev' }, { name: 'qa' }],
      handoffs: {},
      judged: { a: 'b' },
    } as const;
    const text = gateRecordText({ ...record, stumbles: { dev: { rungs: [], passed: [3], more: 1 } as never } }, ['m1']);
    expect(JSON.parse(text)).toEqual({
      ...{
        state: 'running',
        seats: [
          { name: 'maker', phase: 'dev' },
          { name: 'qa', phase: 'qa' },
        ],
        handoffs: {},
      },
      ...{ judged: { a: 'b' }, stumbles: { dev: { rungs: [], passed: [3] } }, tiers: ['m1'] },
    });
    expect(text.endsWith('}\n')).toBe(true);
  },
);

verifies('crew.qa.format', 'verdicts in rows and bullets, with the criteria that they are about', () => {
  const contract = (...lines: string[]) => criteriaOf(markdownLines(['## Done-criteria', ...lines].join('\n')));
  const told = (...lines: string[]) => contract(...lines).map(({ number, text }) => `${number} ${text}`);
  expect([
    told('- 1. first', '- 2) second', '- 3 third'),
    told('- [ ]   a  ', '- [x] b', '  - c', '    - d', '- '),
    told('- 2. two', '- 5: five', '- 7. seven'),
    told('- 2 two', '- 5. five'),
    told('1. one', '2. two', '\t- below'),
    told('- 3. three', '- 3. again'),
    told('- 0. zero', '- 1. one'),
  ]).toMatchInlineSnapshot(`
    [
      [
        "1 first",
        "2 second",
        "3 third",
      ],
      [
        "1 a",
        "2 b",
      ],
      [
        "2 two",
        "5 five",
        "7 seven",
      ],
      [
        "1 2 two",
        "2 5. five",
      ],
      [
        "1 one",
        "2 two",
      ],
      [
        "1 3. three",
        "2 3. again",
      ],
      [
        "1 0. zero",
        "2 1. one",
      ],
    ]
  `);
  const criteria = contract('- shows a list', '- sorts - by name', '- saves');
  const judged = (...lines: string[]) => {
    const { failed, failedElsewhere, unjudged, withoutEvidence } = judgeVerdicts(
      criteria,
      markdownLines(lines.join('\n')),
    );
    return `failed ${failed} elsewhere ${failedElsewhere} open ${unjudged} unproven ${withoutEvidence}`;
  };
  expect([
    judged(),
    judged('- [PASS] 1 shows a list — seen', '- [PASS] 2 sorts - by name - run', '* **[FAIL]** 3 saves'),
    judged('- [PASS] 2 sorts - by name', '- [PASS] 1', '- [PASS] 3. — not tested'),
    judged('- [PASS] 2 sorts', '  - by name', '- [PASS] 1 shows', '   a list — test 4'),
    judged('- [FAIL] 9 other', '- [FAIL] everything'),
    judged('- [FAIL] 1', '- [FAIL] 1', '- [PASS] 1 — seen'),
    judged(
      '| # | Verdict | Evidence |',
      '|---|:-:|---|',
      '| 1 | PASS | seen |',
      '| 2 | **FAIL** | |',
      '| 3 | pass | none |',
    ),
    judged('| Evidence | # | Verdict |', '|---|---|---|', '| seen | 1 | PASS |', '', 'Text.', '| PASS | 2 | run |'),
    judged('| 1 shows a list | PASS | shows a list |', '| 2 | x | PASS |', '| PASS | 3 | FAIL |'),
    judged('| FAIL | 1 | PASS |', '| 2 | sorts - by name | PASS |', '| saves it | PASS | 3 |'),
    judged('| only', '|', '| a \\| PASS | 1 |', '| PASS |'),
    judged('| Evidence | Verdict | Note |', '|---|---|---|', '| 1 log | PASS | |'),
    judged('| # | Verdict | Evidence |', '|---|---|---|', '| 1 | PASS |', '| 2 | PASS | log'),
  ]).toMatchInlineSnapshot(`
    [
      "failed  elsewhere false open 1,2,3 unproven ",
      "failed 3 elsewhere false open  unproven ",
      "failed  elsewhere false open  unproven 1,2,3",
      "failed  elsewhere false open 3 unproven 2",
      "failed  elsewhere true open 1,2,3 unproven ",
      "failed 1 elsewhere false open 2,3 unproven ",
      "failed 2 elsewhere false open  unproven 3",
      "failed  elsewhere false open 1,3 unproven ",
      "failed  elsewhere true open 3 unproven 1,2",
      "failed 1 elsewhere false open 3 unproven 2",
      "failed  elsewhere false open 1,2,3 unproven ",
      "failed  elsewhere false open 2,3 unproven ",
      "failed  elsewhere false open 3 unproven 1",
    ]
  `);
  const page = (...lines: string[]) => ['---', 'status: DONE', '---', ...lines].join('\n');
  const standing = criteriaStandings(
    page('## Done-criteria', '- a', '- b'),
    page('- [PASS] 1 a — it  runs ', '- [FAIL] 2 b - broken'),
  );
  expect(
    standing.map(({ number, text, verdict, evidence }) => [number, text, verdict, evidence]),
  ).toMatchInlineSnapshot(`
    [
      [
        1,
        "a",
        "PASS",
        "it runs",
      ],
      [
        2,
        "b",
        "FAIL",
        "broken",
      ],
    ]
  `);
});

verifies('crew.mode', 'an edited line-up: what is refused, and with which words', () => {
  const line = [{ name: 'dev' }, { name: 'qa', tier: 'small' }, { name: 'docs' }];
  const edit = (wish: Parameters<typeof editedNames>[1]) =>
    editedNames(line, wish).map(({ name, tier, was }) => `${name} ${tier ?? '-'} ${was ?? '-'}`);
  expect([
    edit({}),
    edit({ drop: ['qa'], add: ['ops'] }),
    edit({ swap: ['qa=tester'], tier: ['tester=large', 'dev=small'] }),
    edit({ order: ['docs', 'dev', 'qa'] }),
    edit({ drop: ['dev'], swap: ['qa=dev'], order: ['docs', 'dev'] }),
  ]).toEqual([
    ['dev - dev', 'qa small qa', 'docs - docs'],
    ['dev - dev', 'docs - docs', 'ops - -'],
    ['dev small dev', 'tester large qa', 'docs - docs'],
    ['docs - docs', 'dev - dev', 'qa small qa'],
    ['docs - docs', 'dev - qa'],
  ]);
  expect(
    [
      { swap: ['qa'] },
      { swap: ['=x'] },
      { tier: [`${'x'.repeat(70)}=y`] },
      { tier: ['nobody=y'] },
      { order: ['dev', 'qa'] },
      { order: ['dev', 'dev', 'qa'] },
      { add: ['dev'] },
      { drop: ['dev', 'qa', 'docs'] },
    ].map((wish) => refusal(() => edit(wish))),
  ).toEqual([
    'bad_input: Write --swap OLD=NEW, not "qa".',
    'bad_input: Write --swap OLD=NEW, not "=x".',
    `bad_input: Write --tier SEAT=MODEL, not "${'x'.repeat(60)}".`,
    'not_found: No seat is called "nobody".',
    'bad_input: --order names all seats, each once.',
    'bad_input: --order names all seats, each once.',
    'bad_input: A seat appears twice.',
    'bad_input: No seats are left.',
  ]);
  const seats = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `seat-${at}` }));
  expect([
    codeOf(() => checkedSeats(seats(FORMATION_LIMITS.seats))),
    refusal(() => checkedSeats(seats(FORMATION_LIMITS.seats + 1))),
  ]).toEqual([...['none', 'bad_input: A line-up has at most 24 seats.']]);
});

verifies('panel.seats', 'words that stand in any goal, and short ones, are no topics', () => {
  const common = `the and for with from into that this when are any all new not but what which where who whoever whose
    how why its they them their than then have has had can cannot may must should would could will does did was were
    been being need needs there these those some such each every only also other somebody nobody something nothing
    belongs`;
  expect([...topicStems(common)]).toEqual([]);
  expect([...topicStems('Add an API to the servers', ['of logs'])]).toEqual(['add', 'api', 'server', 'log']);
});

verifies('crew.chain', 'stages in their order, and the id of a run in its form', () => {
  expect([
    checkedStages(['research', ' crew ']),
    checkedStages(['panel']),
    checkedStages(['research', 'panel', 'crew']),
  ]).toEqual([...[['research', 'crew'], ['panel'], ['research', 'panel', 'crew']]]);
  expect(
    [[], ['crew', 'panel'], ['panel', 'panel'], ['other'], ['research', 'other']].map((words) =>
      codeOf(() => checkedStages(words)),
    ),
  ).toEqual(Array(5).fill('bad_input'));
  const run = (slug: string) => `20260321-${slug}-1f0c`;
  expect([run('x'.repeat(18)), run('x'.repeat(19)), 'x', run('one')].map(isRunId)).toEqual([true, false, false, true]);
  expect([checkedRunId(run('one')), codeOf(() => checkedRunId('../x'))]).toEqual([run('one'), 'bad_input']);
});

verifies('crew.handoff.format', 'findings, rejected entries and ids as texts', () => {
  const entry = { slice: 'a:b', id: '1', title: 'T', source: 's', fields: { id: '1', title: 'T', source: 's' } };
  const text = findingsText('Why?', [
    {
      ...entry,
      provenance: [
        { slice: 'x', id: '1:2' },
        { slice: 'y', id: '3' },
      ],
    },
  ]);
  expect([text, findingsText('No', [])]).toEqual([
    'question: "Why?"\nentries:\n  - slice: "a:b"\n    id: "1"\n    title: "T"\n    source: "s"\n    provenance: ["x:1:2", "y:3"]\n',
    'question: "No"\nentries: []\n',
  ]);
  const rejected = { slice: 's', reason: 'r' };
  expect([
    rejectedText([]),
    rejectedText([
      { ...rejected, entry: 2, text: 't' },
      { ...rejected, entry: undefined, text: '' },
    ] as never),
  ]).toEqual([
    'rejected: []\n',
    'rejected:\n  - slice: "s"\n    entry: 2\n    reason: "r"\n    text: "t"\n  - slice: "s"\n    reason: "r"\n',
  ]);
  expect(idsText(['a'])).toBe('{\n  "ids": [\n    "a"\n  ]\n}\n');
  expect(readFindings({ entries: [{ slice: 1, id: 2, provenance: ['x:1:2', 3] }, 'no', { provenance: 'x' }] })).toEqual(
    [
      {
        slice: '1',
        id: '2',
        title: '',
        source: '',
        fields: { id: '2' },
        provenance: [
          { slice: 'x', id: '1:2' },
          { slice: '', id: '3' },
        ],
      },
      { slice: 'undefined', id: '', title: '', source: '', fields: {}, provenance: [] },
    ],
  );
  for (const none of [undefined, 'x', {}, { entries: 'x' }, []]) expect(readFindings(none)).toEqual([]);
});

verifies('panel.seats', 'which rows sit on a panel, how many seats it has, and which names are steps', () => {
  const row = (name: string, more: Partial<LaneRow> = {}): LaneRow => ({
    ...{ lane: 'panel', name, line: 1, role: undefined, status: 'probationary', lessons: [] },
    runs: { clean: 0, thin: 0, cuts: 0 },
    fields: new Map([['when-to-seat', 'queues and caches']]),
    ...more,
  });
  const registry = (...rows: readonly LaneRow[]): RoleRegistry => ({
    ...NO_ROLES,
    rows: { ...NO_ROLES.rows, panel: rows },
  });
  const names = (from: RoleRegistry, goal: string) => defaultPanel(from, goal).map(({ name }) => name);
  const many = registry(...['f', 'e', 'd', 'c', 'b', 'a'].map((name) => row(name)));
  expect([
    names(many, 'Drop the queue'),
    names(
      registry(row('brief'), row('skeptic'), row('round-2-x'), row('a'), row('old', { status: 'retired' })),
      'the queue',
    ),
    names(NO_ROLES, 'Drop the queue'),
    names(NO_ROLES, 'deploy the design of an interface for security and cost'),
    names(NO_ROLES, 'x'),
  ]).toMatchInlineSnapshot(`
    [
      [
        "a",
        "b",
        "c",
        "d",
        "e",
        "skeptic",
      ],
      [
        "a",
        "operator",
        "maintainer",
        "skeptic",
      ],
      [
        "operator",
        "maintainer",
        "user-advocate",
        "skeptic",
      ],
      [
        "maintainer",
        "user-advocate",
        "operator",
        "security-reviewer",
        "economist",
        "skeptic",
      ],
      [
        "maintainer",
        "user-advocate",
        "operator",
        "skeptic",
      ],
    ]
  `);
  const seat = (name: string, from = NO_ROLES) => namedSeat(from, 'panel', name, 'looks');
  const kept = registry(row('a', { fields: new Map([['model', 'opus']]) }), row('b', { status: 'retired' }), row('b'));
  expect(
    [seat('a', kept), seat('c', kept), seat('b', kept)].map(({ minted, tier, row: one }) => [minted, tier, one?.line]),
  ).toEqual([
    [false, 'opus', 1],
    [true, undefined, 0],
    [false, undefined, 1],
  ]);
  const compiled = (...seats: string[]) =>
    refusalOrCount(
      () =>
        compilePanel(
          'x',
          seats.map((name) => seat(name)),
          { run: '20261123-queue-1f0c', style: 'swarm', rounds: 1, tiers: [] },
        ).tasks.length,
    );
  expect([
    compiled('skeptic', 'a', 'b'),
    compiled('skeptic', 'a', 'b', 'c', 'd', 'e'),
    compiled('skeptic', 'a'),
    compiled('skeptic', 'a', 'b', 'c', 'd', 'e', 'f'),
  ]).toEqual([
    ...['6', '9', 'bad_input: A panel has 3 to 6 seats, not 2.', 'bad_input: A panel has 3 to 6 seats, not 7.'],
  ]);
  for (const step of ['unanimity', 'decision', 'steelman', 'brief', 'log', 'next', 'director', 'round-1-a', 'relay-a'])
    expect(compiled('skeptic', 'a', step), step).toBe(
      `bad_input: ${step} is reserved: it is the name of a step of every panel.`,
    );
  expect(PENDING_KINDS).toEqual(['line-up', 'decide', 'go', 'check', 'brief', 'review', 'failed']);
});

function refusalOrCount(work: () => number): string {
  try {
    return String(work());
  } catch (error) {
    if (error instanceof TroupeError) return `${error.code}: ${error.message}`;
    throw error;
  }
}
