import { describe, expect, test } from 'vitest';
import { raiseCommand, waitsForMore } from '#core/coordinator/budget.js';
import { BudgetBook } from '#core/coordinator/budget-book.js';
import type { DispatchDecision } from '#core/coordinator/dispatch.js';
import { type CoordinatorDecision, decide } from '#core/coordinator/parts.js';
import { type Budget, NOTHING_SPENT, type RunFact } from '#core/coordinator/snapshot.js';
import { continuedRun } from '#core/graph/attempts.js';
import { toEntries } from '#core/graph/entries.js';
import { timestamp } from '#kernel/clock.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from '../graph/graph.js';
import { apply, fact, graphOf, held, NOW, said, snapshot } from './stage.js';

const budget = (caps: Budget['caps'], reserved: Budget['reserved'], spent: Partial<Budget['spent']> = {}): Budget => ({
  ...{ caps, reserve: { usd: 1, tokens: 200_000 }, reserved },
  spent: { ...NOTHING_SPENT, ...spent },
});
const run = (id: string, taskId: string, fields: Partial<RunFact> = {}) =>
  fact(id, taskId, { executor: 'opencode', progressAt: NOW, leaseUntil: NOW + 60_000, ...fields });
const reservedFor = (...rows: [string, string, number, number?][]) =>
  new Map(rows.map(([id, taskId, usd, tokens = 200_000]) => [id, { taskId, usd, tokens }] as const));
const topUp = (decisions: readonly CoordinatorDecision[]) => decisions.find((decision) => decision.do === 'top-up');
const holding = (id: string, by: string, fields: TaskFields = {}) => {
  const { exec: _, ...task } = held(id, by, fields);
  return { ...task, id };
};

describe('more for a run at work', () => {
  const at = (caps: Budget['caps'], usage: RunFact['usage'], fields: Partial<RunFact> = {}, spent = {}) => {
    const runs = [run('agent-1', 'a', { ...(usage ? { usage } : {}), ...fields })];
    const books = budget(caps, reservedFor(['agent-1', 'a', 1]), spent);
    return decide(snapshot(graphOf(holding('a', 'agent-1')), { runs, budget: books }), NOW);
  };

  verifies('pay.task', 'a run that nears its reservation gets as much again, as far as each cap leaves it', () => {
    expect(at({ usdPerDay: 20 }, { cost_usd: 0.74 })).toEqual([]);
    expect(topUp(at({ usdPerDay: 20 }, { cost_usd: 0.75 }))).toMatchObject({
      limit: { usd: 2 },
      events: [{ op: 'top_up', detail: { run: 'agent-1', reserve: { usd: 2 }, before: { usd: 1 } } }],
    });
    expect(topUp(at({ usdPerDay: 20 }, { cost_usd: 1.3 }))?.limit, 'also above it').toMatchObject({ usd: 2 });
    expect(topUp(at({ usdPerDay: 1.4 }, { cost_usd: 0.8 }))?.limit.usd).toBeCloseTo(1.4);
    expect(topUp(at({ usdPerDay: 9, usdPerTask: 1.25 }, { cost_usd: 0.8 }))?.limit.usd).toBeCloseTo(1.25);
    expect(topUp(at({ usdTotal: 9, usdByOption: 1.1 }, { cost_usd: 0.8 }))?.limit.usd).toBeCloseTo(1.1);
    expect(said(at({ usdPerDay: 1 }, { cost_usd: 0.8 })), 'there is no more').toEqual([]);
    expect(said(at({ usdPerDay: 1 }, { cost_usd: 1.1 }))).toEqual(['kill a agent-1']);
    const tokens = { cost_usd: 0, input_tokens: 10, cache_read_input_tokens: 160_000 };
    expect(topUp(at({ tokensPerDay: 9e6 }, tokens))?.limit).toEqual({ tokens: 400_000 });
    expect(said(at({ usdPerDay: 20 }, { cost_usd: 2 }, { ended: 'stopped' }))).toEqual([]);
  });

  verifies('pay.task', 'a client that was told its money is told no other; its tokens can be more', () => {
    const claude = { executor: 'claude' };
    expect(at({ usdPerDay: 20 }, { cost_usd: 0.9 }, claude)).toEqual([]);
    expect(topUp(at({ tokensPerDay: 9e6 }, { input_tokens: 190_000 }, claude))?.limit).toEqual({ tokens: 400_000 });
  });

  verifies('pay.task', 'what one pass gives to runs at work it gives to nobody else', () => {
    const graph = graphOf(holding('a', 'agent-1'), holding('b', 'agent-2'), { id: 'c' });
    const runs = [run('agent-1', 'a', { usage: { cost_usd: 0.9 } }), run('agent-2', 'b', { usage: { cost_usd: 0.9 } })];
    const books = budget({ usdPerDay: 3.5 }, reservedFor(['agent-1', 'a', 1], ['agent-2', 'b', 1]));
    const decisions = decide(snapshot(graph, { runs, budget: books, executor: 'opencode' }), NOW);
    expect(said(decisions)).toEqual(['top-up a agent-1', 'top-up b agent-2']);
    const limits = decisions.map((decision) => (decision.do === 'top-up' ? decision.limit.usd : 0));
    expect(limits).toEqual([2, expect.closeTo(1.5)]);
  });

  test('the books know of it from the moment it is decided, and forget what was not written down', () => {
    const [decision] = at({ usdPerDay: 20 }, { cost_usd: 0.9 });
    const [event] = decision?.events ?? [];
    if (!event) return expect.unreachable();
    const book = new BudgetBook();
    const claim = {
      ...{ op: 'claim', task_id: 'a', actor: 'agent-1', patch: [] },
      detail: { run: 'agent-1', reserve: { usd: 1, tokens: 200_000 } },
    };
    const reserved = () => book.budget({ caps: {}, reserve: { usd: 1, tokens: 1 } }, NOW).reserved.get('agent-1')?.usd;
    book.hold(claim);
    book.hold(event);
    expect(reserved()).toBe(2);
    book.release(event);
    expect(reserved()).toBe(1);
    for (const entry of toEntries([event], { seq: 1, id: undefined }, timestamp(NOW), () => 'x')) book.add(entry);
    expect(reserved()).toBe(2);
  });
});

describe('a run that used what it may', () => {
  const ended = (fields: Partial<RunFact>, caps: Budget['caps'] = { usdPerDay: 20 }, task: TaskFields = {}) => {
    const graph = graphOf(holding('a', 'agent-1', task));
    const runs = [run('agent-1', 'a', { executor: 'claude', alive: false, ...fields })];
    const books = budget(caps, reservedFor(['agent-1', 'a', 1]));
    apply(graph, decide(snapshot(graph, { runs, budget: books, paused: true }), NOW));
    return graph;
  };
  const spentUp: Partial<RunFact> = {
    exit: { code: 1 },
    result: { outcome: 'failed', reason: 'error_max_budget_usd', usage: { cost_usd: 1.02 }, spent: true },
  };

  verifies(
    'pay.task',
    'fails nothing: its task is open, no attempt counts, and its session goes on with twice as much',
    () => {
      const killed = { ended: 'budget', usage: { cost_usd: 1.02 } } as const;
      for (const [how, fields] of Object.entries({ spentUp, killed, died: { ...killed, exit: { code: 143 } } })) {
        const graph = ended(fields, undefined, { retry_count: 1, max_retries: 1 } as TaskFields);
        const task = graph.task('a') ?? expect.unreachable();
        expect(task, how).toMatchObject({ status: 'open', retry_count: 1, reserve_next: { usd: 2, tokens: 200_000 } });
        expect([continuedRun(task), waitsForMore(task)], how).toEqual(['agent-1', true]);
        expect(task.log?.at(-1)?.message).toContain('its session goes on with more');
      }
    },
  );

  verifies('pay.task', 'what it did itself stands: a reported end, a good end and a failure of its own', () => {
    const well = { exit: { code: 0 }, result: { outcome: 'succeeded', reason: '', spent: true } } as const;
    expect(ended(well).task('a')?.status).toBe('done');
    const failed = {
      exit: { code: 1 },
      result: { outcome: 'failed', reason: 'It broke', usage: { cost_usd: 3 } },
    } as const;
    expect(ended(failed).task('a')?.status).toBe('failed');
    expect(ended({ ...spentUp, ended: 'stopped' }).task('a')).not.toHaveProperty('reserve_next');
  });

  verifies(
    'pay.task',
    'it is claimed before what has not begun, with more; held where a cap has none, and again when it has',
    () => {
      const graph = ended(spentUp);
      const next = (caps: Budget['caps'], spent: Partial<Budget['spent']>) => {
        const books = budget(caps, new Map(), { usdToday: 1.02, usdByTask: new Map([['a', 1.02]]), ...spent });
        const view = graphOf({ id: 'b', created_at: '2026-01-01T00:00:00.000Z' }, {
          ...graph.task('a'),
          id: 'a',
        } as never);
        return decide(snapshot(view, { budget: books, executor: 'claude', maxAgents: 1 }), NOW)[0] as DispatchDecision;
      };
      expect(next({ usdPerDay: 20 }, {})).toMatchObject({ task: 'a', grant: { limit: { usd: 2 } } });
      expect(next({ usdPerDay: 20, usdPerTask: 1 }, {}).task, 'its own cap has no more').toBe('b');
      expect(next({ usdPerDay: 1.02 }, {}), 'nothing has').toBeUndefined();
      expect(next({ usdPerDay: 1.02 }, { usdToday: 0 })?.grant?.limit.usd, 'the next day').toBe(1.02);
      expect(next({ usdPerDay: 5 }, {})?.task, 'it was raised').toBe('a');
    },
  );
});

verifies('pay.task', 'the command that helps names the cap, and raises it far enough', () => {
  expect(raiseCommand({ cap: 'usd_per_day', wanted: 2.2 })).toBe('troupe config set budget.usd_per_day 3');
  expect(raiseCommand({ cap: 'usd_per_task', wanted: 4 })).toBe('troupe config set budget.usd_per_task 4');
  expect(raiseCommand({ cap: 'tokens_per_day', wanted: 391_000 })).toBe(
    'troupe config set budget.tokens_per_day 400000',
  );
  expect(raiseCommand({ cap: '--budget-usd', wanted: 2 })).toBe('troupe service restart --budget-usd 2');
});
