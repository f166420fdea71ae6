import { expect, test } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import { candidateBlocks, chosenIn } from '#core/agency/candidates.js';
import { candidatesOf, choose } from '#core/agency/choose.js';
import { retire } from '#core/agency/entity-edits.js';
import { agencyOf, performanceFrom } from '#core/agency/read.js';
import type { Task } from '#core/graph/task.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { graphOf } from '../graph/graph.js';
import { agent, role, TERMS, tradeoff } from './people.js';

const NO_LOAD = { running: new Map<string, number>(), open: new Map<string, number>() };
const careful = tradeoff('Careful');
const other = tradeoff('Quick');
const one = agent('One', { role_id: role('A').id, tradeoff_id: careful.id, capabilities: ['x'.repeat(1_000)] });
const agency = new Agency([one, role('A'), careful, other]);
const view = graphOf({ id: 't' });
const task = view.task('t') as Task;
const candidates = candidatesOf(agency, task, NO_LOAD, new Set());

test('nobody’s open tasks are none, and no field of an agent takes more than its room', () => {
  const row = candidateBlocks(task, agency, candidates, NO_LOAD)[1]?.text ?? '';
  const parts = row.split(' | ');
  expect(parts.at(-1)).toBe('open tasks: 0');
  const can = parts.find((part) => part.startsWith('can: ')) ?? '';
  expect([...can.slice('can: '.length)]).toHaveLength(TEAM_LIMITS.agencyNameCharacters * 2);
});

test('an id that two begin with names neither', () => {
  const twin = { ...one, id: `${one.id.slice(0, 12)}${'0'.repeat(52)}` };
  const both = [...candidates, ...candidates.map((ranked) => ({ ...ranked, agent: twin }))];
  const answer = JSON.stringify({ agent: one.id.slice(0, 10), reason: 'Why not.' });
  expect(chosenIn(answer, candidates, agency)?.agent).toBe(one);
  expect(chosenIn(answer, both, agency)).toBeUndefined();
});

test('a trade-off that an agent weighs by stays in use', () => {
  expect(() => retire(agency, careful)).toThrowError(expect.objectContaining({ code: 'in_use' }));
  expect(retire(agency, other)).toMatchObject({ id: other.id, retired: true });
});

test('why somebody was chosen names no skills where none was asked for', () => {
  const named = { ...task, title: one.capabilities[0] ?? '' };
  expect(choose(agency, view, named, NO_LOAD, TERMS)).toMatchObject({ reason: expect.not.stringContaining('has ;') });
});

test('the mean is that of all scores', () => {
  const reference = (score: number) => ({ score, task_id: 't', timestamp: '', context_id: '' });
  expect(performanceFrom([reference(0.2), reference(0.6)])).toMatchObject({ task_count: 2, avg_score: 0.4 });
  expect(performanceFrom([])).toMatchObject({ task_count: 0, avg_score: null });
});

test('an entity that says nothing of who made it was made by a person', () => {
  const { id } = careful;
  const value = {
    id,
    name: 'Careful',
    ...Object.fromEntries(Object.entries(careful).filter(([key]) => key !== 'lineage')),
  };
  const read = agencyOf([{ kind: 'tradeoff', id, file: 'x.yaml', retired: false, value } as never], []);
  expect(read.tradeoff(id)?.lineage).toMatchObject({ created_by: 'human', generation: 0, parent_ids: [] });
});
