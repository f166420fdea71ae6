import { expect } from 'vitest';
import { fieldsOf } from '#core/graph/task-field.js';
import type { Rate } from '#core/insight/cost.js';
import { costOf } from '#core/insight/cost.js';
import { forecast } from '#core/insight/forecast.js';
import { planWork } from '#core/insight/plan.js';
import { verifies } from '../../verifies.js';
import { graphOf, NOW } from '../graph/graph.js';

const RATES: Readonly<Record<string, number>> = { dear: 120.5, cheap: 0.1, free: 0 };
const rate: Rate = (task) => RATES[String(fieldsOf(task)['agent'])];
const work = () =>
  graphOf(
    { id: 'past', status: 'done', agent: 'dear', estimate: { hours: 2 } },
    { id: 'said', after: ['past'], agent: 'dear', estimate: { hours: 4, cost: 7 } },
    { id: 'hours', after: ['said'], agent: 'dear', estimate: { hours: 2 } },
    { id: 'small', after: ['hours'], agent: 'cheap', estimate: { hours: 3 } },
    { id: 'gift', after: ['small'], agent: 'free', estimate: { hours: 9 } },
    { id: 'nobody', after: ['gift'], estimate: { hours: 1 } },
    { id: 'blank', after: ['nobody'], agent: 'dear' },
  );

verifies('agency.rate', 'hours cost what whoever does them takes; a cost that is said counts before it', () => {
  const graph = work();
  expect(costOf(graph, 'blank', rate)).toEqual({
    task_id: 'blank',
    total_cost: 241 + 7 + 241 + 0.3,
    total_hours: 21,
    missing_estimates: ['blank'],
  });
  expect(costOf(graph, 'blank').total_cost, 'nobody has a rate').toBe(7);
  const odd = (task: object) => costOf(graphOf({ id: 'a', agent: 'dear', ...task }), 'a', rate).total_cost;
  for (const estimate of [{ hours: -1 }, { hours: Number.NaN }, { hours: '2' }, {}])
    expect(odd({ estimate }), JSON.stringify(estimate)).toBe(0);
  expect(odd({ estimate: { hours: 1, cost: -5 } })).toBe(120.5);
});

verifies(
  'agency.rate',
  'the forecast says what the rest costs; what was said outright does not grow with a buffer',
  () => {
    const found = forecast(work(), NOW, rate);
    expect(found.remaining_work.total_cost).toBe(248.3);
    expect(found.scenarios.map(({ estimated_cost }) => estimated_cost)).toEqual([248.3, 320.69, 368.95]);
    const without = forecast(work(), NOW);
    expect(without.remaining_work).not.toHaveProperty('total_cost');
    for (const scenario of without.scenarios) expect(scenario).not.toHaveProperty('estimated_cost');
  },
);

verifies('agency.rate', 'a plan for so much money counts hours at their rate', () => {
  const plan = (budget: number) => planWork(work(), { budget }, NOW, rate);
  expect(plan(7.5).selected.map(({ id, cost }) => [id, cost])).toEqual([['said', 7]]);
  expect(plan(7.5).left_out.map(({ id, cost }) => [id, cost])).toEqual([['hours', 241]]);
  const all = plan(248.3);
  expect(all).toMatchObject({ total_cost: 248.3, remaining_budget: 0 });
  expect(all.selected.map(({ cost }) => cost)).toEqual([7, 241, 0.3, 0, null, null]);
});
