import { expect } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import type { EvaluationRef, Performance } from '#core/agency/entities.js';
import { newAgent } from '#core/agency/entity-edits.js';
import { skillGaps } from '#core/agency/match.js';
import { performanceFrom } from '#core/agency/read.js';
import { ScoreSums } from '#core/agency/scores.js';
import { agencyFigures, familyOf, type StatsFacts, trendOf } from '#core/agency/stats.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { verifies } from '../../verifies.js';
import { graphOf } from '../graph/graph.js';
import { agent, MAKER, role, tradeoff } from './people.js';

const [writer, tester] = [role('Writer'), role('Tester')];
const [careful, fast] = [tradeoff('Careful'), tradeoff('Fast')];
const facts: StatsFacts = { people: new Set(), task: () => undefined, sourceOf: ({ source }) => source ?? 'llm' };

const NO_FIGURES = { mean: null, count: 0, trend: null, series: [], llm: null, flip: null, outside: null, gap: null };
const reference = (
  context_id: string,
  score: number,
  at: number,
  more: Partial<EvaluationRef> = {},
): EvaluationRef => ({
  ...{ score, task_id: `t${at}`, timestamp: new Date(Date.UTC(2026, 0, 1, at)).toISOString(), context_id },
  ...more,
});
/** Scores beside one other, an hour apart; with a source each or all from a model here. */
const beside = (context_id: string, scores: readonly number[], source = 'llm'): Performance =>
  performanceFrom(scores.map((score, at) => reference(context_id, score, at, { source })));
const pairNames = (rows: readonly { role_name: string; tradeoff_name: string }[]) =>
  rows.map((row) => `${row.role_name} ${row.tradeoff_name}`);

verifies(
  'stats.boards',
  'boards of everybody by average, by tag and model; people stand apart and move no role',
  () => {
    const pair = { role_id: writer.id, tradeoff_id: careful.id };
    const base = { name: 'Pro', capabilities: [], trust_level: 'provisional' as const, executor: 'claude' };
    const program = newAgent(new Agency([]), { ...base, ...pair, preferred_model: 'opus' }, false, MAKER);
    const human = newAgent(
      new Agency([]),
      { ...base, name: 'Ida', role_id: writer.id, tradeoff_id: fast.id, executor: 'email' },
      true,
      MAKER,
    );
    const programs = beside(careful.id, [0.5, 0.7]).evaluations;
    const agency = new Agency([
      { ...writer, performance: performanceFrom([...programs, reference(fast.id, 0.1, 9)]) },
      { ...tester, performance: beside(fast.id, [0.9]), retired: true },
      careful,
      { ...fast, performance: performanceFrom([reference(writer.id, 0.1, 9), reference(tester.id, 0.9, 0)]) },
      { ...program, performance: performanceFrom(programs) },
      { ...human, performance: beside(writer.id, [0.1]) },
    ]);
    const view = graphOf({ id: 't0', tags: ['docs', 'urgent'], model: 'haiku' }, { id: 't1', tags: ['docs'] });
    const stats = agencyFigures(agency, { ...facts, people: new Set([human.id]), task: (id) => view.task(id) }, 3);
    expect(stats.roles).toMatchObject([
      { name: 'Tester', mean: 0.9, count: 1, retired: true, trend: null, series: [0.9] },
      { name: 'Writer', mean: 0.6, count: 2, retired: false, trend: 'improving', series: [0.5, 0.7] },
    ]);
    expect(stats.tradeoffs).toMatchObject([
      { name: 'Fast', mean: 0.9, count: 1 },
      { name: 'Careful', mean: null, count: 0 },
    ]);
    expect(stats.agents).toMatchObject([{ name: 'Pro', mean: 0.6 }]);
    expect(stats.people).toMatchObject([{ name: 'Ida', mean: 0.1, count: 1 }]);
    expect(stats.tags).toMatchObject([
      { name: 'docs', count: 3, mean: 0.7 },
      { name: 'urgent', count: 2, mean: 0.7 },
    ]);
    expect(stats.models).toMatchObject([
      { name: 'haiku', count: 2, mean: 0.7 }, // the task asks for it
      { name: 'opus', count: 1, mean: 0.7 }, // its agent does
    ]);
    expect(agencyFigures(new Agency([careful]), facts, 3).tradeoffs).toMatchObject([
      { ...NO_FIGURES, name: 'Careful' },
    ]);
  },
);

verifies('stats.boards', 'tags and models are listed from the best to the worst', () => {
  const view = graphOf({ id: 't0', tags: ['low'], model: 'haiku' }, { id: 't1', tags: ['high'], model: 'opus' });
  const scored = { ...writer, performance: beside(careful.id, [0.2, 0.9]) };
  const stats = agencyFigures(new Agency([scored, careful]), { ...facts, task: (id) => view.task(id) }, 3);
  expect([stats.tags.map(({ name }) => name), stats.models.map(({ name }) => name)]).toEqual([
    ['high', 'low'],
    ['opus', 'haiku'],
  ]);
});

verifies(
  'stats.synergy',
  'each pair that was scored, with its bounds included and a column for each kind of source',
  () => {
    const graded = (score: number) =>
      agencyFigures(
        new Agency([{ ...writer, performance: beside(careful.id, [score, score, score]) }, careful]),
        facts,
        3,
      ).synergy[0]?.synergy;
    expect([0.8, 0.79, 0.41, 0.4].map(graded)).toEqual(['high', null, null, 'low']);
    const mixed = performanceFrom([
      reference(careful.id, 0.9, 0, { source: 'llm' }),
      reference(careful.id, 0.5, 1, { source: 'flip' }),
      reference(careful.id, 0.1, 2, { source: 'ci:unit' }),
      reference('gone', 1, 3),
    ]);
    const { synergy } = agencyFigures(new Agency([{ ...writer, performance: mixed }, careful, fast]), facts, 3);
    expect(synergy).toMatchObject([{ role_name: 'Writer', tradeoff_name: 'Careful', count: 3, synergy: null }]);
    expect(synergy[0]?.mean).toBeCloseTo(0.5);
    expect(synergy[0]).toMatchObject({ llm: 0.9, flip: 0.5, outside: 0.1, gap: null });
  },
);

const trend = (scores: readonly number[]) => trendOf(new ScoreSums(scores.map((score) => ({ score }))));

verifies('stats.trend', 'the second half of the scores, by time, against the first', () => {
  expect(trend([0.6, 0.62, 0.7])).toBe('improving'); // 0.66 after 0.60
  expect(trend([0.7, 0.62, 0.6])).toBe('declining');
  expect([trend([0.6, 0.63]), trend([0.63, 0.6]), trend([0.5, 0.5])]).toEqual(['flat', 'flat', 'flat']);
  expect([trend([0.6, 0.6301]), trend([0.5]), trend([])]).toEqual(['improving', null, null]);
  const mixedUp = performanceFrom([reference(careful.id, 0.9, 5), reference(careful.id, 0.1, 1)]);
  const [row] = agencyFigures(new Agency([{ ...writer, performance: mixedUp }]), facts, 3).roles;
  expect(row).toMatchObject({ trend: 'improving', series: [0.1, 0.9] });
  const many = beside(
    careful.id,
    Array.from({ length: 1_000 }, (_, at) => at / 1_000),
  );
  const [long] = agencyFigures(new Agency([{ ...writer, performance: many }]), facts, 3).roles;
  expect(long?.series).toHaveLength(AGENCY_LIMITS.statsPoints);
  expect([...(long?.series ?? [])].sort((left, right) => left - right)).toEqual(long?.series);
});

verifies('stats.unexplored', 'pairs in use with few scores, the fewest first, then the most promising', () => {
  const gone = { ...tradeoff('Gone'), retired: true as const };
  const agency = new Agency([
    { ...writer, performance: beside(careful.id, [0.9, 0.9]) },
    { ...tester, performance: beside(fast.id, [0.5, 0.5, 0.5]) },
    ...[careful, fast, gone],
  ]);
  const { unexplored, unexplored_total } = agencyFigures(agency, facts, 3);
  expect(pairNames(unexplored)).toEqual(['Writer Fast', 'Tester Careful', 'Writer Careful']);
  expect(unexplored).toMatchObject([
    { count: 0, promise: 0.45 },
    { count: 0, promise: 0.25 },
    { count: 2, promise: 0.45 },
  ]);
  expect(unexplored_total).toBe(3);
  expect(pairNames(agencyFigures(agency, facts, 1).unexplored)).toEqual(['Writer Fast', 'Tester Careful']);
  const crowd = new Agency([
    ...Array.from({ length: 40 }, (_, index) => role(`R${index}`)),
    ...Array.from({ length: 40 }, (_, index) =>
      tradeoff(`T${index}`, { performance: beside('elsewhere', [index / 40]) }),
    ),
  ]);
  const crowded = agencyFigures(crowd, facts, 1);
  expect(crowded.unexplored_total).toBe(1_600);
  expect(crowded.unexplored).toHaveLength(AGENCY_LIMITS.statsRows);
  expect(crowded.unexplored.slice(0, 40).every((row) => row.tradeoff_name === 'T39')).toBe(true);
});

verifies(
  'stats.gap',
  'how much better a model here finds somebody than everybody outside, once both said enough',
  () => {
    const scores = (inside: number, outside: number) =>
      performanceFrom([
        ...beside(careful.id, Array(inside).fill(0.9)).evaluations,
        ...beside(careful.id, Array(outside).fill(0.6), 'outcome:sales').evaluations,
        ...beside(careful.id, [0.1, 0.1, 0.1], 'flip').evaluations,
      ]);
    const gap = (inside: number, outside: number) =>
      agencyFigures(new Agency([{ ...writer, performance: scores(inside, outside) }]), facts, 3).roles[0]?.gap;
    expect(gap(3, 3)).toBeCloseTo(0.3);
    expect([gap(2, 3), gap(3, 2), gap(3, 0)]).toEqual([null, null, null]);
  },
);

verifies('stats.boards', 'skills that nobody brings, and the whole family of what there is', () => {
  const view = graphOf(
    { id: 'a', skills: ['Rust', 'cobol'] },
    { id: 'b', skills: ['cobol', 'go'] },
    { id: 'c', skills: ['perl'], status: 'done' },
  );
  const able = agent('One', { capabilities: ['rust'] });
  expect(skillGaps(new Agency([able]), view)).toEqual([
    { skill: 'cobol', tasks: 2 },
    { skill: 'go', tasks: 1 },
  ]);
  const child = role('Child', {
    lineage: { ...writer.lineage, parent_ids: [writer.id, 'f'.repeat(64)], generation: 1 },
  });
  expect(familyOf(new Agency([child, { ...writer, retired: true }]), 'role')).toMatchObject([
    { name: 'Child', state: 'active', parent_ids: [writer.id, 'f'.repeat(64)] },
    { name: 'Writer', state: 'retired' },
    { name: null, state: 'missing', id: 'f'.repeat(64) },
  ]);
});
