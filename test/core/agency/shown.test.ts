import path from 'node:path';
import { expect, test } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import { countsOf, type EvolutionReport, reportOf, reportText, runId } from '#core/agency/report.js';
import { rollback, rolledBack } from '#core/agency/rollback.js';
import { agencyFigures } from '#core/agency/stats.js';
import { ENOUGH_SCORES, evolutionBlocks, thinlyScored, withoutTasks } from '#core/agency/summary.js';
import { agent, role } from '../agency/people.js';
import { codeOf } from '../graph/graph.js';
import { BOLD, BUILDER, CAREFUL, scored, TESTER } from './stage.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const [builder, careful] = [scored(BUILDER, [0.2, 0.9, 0.9], CAREFUL.id), scored(CAREFUL, [0.2, 0.9, 0.9], BUILDER.id)];
const CHILD = role('A | child\nrole', {
  skills: [{ url: 'https://x' }, { inline: 'Text' }],
  lineage: { parent_ids: [BUILDER.id], generation: 2, created_by: 'evolver', created_at: '' },
});
const vera = agent('Vera', { role_id: BUILDER.id, tradeoff_id: CAREFUL.id });
const pia = agent('Pia', { role_id: TESTER.id, tradeoff_id: BOLD.id });
const AGENCY = new Agency([builder, TESTER, CHILD, careful, BOLD, vera, pia]);

test('whoever proposes changes is shown roles, trade-offs, pairs, gaps and guides, in words that cannot break out', async () => {
  const people = new Set([pia.id]);
  const sources = ['llm', 'llm', 'llm', 'ci:unit', 'ci:unit', 'ci:unit'];
  const facts = {
    people,
    task: () => undefined,
    sourceOf: ({ task_id }: { task_id: string }) => sources[Number(task_id.slice(1))] ?? 'flip',
  };
  const many = scored(TESTER, [0.9, 0.9, 0.9, 0.1, 0.1, 0.1], CAREFUL.id);
  const agency = AGENCY.with([many]);
  const part = (agent_id: string | null, correctness: unknown, more: object = {}) => ({
    task_id: 't',
    agent_id,
    dimensions: { correctness, ...more } as never,
  });
  const blocks = evolutionBlocks({
    agency,
    stats: agencyFigures(agency, facts, 1),
    parts: [
      part(vera.id, 0.5, { efficiency: 1, other: 1 }),
      part(vera.id, 1),
      part(vera.id, 2),
      part(vera.id, '1'),
      part(pia.id, 0),
      part(null, 0),
      part('nobody', 0),
    ],
    people,
    meta: [{ serves: 'evaluator', role_id: BUILDER.id, tradeoff_id: CAREFUL.id }],
    gaps: [{ skill: 'go\nlang', tasks: 3 } as never],
    guides: [['all', 'A guide.']],
    heuristics: 'Keep it.',
  });
  const told = blocks.flatMap(({ label, text, most }) => [`== ${label} (${most})`, text]);
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'shown.txt'));
  const counts = (count: number) => {
    const one = new Agency([scored(BUILDER, Array(count).fill(0.5), CAREFUL.id), CAREFUL]);
    return thinlyScored(one, agencyFigures(one, facts, 1)).length;
  };
  expect([0, 1, ENOUGH_SCORES - 1, ENOUGH_SCORES].map(counts)).toEqual([0, 1, 1, 0]);
});

test('a role without figures has no mean; a gap is shown with its sign', () => {
  const none = { people: new Set<string>(), task: () => undefined, sourceOf: () => 'flip' };
  const agency = new Agency([BUILDER, CAREFUL]);
  const stats = agencyFigures(agency, none, 1);
  const shown = (roles: readonly object[]) => {
    const facts = { agency, parts: [], people: none.people, meta: [], gaps: [], guides: [], heuristics: '' };
    const [block] = evolutionBlocks({ ...facts, stats: { ...stats, roles: roles as never } });
    return block?.text.split('\n')[0]?.split(' | ').slice(3);
  };
  const figures = { id: BUILDER.id, mean: 0.25, count: 1, trend: 'up' };
  expect([
    shown([]),
    shown([{ ...figures, mean: null, count: 0, trend: null, gap: null }]),
    ...[0, 0.125, -0.5].map((gap) => shown([{ ...figures, gap }])),
  ]).toEqual([
    ['mean none of 0', '-'],
    ['mean none of 0', '-'],
    ...['+0.00', '+0.13', '-0.50'].map((gap) => ['mean 0.25 of 1', 'up', `models here say ${gap} against outside`]),
  ]);
});

test('what a proposal is tried on is not shown to whoever proposes', () => {
  expect(withoutTasks(AGENCY, new Set())).toBe(AGENCY);
  const without = withoutTasks(AGENCY, new Set(['t0', 't2']));
  expect(
    [without.role(BUILDER.id), without.tradeoff(CAREFUL.id)].map((one) =>
      one?.performance.evaluations.map(({ task_id }) => task_id),
    ),
  ).toEqual([['t1'], ['t1']]);
  expect(without.role(BUILDER.id)?.performance.avg_score).toBe(0.9);
  expect(without.role(TESTER.id)).toBe(AGENCY.role(TESTER.id));
  expect(withoutTasks(AGENCY, new Set(['t0', 't1', 't2'])).role(BUILDER.id)?.performance.task_count).toBe(0);
});

const made = (entity: { kind: string; id: string; name: string }) =>
  ({ kind: entity.kind, id: entity.id, name: entity.name }) as never;
const REPORT: EvolutionReport = {
  ...{
    id: 'run-1',
    started_at: 'then',
    started_by: 'ann',
    strategy: 'all',
    budget: null,
    model: null,
    prompt_sha256: null,
  },
  ...{ answer: '', failure: null, summary: '', replays: [], cost_usd: null, rolled_back: null },
  operations: [
    {
      ...{ index: 0, raw: {}, status: 'applied', reason: '', rationale: '', target_ids: [] },
      ...{ made: [made(CHILD), made({ kind: 'role', id: 'gone0000', name: 'Gone' })], retired: [made(TESTER)] },
    } as never,
  ],
};

test('a run is taken back: what it made goes out of use, what it retired comes back, and the rest is said', () => {
  const user = agent('User', { role_id: CHILD.id, tradeoff_id: BOLD.id });
  const agency = new Agency([BUILDER, { ...TESTER, retired: true }, CHILD, CAREFUL, BOLD, user]);
  const back = rollback(agency, REPORT);
  expect([back.restored, back.retired].map((list) => list.map(({ name }) => name))).toEqual([['Tester'], [CHILD.name]]);
  expect(back.entities.map(({ name, retired }) => [name, retired])).toEqual([
    ['Tester', undefined],
    [CHILD.name, true],
  ]);
  expect(back.warnings).toHaveLength(2);
  expect(back.warnings.join()).toContain('role Gone (gone0000) is no longer here.');
  expect(back.warnings.join()).toContain(`User (${user.id.slice(0, 8)}) is made of`);
  const again = rollback(new Agency([BUILDER, TESTER, { ...CHILD, retired: true }, CAREFUL]), REPORT);
  expect([again.entities, again.retired, again.restored]).toEqual([[], [], []]);
  expect(rolledBack(REPORT, 'ann', 'now').rolled_back).toEqual({ by: 'ann', at: 'now' });
  expect(codeOf(() => rolledBack(rolledBack(REPORT, 'ann', 'now'), 'ann', 'later'))).toBe('bad_input');
});

test('a report is read as it was written, and nothing else is one', () => {
  expect(reportOf('run-1', JSON.parse(JSON.stringify(REPORT)))).toMatchObject({
    id: 'run-1',
    operations: [{ status: 'applied' }],
  });
  expect(reportText(REPORT)).toContain('run-1');
  for (const wrong of [{ id: 'run-2' }, { strategy: 'x' }, { budget: '1' }, { operations: 'x' }, { rolled_back: 7 }])
    expect(reportOf('run-1', { ...REPORT, ...wrong }), JSON.stringify(wrong)).toBeUndefined();
  const taken = new Set(['run-20260301-100000', 'run-20260301-100000-2']);
  const at = Date.parse('2026-03-01T10:00:00.900Z');
  expect([runId(at, () => false), runId(at, (id) => taken.has(id))]).toEqual([
    'run-20260301-100000',
    'run-20260301-100000-3',
  ]);
  expect(countsOf([{ status: 'applied' }, { status: 'rejected' }, { status: 'applied' }] as never)).toEqual({
    applied: 2,
    rejected: 1,
  });
});
