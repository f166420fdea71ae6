import { expect } from 'vitest';
import { Agency, lineageOf } from '#core/agency/agency.js';
import { credit } from '#core/agency/credit.js';
import type { EvaluationRef, Performance } from '#core/agency/entities.js';
import {
  freeName,
  nameWarnings,
  newAgent,
  typedList,
  typedName,
  typedSkill,
  typedSkills,
  typedText,
} from '#core/agency/entity-edits.js';
import { fileText, recordText, scalar } from '#core/agency/entity-text.js';
import { comparisonIn, judgementIn, scoreOf } from '#core/agency/evaluation-judge.js';
import { evaluationsOf, notesByTask, scorelessWarnings } from '#core/agency/list-evaluations.js';
import { performanceFrom } from '#core/agency/read.js';
import { ownRecord, sameEvaluation } from '#core/agency/record-text.js';
import { meanOfPrograms, ScoreSums, scoresOfPrograms } from '#core/agency/scores.js';
import { starters } from '#core/agency/starters.js';
import { agencyFigures, familyOf, type StatsFacts, trendOf } from '#core/agency/stats.js';
import { acceptedIn } from '#core/agency/waiting.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { refusalOf } from '../../refusal.js';
import { verifies } from '../../verifies.js';
import { codeOf } from '../graph/graph.js';
import { agent, MAKER, role, tradeoff } from './people.js';

const told = (work: () => unknown): string => {
  const { code, message, hint } = refusalOf(work);
  return `${code}: ${message} ${hint}`;
};
const reference = (context_id: string, score: number, more: Partial<EvaluationRef> = {}): EvaluationRef => ({
  ...{ score, task_id: 't', timestamp: '2026-01-01T00:00:00.000Z', context_id },
  ...more,
});
const scored = (...scores: readonly number[]): Performance =>
  performanceFrom(scores.map((score) => reference('x', score)));

verifies('init.starters', 'the shipped entities that are missing, with an agent for each pair', () => {
  const text = { name: 'Writer', description: 'Writes.', desired_outcome: 'Text.', skills: [{ name: 'prose' }] };
  const lists = { acceptable_tradeoffs: ['Slow'], unacceptable_tradeoffs: ['Wrong'] };
  const trade = { name: 'Careful', description: 'Slowly.', ...lists };
  const shipped = [
    { kind: 'role', value: text },
    { kind: 'role', value: { ...text, name: 'Judge', description: 'Judges.', meta: true } },
    { kind: 'tradeoff', value: trade },
    { kind: 'tradeoff', value: { ...trade, name: 'Fast', description: 'Fast.' } },
  ] as const;
  const of = (agency: Agency, allPairs: boolean, list: Parameters<typeof starters>[1] = shipped) =>
    starters(agency, list, allPairs, MAKER.now);
  const names = (entities: readonly { readonly kind: string; readonly name: string }[]) =>
    entities.map(({ kind, name }) => `${kind} ${name}`);
  const parts = ['role Writer', 'role Judge', 'tradeoff Careful', 'tradeoff Fast'];
  const first = of(new Agency([]), false);
  expect([names(first.entities), names(first.all)]).toEqual([parts, parts]);
  expect(first.entities.map(({ lineage }) => lineage)).toEqual(
    Array(4).fill({ created_by: 'human', created_at: '2026-03-01T10:00:00.000Z', generation: 0, parent_ids: [] }),
  );
  const paired = of(new Agency([]), true);
  expect(names(paired.entities)).toEqual([...parts, 'agent Careful Writer', 'agent Fast Writer']);
  expect(paired.entities.at(-1)).toMatchObject({ capabilities: [], trust_level: 'provisional', executor: 'claude' });
  const again = of(new Agency(paired.entities.slice(1)), true);
  expect([names(again.entities), again.all.length]).toEqual([['role Writer'], 6]);
  const [writer] = paired.entities;
  const broken = of(new Agency([], [`roles/${writer?.id}.yaml:1: forged_id`]), false);
  expect([names(broken.entities), names(broken.all)]).toEqual([parts.slice(1), parts]);
  const { skills: _s, ...noSkills } = text;
  for (const [kind, value] of [
    ['role', 'x'],
    ['role', noSkills],
    ['role', { ...text, name: 7 }],
    ['role', { ...text, desired_outcome: 7 }],
    ['tradeoff', { ...trade, description: 7 }],
    ['tradeoff', { ...trade, acceptable_tradeoffs: 'x' }],
    ['tradeoff', { ...trade, unacceptable_tradeoffs: 'x' }],
    ['tradeoff', []],
  ] as const)
    expect(
      codeOf(() => of(new Agency([]), false, [{ kind, value }])),
      JSON.stringify(value),
    ).toBe('catalog_invalid');
});

verifies('eval.show', 'a score is credited once to the agent, its role and its trade-off, the oldest leave', () => {
  const [writer, careful] = [role('Writer'), tradeoff('Careful')];
  const one = agent('One', { role_id: writer.id, tradeoff_id: careful.id }, [0.5]);
  const person = agent('Ida', { role_id: '', tradeoff_id: '' });
  const agency = new Agency([writer, careful, one, person]);
  const score = { id: 'e1', task_id: 't9', score: 0.7, timestamp: '2026-02-01T00:00:00.000Z', source: 'llm' };
  const of = (agent_id: string | null, from = agency) => credit(from, { ...score, agent_id });
  const kept = (context_id: string) => ({
    ...{ score: 0.7, task_id: 't9', timestamp: score.timestamp },
    context_id,
    evaluation_id: 'e1',
    source: 'llm',
  });
  const credited = of(one.id);
  expect([credited.role_id, credited.tradeoff_id, credited.warnings]).toEqual([writer.id, careful.id, []]);
  expect(
    credited.entities.map(({ name, performance }) => [name, performance.task_count, performance.evaluations.at(-1)]),
  ).toEqual([
    ['One', 2, kept(writer.id)],
    ['Writer', 1, kept(careful.id)],
    ['Careful', 1, kept(writer.id)],
  ]);
  expect(credited.entities[0]).toMatchObject({ kind: 'agent', id: one.id, executor: 'claude' });
  expect(of(one.id, agency.with(credited.entities)).entities).toEqual([]);
  expect(of(one.id, agency.with(credited.entities.slice(0, 1))).entities.map(({ name }) => name)).toEqual([
    'Writer',
    'Careful',
  ]);
  const alone = of(person.id);
  expect([alone.entities.map(({ name }) => name), alone.role_id, alone.tradeoff_id]).toEqual([['Ida'], null, null]);
  const nobody = { entities: [], role_id: null, tradeoff_id: null };
  expect([of(null), of('0123456789abcdef')]).toEqual([
    { ...nobody, warnings: ['t9 has no agent: its score is kept, but credited to no one.'] },
    { ...nobody, warnings: ['Agent 01234567 does not exist here: the score is kept, but credited to no one.'] },
  ]);
  const many = Array.from({ length: TEAM_LIMITS.agencyReferences }, (_, at) =>
    reference('x', 0.5, { evaluation_id: `o${at}` }),
  );
  const full = of(one.id, agency.with([{ ...one, performance: performanceFrom(many) }])).entities[0]?.performance
    .evaluations;
  expect([full?.length, full?.[0]?.evaluation_id, full?.at(-1)?.evaluation_id]).toEqual([
    TEAM_LIMITS.agencyReferences,
    'o1',
    'e1',
  ]);
});

verifies('fed.atomic', 'an entity that waits for a decision, or a part of it, may not be used', () => {
  const [writer, careful] = [role('Writer', { pending: true }), tradeoff('Careful')];
  const one = agent('One', { role_id: writer.id, tradeoff_id: careful.id });
  const agency = new Agency([writer, careful, one]);
  expect(agency.waitingIn(one).map(({ name }) => name)).toEqual(['Writer']);
  expect(agency.waitingIn(writer).map(({ name }) => name)).toEqual(['Writer']);
  expect(agency.waitingIn(careful)).toEqual([]);
  expect(agency.waitingIn({ ...one, role_id: 'gone' })).toEqual([]);
  expect(acceptedIn(agency, 'tradeoff', 'Careful')).toBe(careful);
  expect([
    codeOf(() => acceptedIn(agency, 'agent', 'One')),
    codeOf(() => acceptedIn(agency, 'role', 'Writer')),
    codeOf(() => acceptedIn(agency, 'role', 'x')),
  ]).toEqual([...['not_accepted', 'not_accepted', 'not_found']]);
  expect(agency.working()).toEqual([]);
  const free = new Agency([
    role('Writer'),
    careful,
    agent('One', { role_id: role('Writer').id, tradeoff_id: careful.id }),
  ]);
  expect(free.working().map(({ name }) => name)).toEqual(['One']);
  const retired = new Agency([
    role('W', { retired: true, pending: true }),
    role('V', { pending: true }),
    role('U', { retired: true }),
    role('T'),
  ]);
  expect(
    [retired.waiting('role'), retired.all('role'), retired.all('role', true)].map((list) =>
      list.map(({ name }) => name),
    ),
  ).toEqual([['V'], ['T'], ['U', 'W'].sort()].map((list) => expect.arrayContaining(list)));
  expect(
    familyOf(retired, 'role')
      .map(({ name, state }) => `${name} ${state}`)
      .sort(),
  ).toMatchInlineSnapshot(`
    [
      "T active",
      "U retired",
      "V waiting",
      "W retired",
    ]
  `);
  expect(
    lineageOf(agency, { ...one, role_id: 'gone' }).map(({ kind, name, generation, created_by, state }) => [
      kind,
      name,
      generation,
      created_by,
      state,
    ]),
  ).toEqual([
    ['agent', 'One', 0, 'human', 'active'],
    ['role', null, null, null, 'missing'],
    ['tradeoff', 'Careful', 0, 'human', 'active'],
  ]);
});

verifies('agency.human', 'texts, names and lists of a person at their limits; agents without a role', () => {
  const long = (count: number) => 'x'.repeat(count);
  expect([
    typedName(` ${long(TEAM_LIMITS.agencyNameCharacters)} `).length,
    typedText('It', ` ${long(TEAM_LIMITS.agencyTextBytes)}`).length,
  ]).toEqual([TEAM_LIMITS.agencyNameCharacters, TEAM_LIMITS.agencyTextBytes]);
  expect([
    told(() => typedName(long(TEAM_LIMITS.agencyNameCharacters + 1))),
    told(() => typedName('a\u202eb')),
  ]).toEqual([
    `bad_input: Not a name: "${long(59)}…" Use one line of at most 100 characters.`,
    'bad_input: Not a name: "a\\\\u{202e}b" Use one line of at most 100 characters.',
  ]);
  expect([
    codeOf(() => typedText('It', ' ')),
    codeOf(() => typedText('It', long(TEAM_LIMITS.agencyTextBytes + 1))),
  ]).toEqual(['bad_input', 'too_large']);
  const items = (count: number) => Array.from({ length: count }, () => 'x');
  expect([
    typedList('L', items(TEAM_LIMITS.agencyItems)).length,
    typedList('L'),
    codeOf(() => typedList('L', items(TEAM_LIMITS.agencyItems + 1))),
  ]).toEqual([...[TEAM_LIMITS.agencyItems, [], 'bad_input']]);
  expect([
    typedSkills(items(TEAM_LIMITS.skills)).length,
    typedSkills(),
    codeOf(() => typedSkills(items(TEAM_LIMITS.skills + 1))),
  ]).toEqual([...[TEAM_LIMITS.skills, [], 'bad_input']]);
  expect(['rust', 'file:a.md', 'url:https://x', 'inline:Keep\nit', 'name:file', 'other:x'].map(typedSkill)).toEqual([
    { name: 'rust' },
    { file: 'a.md' },
    { url: 'https://x' },
    { inline: 'Keep\nit' },
    { name: 'file' },
    { name: 'other:x' },
  ]);
  const draft = { name: 'Ida', capabilities: [], trust_level: 'provisional' as const, executor: 'email' };
  const made = (role_id: string, tradeoff_id: string, human = true) =>
    newAgent(new Agency([]), { ...draft, role_id, tradeoff_id }, human, MAKER);
  expect([codeOf(() => made('', 'b', false)), codeOf(() => made('a', '', false))]).toEqual([
    'role_required',
    'tradeoff_required',
  ]);
  expect(
    [made('a', 'b').person, made('', '').person, made('a', '').person, made('', 'b').person].map(
      (text) => text !== undefined,
    ),
  ).toEqual([...[false, true, true, true]]);
  expect(made('a', '').id).toBe(made('', 'b').id);
  const twin = (retired: boolean) => {
    const there = made('a', 'b');
    return told(() =>
      newAgent(
        new Agency([retired ? { ...there, retired } : there]),
        { ...draft, role_id: 'a', tradeoff_id: 'b' },
        true,
        MAKER,
      ),
    );
  };
  const short = made('a', 'b').id.slice(0, 8);
  expect([twin(false), twin(true)]).toEqual([
    `duplicate_entity: Agent with identical content already exists (${short}) It is called Ida: \`troupe agency show agent ${short}\`.`,
    `duplicate_entity: Agent with identical content is retired (${short}) Restore it with \`troupe agency rm agent ${short} --undo\`.`,
  ]);
});

verifies('agency.human', 'names that are taken get the lowest number that is free, within the limit', () => {
  const most = 'x'.repeat(TEAM_LIMITS.agencyNameCharacters);
  const agency = new Agency([
    ...[
      role('A'),
      role('A 2', { retired: true }),
      role('A 3', { pending: true }),
      role(most),
      role('B 7'),
      tradeoff('C'),
    ],
  ]);
  expect(['A', 'A 3', 'B 7', 'C', most].map((name) => freeName(agency, 'role', name))).toEqual([
    ...['A 4', 'A 4', 'B 2', 'C', `${'x'.repeat(TEAM_LIMITS.agencyNameCharacters - 2)} 2`],
  ]);
  const [one, two] = [role('Same'), role('Same', { description: 'Other.' })];
  expect([nameWarnings(new Agency([one, two]), one), nameWarnings(new Agency([one]), one)]).toEqual([
    [`Same is the name of several entries: ${two.id.slice(0, 8)}: use ids.`],
    [],
  ]);
});

verifies('eval.show', 'evaluations by filter, newest first; scores that are none are told', () => {
  const record = (id: string, more: object = {}) => ({
    id,
    task_id: `t-${id}`,
    score: 0.5,
    timestamp: '2026-01-01',
    ...more,
  });
  const records = [
    record('b'),
    record('a', { agent_id: 'g', source: 'ci:x', notes: 'n', evaluator: 'ev', dimensions: { one: 0.5, two: 'x' } }),
    record('c', { timestamp: '2026-01-02', agent_id: '', source: 'llm', score: 0 }),
    record('d', { score: 1, timestamp: undefined, task_id: 't-a' }),
    ...[
      record('e', { score: -0.1 }),
      record('f', { score: 1.1 }),
      record('g', { score: '1' }),
      record('h', { task_id: 7 }),
    ],
    record('i', { id: 7 }),
  ];
  const ids = (filter?: Parameters<typeof evaluationsOf>[1]) =>
    evaluationsOf(records as never, filter).map(({ id }) => id);
  expect([
    ids(),
    ids({ id: 't-a' }),
    ids({ id: 'b' }),
    ids({ task: 't-a' }),
    ids({ task: 'a' }),
    ids({ agent: 'g' }),
  ]).toEqual([...[['c', 'a', 'b', 'd'], ['a', 'd'], ['b'], ['a', 'd'], [], ['a']]]);
  expect([ids({ source: 'ci:*' }), ids({ source: 'llm' }), ids({ source: '*' }), ids({ source: 'x' })]).toEqual([
    ...[['a'], ['c', 'b', 'd'], ['c', 'a', 'b', 'd'], []],
  ]);
  const [, full, bare] = evaluationsOf(records as never);
  expect(full).toEqual({
    ...{ id: 'a', task_id: 't-a', agent_id: 'g', score: 0.5, dimensions: { one: 0.5 }, notes: 'n', evaluator: 'ev' },
    ...{ source: 'ci:x', timestamp: '2026-01-01' },
  });
  expect(bare).toEqual({
    ...{ id: 'b', task_id: 't-b', agent_id: null, score: 0.5, dimensions: {}, notes: '', evaluator: '', source: 'llm' },
    timestamp: '2026-01-01',
  });
  expect(
    scorelessWarnings([record('ok'), record('e', { score: -0.1 }), record('f', { score: 'x'.repeat(41) })] as never),
  ).toEqual(['e: its score is -0.1, not from 0 to 1.', `f: its score is ${'x'.repeat(39)}…, not from 0 to 1.`]);
  const noted = notesByTask(
    [
      record('a', { notes: 'old' }),
      record('a2', { task_id: 't-a', notes: 'new', timestamp: '2026-02-01' }),
      record('b', { notes: ' ' }),
      record('c', { notes: 'x', foreign: true }),
    ] as never,
    new Set(['t-a', 't-b', 't-c']),
  );
  expect([...noted]).toEqual([['t-a', ['0.50 from llm: new', '0.50 from llm: old']]]);
});

verifies('stats.boards', 'scores of people are left out of the roles and trade-offs that they share', () => {
  const [writer, careful, fast] = [role('Writer'), tradeoff('Careful'), tradeoff('Fast')];
  const person = agent('Ida', { role_id: writer.id, tradeoff_id: careful.id });
  const program = agent('Pro', { role_id: writer.id, tradeoff_id: fast.id });
  const [own, other] = [reference(careful.id, 0.1), reference(fast.id, 0.9)];
  const inRole = { ...writer, performance: performanceFrom([own, other]) };
  const inTrade = { ...careful, performance: performanceFrom([reference(writer.id, 0.1), reference('other', 0.7)]) };
  const agency = new Agency([inRole, inTrade, fast, person, program]);
  const means = (people: ReadonlySet<string>) =>
    [inRole, inTrade, { ...person, performance: scored(0.2) }, { ...program, performance: scored(0.3) }].map((one) =>
      meanOfPrograms(agency, one, people),
    );
  expect([
    means(new Set()),
    means(new Set([person.id])),
    means(new Set([person.id, 'gone'])),
    means(new Set(['gone'])),
  ]).toEqual([
    [0.5, 0.4, 0.2, 0.3],
    [0.9, 0.7, null, 0.3],
    [0.9, 0.7, null, 0.3],
    [0.5, 0.4, 0.2, 0.3],
  ]);
  expect(scoresOfPrograms(agency, inRole, new Set([program.id]))).toEqual([own]);
});

verifies('stats.trend', 'the trend, the order of the boards and the pairs to try, at their limits', () => {
  const trend = (...scores: readonly number[]) => trendOf(new ScoreSums(scores.map((score) => reference('x', score))));
  expect([
    trend(),
    trend(0.5),
    trend(0.5, 0.53),
    trend(0.5, 0.54),
    trend(0.53, 0.5),
    trend(0.54, 0.5),
    trend(0, 0, 1),
    trend(0, 1, 1),
  ]).toEqual([...[null, null, 'flat', 'improving', 'flat', 'declining', 'improving', 'improving']]);
  const facts: StatsFacts = { people: new Set(), task: () => undefined, sourceOf: ({ source }) => source ?? 'llm' };
  const [careful, fast] = [tradeoff('Careful'), tradeoff('Fast', { performance: scored(0.9) })];
  const in_ = (name: string, ...of: EvaluationRef[]) => role(name, { performance: performanceFrom(of) });
  const agency = new Agency([
    ...[
      careful,
      fast,
      in_('None'),
      in_('Zero', reference(careful.id, 0)),
      in_('Two', reference(careful.id, 0.5), reference(fast.id, 0.5)),
    ],
    in_('One', reference(careful.id, 0.5)),
    role('Old', { retired: true }),
    role('Gone', {
      retired: true,
      performance: performanceFrom([
        reference('lost', 0.2, { source: 'flip' }),
        reference('lost', 0.4, { source: 'ci' }),
      ]),
    }),
  ]);
  const stats = agencyFigures(agency, facts, 1);
  expect({
    roles: stats.roles.map(({ name, mean, count, retired }) => [name, mean, count, retired].join(' ')),
    models: stats.models,
    synergy: stats.synergy.map(({ role_name, tradeoff_name, mean, synergy }) =>
      [role_name, tradeoff_name, mean, synergy].join(' '),
    ),
    unexplored: stats.unexplored.map(({ role_name, tradeoff_name, count, promise }) =>
      [role_name, tradeoff_name, count, promise].join(' '),
    ),
    total: stats.unexplored_total,
  }).toMatchInlineSnapshot(`
    {
      "models": [
        {
          "count": 6,
          "flip": 0.2,
          "gap": null,
          "llm": 0.375,
          "mean": 0.35,
          "name": "none in particular",
          "outside": 0.4,
          "series": [
            0.5,
            0.5,
            0,
            0.5,
            0.2,
            0.4,
          ],
          "trend": "improving",
        },
      ],
      "roles": [
        "Two 0.5 2 false",
        "One 0.5 1 false",
        "Gone 0.3 2 true",
        "Zero 0 1 false",
        "None  0 false",
      ],
      "synergy": [
        "Two Careful 0.5 ",
        "Two Fast 0.5 ",
        "One Careful 0.5 ",
        "Zero Careful 0 low",
      ],
      "total": 4,
      "unexplored": [
        "None Fast 0 0.45",
        "One Fast 0 0.45",
        "None Careful 0 0.25",
        "Zero Fast 0 0",
      ],
    }
  `);
  const many = new Agency([careful, ...Array.from({ length: AGENCY_LIMITS.statsRows + 5 }, (_, at) => role(`R${at}`))]);
  const figures = agencyFigures(many, facts, 1);
  expect([figures.unexplored.length, figures.unexplored_total]).toEqual([
    AGENCY_LIMITS.statsRows,
    AGENCY_LIMITS.statsRows + 5,
  ]);
});

verifies('hash.own-emitter', 'records are read back from exactly what is written, and from nothing else', () => {
  const one = { ...role('Writer', { skills: [{ name: 'a' }, { inline: 'Two\nlines' }] }), performance: scored(0.5) };
  const text = fileText(one);
  const read = ownRecord(text);
  expect(read).toMatchObject({
    name: 'Writer',
    description: 'Does Writer.',
    skills: [{ name: 'a' }, { inline: 'Two\nlines' }],
  });
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    if (line === '') continue;
    expect(ownRecord([...lines.slice(0, at), `${line} `, ...lines.slice(at + 1)].join('\n')), line).toBeUndefined();
  }
  const key = (name: string) => lines.find((line) => line.startsWith(`${name}:`)) ?? expect.unreachable();
  expect([
    ownRecord(text.trimEnd()),
    ownRecord(`${text}${key('name')}\n`),
    ownRecord(`${text}${key('description')}\n`),
    ownRecord(`${text}a-b: 1\n`),
  ]).toEqual(Array(4).fill(undefined));
  expect([
    ownRecord('acceptable_tradeoffs: []\n'),
    ownRecord('acceptable_tradeoffs: [1]\n'),
    ownRecord('acceptable_tradeoffs:\n'),
    ownRecord('skills:\n- !other x\n'),
  ]).toEqual([...[{ acceptable_tradeoffs: [] }, undefined, undefined, undefined]]);
  expect(ownRecord('acceptable_tradeoffs:\n- One\n- Two\n')).toEqual({ acceptable_tradeoffs: ['One', 'Two'] });
  const evaluation = recordText({ id: 'e', score: 0.5 });
  expect([
    sameEvaluation(evaluation, `${evaluation}foreign: true\n`),
    sameEvaluation(evaluation, recordText({ id: 'e', score: 0.6 })),
    sameEvaluation(`${evaluation}foreign: true\n`, evaluation),
  ]).toEqual([...[true, false, true]]);
  expect(
    ['\u0080', '\u007f', '\u009f', '\u00a0', '\ufeff', '\u{10000}', '\uffff', '\u001f', 'a\tb"\\\u0000', 'a \nb'].map(
      scalar,
    ),
  ).toMatchInlineSnapshot(`
    [
      ""\\x80"",
      ""\\x7F"",
      ""\\x9F"",
      " ",
      ""\\uFEFF"",
      ""\\U00010000"",
      "￿",
      ""\\x1F"",
      ""a\\tb\\"\\\\\\x00"",
      ""a \\nb"",
    ]
  `);
});

verifies('eval.dims', 'scores of judgements and comparisons, rounded to four places, from 0 to 1', () => {
  const dimensions = { semantic_match: 0.1, requirement_coverage: 0, specificity_match: 1, hallucination_rate: 0.25 };
  const compared = (more: object) => comparisonIn(JSON.stringify({ score: 0.123_46, dimensions, notes: 'n', ...more }));
  expect(compared({})).toEqual({ score: 0.1235, dimensions, notes: 'n' });
  expect([compared({ notes: 7 })?.notes, compared({ score: 1 })?.score, compared({ score: 0 })?.score]).toEqual([
    '',
    1,
    0,
  ]);
  for (const bad of [
    { score: 1.01 },
    { score: -0.01 },
    { score: '1' },
    { dimensions: [] },
    { dimensions: { ...dimensions, semantic_match: 2 } },
  ])
    expect(compared(bad)).toBeUndefined();
  const judged = { correctness: 1, completeness: 0.5, efficiency: 0.25, style_adherence: 0 };
  expect(judgementIn(JSON.stringify({ dimensions: judged, notes: 'n' }))).toEqual({ dimensions: judged, notes: 'n' });
  expect(judgementIn(JSON.stringify(judged))).toEqual({ dimensions: judged, notes: '' });
  expect([
    scoreOf(judged),
    scoreOf({ correctness: 1 }),
    scoreOf({}),
    scoreOf({ ...judged, style_adherence: 1 }),
  ]).toMatchInlineSnapshot(`
    [
      0.5875,
      0.4,
      0,
      0.7375,
    ]
  `);
});
