import { expect } from 'vitest';
import { BudgetBook, type Spending } from '#core/coordinator/budget-book.js';
import type { Entry } from '#core/graph/event.js';
import { spendBy, spendByDay, spendLines } from '#core/insight/spend.js';
import { estimateSteps } from '#core/insight/step-estimate.js';
import { verifies } from '../../verifies.js';

const MARCH = Date.parse('2026-03-01T12:00:00Z');
const DAY = 86_400_000;
const spent = (more: Partial<Spending>): Spending => ({
  ...{ usd: 0, tokens: 0, estimated: 0, unpriced: 0, at: MARCH },
  ...more,
});
const ORIGINS = new Map([
  ['a', { title: 'Task A', member: 'Ash', playbook: 'bug-fix', model: null }],
  ['b', { title: 'Task B', member: 'Kane', playbook: null, model: 'opus' }],
]);
const lines = spendLines(
  [
    spent({ task: 'a', run: 'agent-1', client: 'claude', usd: 1, tokens: 100, estimated: 0.5 }),
    spent({ task: 'a', run: 'agent-2', client: 'claude', usd: 2, tokens: 50, at: MARCH + 1 }),
    spent({ task: 'b', run: 'agent-3', client: 'codex', tokens: 900, unpriced: 900, at: MARCH + DAY }),
    spent({ task: 'gone', client: 'claude', usd: 0.25, at: MARCH + 2 * DAY }),
    spent({ model: 'haiku', usd: 0.5, at: MARCH + 2 * DAY }),
    spent({ task: 'a', usd: 40, at: MARCH - DAY }),
  ],
  '2026-03-01',
  (task) => ORIGINS.get(task),
);

verifies('web.spend.origin', 'amounts since a day by day, task, client and model, with member and playbook', () => {
  expect(lines).toEqual([
    {
      ...{ day: '2026-03-01', task: 'a', client: 'claude', title: 'Task A', member: 'Ash', playbook: 'bug-fix' },
      ...{ model: null, usd: 3, tokens: 150, estimated: 0.5, unpriced: 0, count: 2 },
    },
    expect.objectContaining({ day: '2026-03-02', task: 'b', model: 'opus', unpriced: 900, count: 1 }),
    expect.objectContaining({ day: '2026-03-03', task: 'gone', title: null, member: null, usd: 0.25 }),
    expect.objectContaining({ day: '2026-03-03', task: null, client: null, model: 'haiku', usd: 0.5 }),
  ]);
  expect(spendBy(lines, 'member').map(({ name, usd, tokens }) => [name, usd, tokens])).toEqual([
    ['Ash', 3, 150],
    [null, 0.75, 0],
    ['Kane', 0, 900],
  ]);
  expect(spendBy(lines, 'task')[0]).toMatchObject({ name: 'a', title: 'Task A', count: 2 });
  expect(spendBy(lines, 'model').map(({ name }) => name)).toEqual([null, 'haiku', 'opus']);
  const days = spendByDay(lines, '2026-02-28', '2026-03-03');
  expect(days.map(({ day, usd, count }) => [day, usd, count])).toEqual([
    ['2026-02-28', 0, 0],
    ['2026-03-01', 3, 2],
    ['2026-03-02', 0, 1],
    ['2026-03-03', 0.75, 2],
  ]);
});

verifies(
  'web.spend.origin',
  'the ledger tells each amount that it counts: of runs, of calls, and of calls that lapsed',
  () => {
    const told: Spending[] = [];
    const book = new BudgetBook((spending) => told.push(spending));
    const entry = (op: string, detail: Readonly<Record<string, unknown>>, task_id?: string): Entry => ({
      ...{ seq: 1, id: 'x', op, timestamp: new Date(MARCH).toISOString(), patch: [], actor: 'x', detail },
      ...(task_id === undefined ? {} : { task_id }),
    });
    const reserve = { usd: 2, tokens: 30 };
    const call = (id: string) => ({
      call: id,
      purpose: 'triage',
      model: 'haiku',
      reserve,
      until: new Date(MARCH + 1).toISOString(),
    });
    book.add(entry('agent_complete', { run: 'agent-1', executor: 'codex', model: 'gpt', usage: { cost_usd: 1 } }, 'a'));
    book.add(entry('agent_complete', { run: 'agent-2', executor: 'shell' }, 'a'));
    book.add(entry('model_call', call('c1'), 'b'));
    book.add(entry('model_settled', { call: 'c1', usage: { cost_usd: 0.1, input_tokens: 7 } }));
    book.add(entry('model_call', call('c2')));
    book.add(entry('model_settled', { call: 'c2', free: true }));
    book.add(entry('model_call', call('c3')));
    const { spent: all } = book.budget({ caps: {}, reserve }, MARCH + DAY);
    expect(told).toMatchObject([
      { task: 'a', run: 'agent-1', client: 'codex', model: 'gpt', usd: 1 },
      { task: 'b', model: 'haiku', usd: 0.1, tokens: 7 },
      { model: 'haiku', usd: 2, tokens: 30, at: MARCH + 1 },
    ]);
    expect(told.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(all.usdTotal);
  },
);

verifies('web.do.estimate', 'a step costs the mean of its earlier tasks, an unknown one that of all', () => {
  const stepOf = (id: string) => (id === 'x' ? undefined : { workflow: 'w', node: id === 'p' ? 'plan' : 'work' });
  const past = [
    { task: 'p', usd: 1, tokens: 10 },
    { task: 'w1', usd: 3, tokens: 30 },
    { task: 'w2', usd: 1, tokens: 10 },
    { task: 'w2', usd: 4, tokens: 40 },
    { task: undefined, usd: 9, tokens: 9 },
  ];
  const step = (node: string) => ({ workflow: 'w', node });
  expect(estimateSteps([step('work')], past, stepOf)).toEqual({ usd: 4, tokens: 40, tasks: 2 });
  expect(estimateSteps([step('plan'), step('other')], past, stepOf)).toEqual({ usd: 4, tokens: 40, tasks: 3 });
  expect(estimateSteps([step('work')], [{ task: 'w1', usd: 0, tokens: 5 }], stepOf)).toMatchObject({ usd: null });
  expect(estimateSteps([step('work')], [], stepOf)).toBeUndefined();
  expect(estimateSteps([], past, stepOf)).toBeUndefined();
});
