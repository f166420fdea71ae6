import { expect, test } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import type { Agent, EvaluationRef, Role } from '#core/agency/entities.js';
import { performanceFrom } from '#core/agency/read.js';
import { AgentMapper } from '#core/casting/agent-mapper.js';
import { pickBySignals, type RepositorySignals } from '#core/casting/analysis.js';
import { pickByWords, pickForGoal } from '#core/casting/ranking.js';
import { archetypeRecords, byRecord, memberRecord, NO_RECORDS } from '#core/casting/track-record.js';
import { rebuildRegistry } from '#core/squad/registry.js';
import { verifies } from '../../verifies.js';
import { smallCatalog } from './small-catalog.js';

const catalog = smallCatalog();
const SHIPPED = [
  { name: 'Balanced', description: 'Even.', acceptable_tradeoffs: ['Average'], unacceptable_tradeoffs: ['Extremes'] },
];
const MAKER = { now: 0, by: 'human' };
const NOBODY = rebuildRegistry(undefined);
const UNTESTED: RepositorySignals = {
  ...{ contents: [], languages: [], frameworks: [], tests: false, docs: false, ci: false, site: false },
  size: 'small',
};

function archetype(id: string) {
  const one = catalog.archetypes.get(id);
  if (one === undefined) throw new Error(`no ${id}`);
  return one;
}

const scores = (prefix: string, values: readonly number[]): EvaluationRef[] =>
  values.map((score, index) => ({
    ...{ score, task_id: `${prefix}${index}`, timestamp: `2026-01-0${index + 1}T00:00:00Z`, context_id: '' },
    evaluation_id: `eval-${prefix}${index}`,
  }));

const withScores = <One extends Role | Agent>(one: One, references: readonly EvaluationRef[]): One => ({
  ...one,
  performance: performanceFrom(references),
});

/** An agency with the agent that members of an archetype are. */
function cast(id: string) {
  const bridge = new AgentMapper(new Agency([], [], 0), SHIPPED, MAKER);
  const agentId = bridge.agentFor(archetype(id), NOBODY);
  return { agentId, agency: new Agency(bridge.createdEntities, [], 0) };
}

const event = (name: string, archetypeId: string, agentId: string) =>
  JSON.stringify({ name, archetypeId, agentId, roleTitle: 'R', status: 'Active', rev: 1, eventId: `e-${name}` });

verifies(
  'bridge.agent',
  'the scores of a member are those of its tasks, also where somebody else is the same agent',
  () => {
    const { agentId, agency } = cast('writer');
    const agent = agency.agent(agentId) as Agent;
    const known = agency.with([
      withScores(agent, [...scores('n', [0.9, 0.7]), ...scores('t', [0.1]), ...scores('x', [0.5])]),
    ]);
    const [neo, tank] = [
      { name: 'Neo', agentId },
      { name: 'Tank', agentId },
    ] as const;
    const doer = (id: string) => (id.startsWith('n') ? 'neo' : id.startsWith('t') ? 'Tank' : undefined);
    expect(memberRecord(known, neo, [neo, tank], doer)).toEqual({ score: 0.8, count: 2 });
    expect(memberRecord(known, tank, [neo, tank], doer)).toEqual({ score: 0.1, count: 1 });
    // What left the graph is theirs who is that agent alone; what names no member is nobody's.
    expect(memberRecord(known, neo, [neo], doer).count).toBe(3);
    expect(memberRecord(known, neo, [neo], () => null)).toEqual({ score: null, count: 0 });
    expect(memberRecord(known, { name: 'Mouse' }, [neo], doer)).toEqual({ score: null, count: 0 });
  },
);

verifies('bridge.role', 'roles that name one another as parents count once each', () => {
  const { agentId, agency } = cast('writer');
  const role = agency.role(agency.agent(agentId)?.role_id ?? '') as Role;
  const parentOf = (id: string) => ({ ...role.lineage, parent_ids: [id] });
  const other = { ...withScores(role, scores('o', [0.6])), id: 'f'.repeat(64), lineage: parentOf(role.id) };
  const own = { ...withScores(role, scores('r', [0.8])), lineage: parentOf(other.id) };
  const records = archetypeRecords(agency.with([own, other]), catalog, NOBODY, new Set());
  expect(records.get('writer')).toMatchObject({ score: 0.7, count: 2 });
});

verifies(
  'bridge.role',
  'an archetype whose text changed makes a child of the role it made before, with its scores',
  () => {
    const { agentId, agency } = cast('writer');
    const role = agency.role(agency.agent(agentId)?.role_id ?? '') as Role;
    expect(role.lineage).toMatchObject({ parent_ids: [], generation: 0, created_by: 'human' });
    const before = agency.with([withScores(role, scores('w', [0.9, 0.9, 0.9]))]);
    const registry = rebuildRegistry(`${event('Neo', 'writer', agentId)}\n`);
    const changed = { ...archetype('writer'), summary: 'Writes otherwise.' };
    const bridge = new AgentMapper(before, SHIPPED, { now: 0, by: 'agent-7' });
    const next = bridge.agentFor(changed, registry);
    const after = new Agency([...before.all('role'), ...before.all('agent'), ...bridge.createdEntities], [], 0);
    const child = after.role(after.agent(next)?.role_id ?? '') as Role;
    expect(child.lineage).toMatchObject({ parent_ids: [role.id], generation: 1, created_by: 'agent-7' });
    const archetypes = new Map([...catalog.archetypes, ['writer', changed]]);
    const records = archetypeRecords(after, { ...catalog, archetypes }, NOBODY, new Set());
    expect(records.get('writer')).toEqual({ score: expect.closeTo(0.9), count: 3 });
    expect(records.get('docs-writer')).toBeUndefined();
  },
);

test('nobody moves by more than one place, the first stays, and fewer than three scores say nothing', () => {
  const record = (score: number, count = 3) => ({ score, count });
  const order = (records: Record<string, { score: number; count: number }>) =>
    byRecord(['a', 'b', 'c', 'd', 'e'], (id) => id, new Map(Object.entries(records)))
      .map(({ item }) => item)
      .join('');
  expect(order({})).toBe('abcde');
  expect(order({ e: record(1) })).toBe('abced');
  expect(order({ b: record(1) })).toBe('abcde');
  expect(order({ a: record(0), b: record(1) })).toBe('abcde');
  expect(order({ b: record(0.4) })).toBe('acbde');
  expect(order({ e: record(1, 2) })).toBe('abcde');
  expect(order({ e: record(0.79) })).toBe('abcde');
  expect(order({ c: record(0.8), d: record(0.9), e: record(1) })).toBe('acbde');
  const [, second, third] = byRecord(['a', 'b', 'c'], (id) => id, new Map([['c', record(0.86, 5)]]));
  expect(second).toEqual({ item: 'c', note: 'did well here: 0.86 in 5 scores, so one place earlier' });
  expect(third).toEqual({ item: 'b', note: '' });
});

verifies('casting.offline.pick', 'who did well here is preferred to a neighbour, and the reason says so', () => {
  const goal = 'write a text article for the writer';
  const ids = (records = NO_RECORDS) => pickForGoal(catalog, goal, { size: 2, records })?.picks;
  expect(ids()).toEqual(pickByWords(catalog, goal, 2).picks);
  const signals: RepositorySignals = { ...UNTESTED, languages: ['typescript'] };
  const records = new Map([['docs-writer', { score: 0.9, count: 4 }]]);
  const { picks } = pickBySignals(catalog, signals, { size: 3 }, records);
  expect(picks.at(-1)).toEqual({
    archetypeId: 'docs-writer',
    reason: 'There are no docs; did well here: 0.90 in 4 scores, so one place earlier.',
  });
  expect(pickBySignals(catalog, signals, { size: 3 }, NO_RECORDS).picks.at(-1)?.archetypeId).toBe('qa-engineer');
});
