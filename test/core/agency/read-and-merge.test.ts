import { expect, test } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import type { Agent, Entity, EvaluationRef, Role } from '#core/agency/entities.js';
import { idOf, personText } from '#core/agency/entity-text.js';
import { comparisonIn, inferredIn, judgementIn, scoreOf } from '#core/agency/evaluation-judge.js';
import { asPendingImport, mergeEntity } from '#core/agency/merge-entity.js';
import { planMerge, planPull } from '#core/agency/pull.js';
import { type AgencyRecord, agencyOf, performanceFrom, performanceOf } from '#core/agency/read.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { codeOf } from '../graph/graph.js';
import { agent, role, tradeoff } from './people.js';

const record = (entity: Entity, change: object = {}, more: Partial<AgencyRecord> = {}): AgencyRecord => {
  const { kind, more: own, ...fields } = entity;
  return {
    ...{ kind, id: entity.id, file: `${kind}.yaml`, retired: false },
    value: { ...fields, ...own, ...change },
    ...more,
  };
};
/** What comes of one file: the entity, or the complaint. */
const read = (entity: Entity, change: object = {}, more: Partial<AgencyRecord> = {}) => {
  const agency = agencyOf([record(entity, change, more)], []);
  return { entity: agency.entity(entity.kind, entity.id), warnings: agency.warnings };
};
const reference = (more: Partial<EvaluationRef> = {}): EvaluationRef => ({
  ...{ score: 0.5, task_id: 't', timestamp: '2026-01-01T00:00:00.000Z', context_id: 'c' },
  ...more,
});

test('the id of an agent is that of its role and its trade-off, or without either of them of a person', () => {
  const person = (more: object) => {
    const id = idOf(personText('Ann', 'human'));
    const value = { id, name: 'Ann', executor: 'human', ...more };
    return agencyOf([{ kind: 'agent', id, file: 'agent.yaml', retired: false, value }], []);
  };
  for (const part of [{}, { role_id: 'r' }, { tradeoff_id: 't' }, { motivation_id: 't' }])
    expect(person(part).warnings, JSON.stringify(part)).toEqual([]);
  expect(person({ role_id: 'r', tradeoff_id: 't' }).warnings).toEqual([
    'agent.yaml:1: forged_id: its content does not match its id',
  ]);
});

test('an entity is read as it was written, with what other tools wrote beside it', () => {
  const skills = [{ name: 'prose' }, { file: 'a.md' }, { url: 'https://x' }, { inline: 'Text' }];
  const writer = role('Writer', { skills, default_context_scope: 'task', default_exec_mode: 'light' });
  expect(read(writer).entity).toEqual({ ...writer, skills });
  const [short, wrong] = [role('Plain', { skills: [{ name: 'prose' }] }), read(role('Bad'), { skills: [7] })];
  expect(read(short, { skills: ['prose'] }).entity).toMatchObject({ skills: [{ name: 'prose' }] });
  expect(wrong.warnings.join()).toContain('role.yaml:1: a skill is neither a name nor a file, an address or a text');
  expect(read(writer, { own: 1, default_exec_mode: 'fast', default_context_scope: 7 }).entity).toMatchObject({
    more: { own: 1 },
  });
  expect(read(writer, { default_exec_mode: 'fast' }).entity).not.toHaveProperty('default_exec_mode');
  const careful = tradeoff('Careful', { acceptable_tradeoffs: ['slow'], unacceptable_tradeoffs: ['wrong'] });
  expect(read(careful).entity).toEqual(careful);
  const vera = agent('Vera', {
    capabilities: ['go'],
    rate: 2,
    capacity: 3,
    contact: 'v@x',
    preferred_model: 'm',
    preferred_provider: 'anthropic',
  });
  expect(read(vera).entity).toEqual(vera);
  expect(
    read(vera, {
      trust_level: 'full',
      rate: -1,
      capacity: Number.NaN,
      contact: 7,
      preferred_provider: 'x',
      executor: undefined,
    }).entity,
  ).toMatchObject({
    ...{ trust_level: 'provisional', executor: 'claude' },
  });
  const odd = read(vera, { rate: -1, capacity: '3', contact: 7, preferred_provider: 'x' }).entity as Agent;
  expect([odd.rate, odd.capacity, odd.contact, odd.preferred_provider]).toEqual(Array(4).fill(undefined));
  expect(read(vera, { tradeoff_id: undefined, motivation_id: vera.tradeoff_id }).entity).toMatchObject({
    tradeoff_id: vera.tradeoff_id,
  });
  expect(read(writer, { name: undefined }).entity?.name).toBe(writer.id.slice(0, 8));
  expect(read(writer, {}, { retired: true }).entity).toMatchObject({ retired: true });
  expect(read(writer, { held: 'run-1', pending: true }).entity).toMatchObject({ held: 'run-1', pending: true });
  expect(read(writer, { held: 7, pending: 'yes' }).entity).not.toHaveProperty('pending');
});

test('what is not what its id says, or no entity, is left out with a warning', () => {
  const writer = role('Writer');
  const forged = 'role.yaml:1: forged_id: its content does not match its id';
  const rows: [object, string][] = [
    [{ description: 'Other.' }, forged],
    [{ id: 'x' }, forged],
    [{ description: 7 }, 'role.yaml:1: description is not text'],
    [{ skills: 'x' }, 'role.yaml:1: skills is not a list'],
    [
      { skills: Array(TEAM_LIMITS.agencyItems + 1).fill('x') },
      `role.yaml:1: skills has more than ${TEAM_LIMITS.agencyItems} items`,
    ],
    [{ component_ids: ['c'], outcome_id: 'o' }, forged],
  ];
  for (const [change, warning] of rows)
    expect(read(writer, change), warning).toEqual({ entity: undefined, warnings: [warning] });
  expect(read(writer, {}, { value: 7 }).warnings).toEqual(['role.yaml:1: not a record']);
  expect(read(tradeoff('T'), { acceptable_tradeoffs: ['other'] }).warnings[0]).toContain('forged_id');
  expect(read(agent('A'), { role_id: 'other' }).warnings[0]).toContain('forged_id');
  expect(agencyOf([], ['before']).warnings).toEqual(['before']);
  const count = (value: unknown) =>
    agencyOf([{ kind: 'state', id: 's', file: 's', retired: false, value }], []).assignments;
  expect([{ assignments: 7.9 }, { assignments: -1 }, { assignments: '7' }, 7].map(count)).toEqual([7, 0, 0, 0]);
});

test('scores count as they are listed, whatever else a file says of them', () => {
  const whole = reference({ evaluation_id: 'e', source: 'llm' });
  expect(performanceOf({ task_count: 99, avg_score: 1, evaluations: [whole, reference({ score: 1 })] })).toEqual({
    task_count: 2,
    avg_score: 0.75,
    evaluations: [whole, reference({ score: 1 })],
  });
  expect(
    performanceOf({
      evaluations: [
        { ...whole, more: 1 },
        { score: 0, task_id: 't', timestamp: 7, source: 7 },
      ],
    }).evaluations,
  ).toEqual([whole, { score: 0, task_id: 't', timestamp: '', context_id: '' }]);
  for (const wrong of [{ score: 1.1 }, { score: -0.1 }, { score: '1' }, { task_id: 7 }])
    expect(performanceOf({ evaluations: [{ ...whole, ...wrong }] }).task_count, JSON.stringify(wrong)).toBe(0);
  for (const value of [undefined, 7, {}, { evaluations: 'x' }, { evaluations: [7] }])
    expect(performanceOf(value)).toEqual(performanceFrom([]));
  expect(performanceFrom([]).avg_score).toBeNull();
  const { warnings } = read(role('Writer'), { performance: { evaluations: [whole, { ...whole, score: 7 }, 7] } });
  expect(warnings).toEqual(['role.yaml:1: 2 of its scores do not count: not from 0 to 1, or of no task']);
});

test('lineage: what is said in another form is what one begins with', () => {
  const lineage = (value: unknown) => read(role('Writer'), { lineage: value }).entity?.lineage;
  const first = { parent_ids: [], generation: 0, created_by: 'human', created_at: '' };
  for (const value of [undefined, 7, {}, { parent_ids: 'x', generation: -1, created_by: 7, creator_agent: 7 }])
    expect(lineage(value)).toEqual(first);
  const full = {
    parent_ids: ['p'],
    generation: 2,
    created_by: 'evolve',
    created_at: 'then',
    creator_agent: 'a',
    creator_model: 'm',
  };
  expect(lineage({ ...full, generation: 2.9 })).toEqual(full);
});

test('a guest brings what it is, and nothing that is for this place to say', () => {
  const vera: Agent = {
    ...agent('Ve\nra', { rate: 2, contact: 'v@x', capacity: 3, trust_level: 'verified' }),
    held: 'r',
    more: { own: 1, outcome_id: 'o' },
  };
  const late = reference({ timestamp: '2026-01-02T00:00:00.000Z', task_id: 'b' });
  const guest = asPendingImport({
    ...vera,
    performance: performanceFrom([late, reference(), reference({ timestamp: 'never' })]),
  }) as Agent;
  expect(guest).toMatchObject({ pending: true, trust_level: 'unknown', capacity: 3, more: { outcome_id: 'o' } });
  expect([guest.rate, guest.contact, guest.held, guest.more['own']]).toEqual(Array(4).fill(undefined));
  expect(guest.name).not.toContain('\n');
  expect(guest.performance.evaluations).toEqual([reference(), late]);
  const order = performanceFrom([reference({ task_id: 'b' }), reference({ task_id: 'a' })]);
  expect(asPendingImport(role('R', { performance: order })).performance.evaluations.map((one) => one.task_id)).toEqual([
    'a',
    'b',
  ]);
  const many = Array.from({ length: TEAM_LIMITS.agencyReferences + 1 }, (_, index) =>
    reference({ task_id: `t${index}`, timestamp: new Date(index).toISOString() }),
  );
  const kept = asPendingImport(role('R', { performance: performanceFrom(many) })).performance.evaluations;
  expect([kept.length, kept[0]?.task_id]).toEqual([TEAM_LIMITS.agencyReferences, 't1']);
});

test('two of one id are put together: scores united, lineage the richer, words as they are here unless forced', () => {
  const here = role('Here', { performance: performanceFrom([reference()]), default_exec_mode: 'light' });
  const there = (more: Partial<Role> = {}): Role => ({ ...here, name: 'There', ...more });
  expect(mergeEntity(here, there(), false)).toBe(here);
  expect(mergeEntity(here, there(), true)).toEqual({ ...here, name: 'There' });
  expect(
    mergeEntity(here, there({ default_exec_mode: 'full', default_context_scope: 'task', description: 'Other.' }), true),
  ).toEqual({
    ...here,
    name: 'There',
    default_exec_mode: 'full',
    default_context_scope: 'task',
  });
  const scores = (theirs: EvaluationRef[], ours = [reference()]) =>
    mergeEntity({ ...here, performance: performanceFrom(ours) }, there({ performance: performanceFrom(theirs) }), false)
      .performance.evaluations;
  const other = reference({ task_id: 's' });
  expect(scores([other])).toEqual([other, reference()]);
  expect(scores([reference({ score: 1 })]), 'another score for the same work is not believed').toEqual([reference()]);
  expect(scores([reference({ source: 'llm' })]), 'the same score with more fields').toEqual([
    reference({ source: 'llm' }),
  ]);
  expect(scores([reference()], [reference({ source: 'llm' })])).toEqual([reference({ source: 'llm' })]);
  expect(scores([reference({ source: 'aaa' })], [reference({ source: 'bbb' })])).toEqual([
    reference({ source: 'aaa' }),
  ]);
  expect(scores([reference({ source: 'bbb' })], [reference({ source: 'aaa' })])).toEqual([
    reference({ source: 'aaa' }),
  ]);
  const base = { parent_ids: [], generation: 1, created_by: 'human', created_at: '2026-01-02' };
  const lineage = (theirs: object, ours: object = {}) =>
    mergeEntity({ ...here, lineage: { ...base, ...ours } }, there({ lineage: { ...base, ...theirs } }), false).lineage;
  expect(lineage({ parent_ids: ['p'] })).toMatchObject({ parent_ids: ['p'] });
  expect(lineage({ generation: 9 }, { parent_ids: ['p'] })).toMatchObject({ generation: 1 });
  expect(lineage({ generation: 2 })).toMatchObject({ generation: 2 });
  expect(lineage({ created_at: '2026-01-01' })).toMatchObject({ created_at: '2026-01-01' });
  expect(lineage({ created_at: '2026-01-03' })).toMatchObject({ created_at: '2026-01-02' });
  expect([lineage({ created_by: 'a' }), lineage({ created_by: 'z' })].map((one) => one.created_by)).toEqual([
    'a',
    'human',
  ]);
  const careful = tradeoff('Careful');
  expect(mergeEntity(careful, { ...careful, name: 'Rash' }, true)).toEqual({ ...careful, name: 'Rash' });
  const vera = agent('Vera', { capacity: 1, contact: 'v@x' });
  const theirs: Agent = {
    ...vera,
    name: 'V',
    capabilities: ['go'],
    executor: 'codex',
    capacity: 5,
    contact: 'w@x',
    trust_level: 'unknown',
    preferred_model: 'm',
    preferred_provider: 'openai',
  };
  expect(mergeEntity(vera, theirs, true)).toEqual({ ...theirs, contact: 'v@x', trust_level: vera.trust_level });
  const { capacity: _capacity, ...without } = theirs;
  expect(mergeEntity(vera, without as Agent, true).capacity).toBe(1);
});

test('of two that nobody has accepted a fixed order decides, whoever came first', () => {
  const [a, b]: [Role, Role] = [
    role('Same', { pending: true, name: 'Alpha' }),
    role('Same', { pending: true, name: 'Beta' }),
  ];
  expect([mergeEntity(a, b, false), mergeEntity(b, a, false)].map(({ name }) => name)).toEqual(['Alpha', 'Alpha']);
  expect(mergeEntity(a, b, false)).toBe(a);
  expect(mergeEntity(a, b, true).name).toBe('Beta');
  const out = (one: Role): Role => ({ ...one, retired: true });
  expect(mergeEntity(out(a), out(b), false)).toEqual(out(a));
  expect(mergeEntity(out(a), b, false)).not.toHaveProperty('retired');
  expect(mergeEntity(a, out(b), false)).toBe(a);
  const scored = { ...b, performance: performanceFrom([reference()]) };
  expect(mergeEntity(a, scored, false)).toEqual({ ...a, performance: scored.performance });
});

test('what is pulled: those wished for, what they are made of and come from, and why not', () => {
  const [parent, careful] = [role('Parent'), tradeoff('Careful')];
  const child = role('Child', { lineage: { parent_ids: [parent.id], generation: 1, created_by: 'e', created_at: '' } });
  const vera = agent('Vera', { role_id: child.id, tradeoff_id: careful.id });
  const lone = role('Vera', { description: 'Another of that name.' });
  const theirs = new Agency([parent, child, careful, vera, lone]);
  const evaluation = (id: string, more: object = {}) => ({
    ...{
      id,
      task_id: 't',
      agent_id: vera.id,
      role_id: child.id,
      tradeoff_id: careful.id,
      score: 0.8,
      notes: '',
      evaluator: 'x',
    },
    ...{ source: 'llm', timestamp: '2026-03-01T10:00:00.000Z', own: 1, ...more },
  });
  const scores = new Map([
    ['e1', evaluation('e1')],
    ['e2', evaluation('e2', { agent_id: 'x', role_id: lone.id, tradeoff_id: 'x' })],
    ['e3', evaluation('e3', { notes: 7 })],
    ['e4', evaluation('e4', { dimensions: { a: 'x' } })],
    ['e5', evaluation('e5', { dimensions: { a: 0.5 } })],
  ]) as never;
  const source = { agency: theirs, evaluations: scores };
  const pull = (
    ids: string[],
    kinds: readonly Entity['kind'][] = ['role', 'tradeoff', 'agent'],
    local = new Agency([]),
    force = false,
  ) => planPull(local, new Map(), source, { ids, kinds, force });
  const names = (plan: { rows: readonly { name: string; action: string; kind: string }[] }) =>
    plan.rows.map((row) => `${row.kind} ${row.name} ${row.action}`).sort();
  const all = ['agent Vera new', 'role Child new', 'role Parent new', 'role Vera new', 'tradeoff Careful new'];
  expect(names(pull([]))).toEqual(all);
  expect(names(pull([], ['tradeoff']))).toEqual(['tradeoff Careful new']);
  expect(names(pull([vera.id]))).toEqual(all.filter((row) => row !== 'role Vera new'));
  expect(names(pull(['Child'], ['role']))).toEqual(['role Child new', 'role Parent new']);
  expect([
    codeOf(() => pull(['Vera'])),
    codeOf(() => pull(['Nobody'])),
    codeOf(() => pull(['Vera'], ['role'])),
  ]).toEqual([...['ambiguous_id', 'not_found', 'none']]);
  expect(pull([]).evaluations.map(({ id }) => id)).toEqual(['e1', 'e2', 'e5']);
  expect(pull([vera.id]).evaluations.map(({ id }) => id)).toEqual(['e1', 'e5']);
  expect(pull([]).evaluations[0]).not.toHaveProperty('own');
  expect(pull([]).warnings).toEqual(['e3', 'e4'].map((id) => `The evaluation ${id} is not valid: it was left out.`));
  const here = pull([], undefined, new Agency([parent, { ...careful, name: 'Ours' }]));
  expect(here.unchanged).toEqual([`role ${parent.id}`, `tradeoff ${careful.id}`]);
  expect(names(pull([], ['tradeoff'], new Agency([{ ...careful, name: 'Ours' }]), true))).toEqual([
    'tradeoff Careful merged',
  ]);
  const broken = new Agency([agent('Solo')]);
  const missing = () =>
    planPull(
      new Agency([]),
      new Map(),
      { agency: broken, evaluations: new Map() },
      { ids: [], kinds: ['agent'], force: false },
    );
  expect(codeOf(missing)).toBe('missing_dependency');
  const huge = new Agency([role('Huge', { more: { component_ids: ['x'.repeat(TEAM_LIMITS.pulledEntityBytes)] } })]);
  expect(
    codeOf(() =>
      planPull(
        new Agency([]),
        new Map(),
        { agency: huge, evaluations: new Map() },
        { ids: [], kinds: ['role'], force: false },
      ),
    ),
  ).toBe('too_large');
  const scored = (task_id: string) =>
    new Agency([role('Parent', { performance: performanceFrom([reference({ task_id })]) })]);
  const merged = planMerge(
    new Agency([parent]),
    new Map(),
    [source, { agency: scored('a'), evaluations: scores }, { agency: scored('b'), evaluations: new Map() }],
    { ids: [], kinds: ['role'], force: false },
  );
  expect(merged.rows.map(({ name, action, scores: more }) => [name, action, more])).toEqual([
    ...[
      ['Child', 'new', 0],
      ['Vera', 'new', 0],
      ['Parent', 'merged', 2],
    ],
  ]);
  expect(merged.entities).toHaveLength(3);
  expect(merged.unchanged).toEqual([]);
  expect(merged.evaluations.map(({ id }) => id)).toEqual(['e1', 'e2', 'e5']);
});

test('what a model says of work: every part, from 0 to 1, or nothing', () => {
  const parts = { correctness: 1, completeness: 0.5, efficiency: 0.2, style_adherence: 0 };
  expect(scoreOf(parts)).toBe(0.58);
  expect(scoreOf({ correctness: 0.333, completeness: 0, efficiency: 0, style_adherence: 0 })).toBe(0.1332);
  const judged = (value: unknown) => judgementIn(JSON.stringify(value));
  expect(judged({ dimensions: { ...parts, more: 1 }, notes: 'fine' })).toMatchObject({ notes: 'fine' });
  expect(judged({ ...parts, notes: 7 })?.notes).toBe('');
  for (const wrong of [
    { correctness: 1.1 },
    { efficiency: -0.1 },
    { style_adherence: '1' },
    { completeness: undefined },
  ])
    expect(judged({ dimensions: { ...parts, ...wrong } }), JSON.stringify(wrong)).toBeUndefined();
  const flips = { semantic_match: 1, requirement_coverage: 1, specificity_match: 0, hallucination_rate: 0 };
  const compared = (value: object) => comparisonIn(JSON.stringify({ dimensions: flips, score: 0.123456, ...value }));
  expect(compared({})).toEqual({ score: 0.1235, dimensions: flips, notes: '' });
  for (const wrong of [{ score: 2 }, { score: '1' }, { dimensions: { ...flips, semantic_match: 2 } }])
    expect(compared(wrong)).toBeUndefined();
  expect(inferredIn('{"inferred_prompt": "Do it"}')).toBe('Do it');
  expect([inferredIn('{"inferred_prompt": " "}'), inferredIn('{"inferred_prompt": 7}'), inferredIn('no')]).toEqual(
    Array(3).fill(undefined),
  );
});
