import { describe, expect, test } from 'vitest';
import { aboveLimit, Ledger, reservationOf } from '#core/coordinator/budget.js';
import { BudgetBook } from '#core/coordinator/budget-book.js';
import { decide } from '#core/coordinator/parts.js';
import { type AttemptUsage, type Budget, NOTHING_SPENT, type RunFact } from '#core/coordinator/snapshot.js';
import type { Entry } from '#core/graph/event.js';
import { timestamp } from '#kernel/clock.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { verifies } from '../../verifies.js';
import { apply, fact, graphOf, held, NOW, said, snapshot } from './stage.js';

const FLOOR = WORK_LIMITS.reserveUsdLeast;
const client = (id: string, taskId: string, fields: Partial<RunFact> = {}) =>
  fact(id, taskId, { executor: 'claude', progressAt: NOW, leaseUntil: NOW + 60_000, ...fields });

function budget(caps: Budget['caps'], spent: Partial<Budget['spent']> = {}, reserved: Budget['reserved'] = new Map()) {
  return {
    caps,
    reserve: { usd: 1, tokens: 200_000 },
    spent: { ...NOTHING_SPENT, ...spent },
    reserved,
  } satisfies Budget;
}

const task = (fields: object = {}) => graphOf({ id: 'a', ...fields }).task('a') ?? expect.unreachable();

describe('what is reserved', () => {
  verifies(
    ['budget.reserve', 'hold.budget.cap'],
    'cap 1.5, three ready: one gets the usual dollar, one what is left, the third waits until money is there again',
    () => {
      const graph = graphOf({ id: 'a' }, { id: 'b' }, { id: 'c' });
      const first = decide(snapshot(graph, { executor: 'claude', budget: budget({ usdTotal: 1.5 }) }), NOW);
      expect(said(first)).toEqual(['dispatch a agent-10', 'dispatch b agent-11']);
      expect(first).toMatchObject([{ grant: { limit: { usd: 1 } } }, { grant: { limit: { usd: 0.5 } } }]);
      expect(first[0]?.events[0]).toMatchObject({ op: 'claim', detail: { reserve: { usd: 1, tokens: 200_000 } } });
      apply(graph, first);
      const reserved = new Map([
        ['agent-10', { taskId: 'a', usd: 1, tokens: 200_000 }],
        ['agent-11', { taskId: 'b', usd: 0.5, tokens: 200_000 }],
      ]);
      const runs = [client('agent-10', 'a'), client('agent-11', 'b')];
      const busy = { executor: 'claude', runs, nextRun: 12 };
      expect(decide(snapshot(graph, { ...busy, budget: budget({ usdTotal: 1.5 }, {}, reserved) }), NOW)).toEqual([]);
      reserved.delete('agent-10');
      const later = budget({ usdTotal: 1.5 }, { usdTotal: 0.2 }, reserved);
      const [next] = decide(snapshot(graph, { ...busy, runs: runs.slice(1), budget: later }), NOW);
      expect(next).toMatchObject({ do: 'dispatch', task: 'c', grant: { limit: { usd: expect.closeTo(0.8) } } });
    },
  );

  const part = (caps: Budget['caps'], fields: object = {}, spent: Partial<Budget['spent']> = {}) =>
    new Ledger(budget(caps, spent)).grant(task(fields));

  verifies('hold.budget.cap', 'shrinks to what each cap leaves, down to a floor and not below', () => {
    expect(part({ usdPerDay: 1 })?.limit).toEqual({ usd: 1 });
    expect(part({ usdPerDay: 1 }, {}, { usdToday: 0.4 })?.limit).toEqual({ usd: 0.6 });
    expect(part({ usdPerDay: 9, usdPerTask: 2 }, {}, { usdByTask: new Map([['a', 1.75]]) })?.limit.usd).toBe(0.25);
    expect(part({ usdTotal: 0.5 }, { estimate: { cost: 0.4 } })?.limit.usd).toBe(0.4);
    expect(part({ usdTotal: 0.5 }, { reserve: { usd: 0.6 }, estimate: { cost: 0.4 } })?.limit.usd).toBe(0.5);
    expect(part({ usdTotal: FLOOR })?.limit.usd).toBe(FLOOR);
    expect(part({ usdTotal: 1 }, {}, { usdTotal: 1 - FLOOR })?.limit.usd).toBeCloseTo(FLOOR);
    expect(part({ usdTotal: 1 }, {}, { usdTotal: 1 - FLOOR + 0.001 })).toBeUndefined();
    expect(part({ usdTotal: 1 }, { estimate: { cost: 0 } })?.limit.usd, 'a client told nothing spends all').toBe(FLOOR);
    expect(part({ tokensPerDay: 90_000 })).toEqual({ reserve: { usd: 1, tokens: 90_000 }, limit: { tokens: 90_000 } });
    expect(part({ tokensTotal: WORK_LIMITS.reserveTokensLeast - 1 })).toBeUndefined();
    expect(part({ tokensTotal: 1e6 }, {}, { tokensTotal: 1e6 - 50_000 })?.limit.tokens).toBe(50_000);
    expect(part({})?.limit).toEqual({});
    expect(reservationOf(task({ reserve: { usd: 'much' } }), budget({}))).toEqual({ usd: 1, tokens: 200_000 });
  });

  verifies('budget.reserve', 'commands cost nothing; who is told of a refusal is told what is left', () => {
    const graph = graphOf({ id: 'a', exec: 'true' }, { id: 'b' });
    const empty = budget({ usdTotal: 0.5 }, { usdTotal: 0.48 });
    expect(said(decide(snapshot(graph, { executor: 'claude', budget: empty }), NOW))).toEqual(['dispatch a agent-10']);
    expect(new Ledger(empty).refusal(task())).toEqual({
      text: '0.48 of 0.5 in total is spent or reserved; it needs 0.05 more',
      ...{ cap: 'usd_total', wanted: 1.48 },
    });
  });

  test('what a client was told counts when its task is claimed, not what has become free since', () => {
    const small = { reserve: { usd: 0.3, tokens: 0 }, limit: { usd: 0.3 } };
    const ledger = new Ledger(budget({ usdTotal: 0.3 }));
    expect(ledger.covers(task(), small)).toBe(true);
    expect(ledger.covers(task(), { ...small, reserve: { usd: 0.31, tokens: 0 } })).toBe(false);
    expect(ledger.covers(task(), { ...small, limit: {} })).toBe(false);
  });
});

describe('what is spent', () => {
  const spentBy = (outcome: string, usage?: AttemptUsage) => {
    const book = new BudgetBook();
    const entry = (op: string, detail: object): Entry => ({
      ...{ seq: 1, id: 'x', timestamp: timestamp(NOW), op, task_id: 'a', patch: [] },
      detail: { run: 'agent-1', ...detail },
    });
    book.add(entry('claim', { reserve: { usd: 1, tokens: 500 } }));
    book.add(entry('agent_complete', { outcome, ...(usage ? { usage } : {}) }));
    const { spent, reserved } = book.budget({ caps: {}, reserve: { usd: 1, tokens: 1 } }, NOW);
    expect(reserved.size).toBe(0);
    return spent;
  };

  verifies(
    ['pay.unpriced', 'budget.reserve'],
    'what a run reported is what it spent, however it ended: a reservation is never taken for money',
    () => {
      for (const outcome of ['done', 'failed', 'dead', 'parked']) {
        expect(spentBy(outcome), outcome).toEqual(NOTHING_SPENT);
        const said = spentBy(outcome, { cost_usd: 0.2, input_tokens: 9 });
        expect(said, outcome).toMatchObject({ usdTotal: 0.2, usdToday: 0.2, usdEstimatedTotal: 0, tokensTotal: 9 });
        expect(said.usdByTask.get('a')).toBe(0.2);
      }
      expect(spentBy('done', { cost_usd: 0.3, estimated_usd: 0.1 })).toMatchObject({
        ...{ usdTotal: 0.3, usdEstimatedTotal: 0.1, usdEstimatedToday: 0.1, tokensUnpricedToday: 0 },
      });
    },
  );

  verifies('pay.unpriced', 'tokens without a price count against caps of tokens alone; tokens of caches count', () => {
    const cached = { cache_read_input_tokens: 1_000, cache_creation_input_tokens: 20 };
    expect(spentBy('done', { input_tokens: 3, output_tokens: 4, ...cached })).toMatchObject({
      ...{ usdTotal: 0, tokensTotal: 1_027, tokensToday: 1_027, tokensUnpricedToday: 1_027 },
    });
  });

  const over = (
    caps: Budget['caps'],
    usage: AttemptUsage,
    reserved?: Budget['reserved'],
    spent?: Partial<Budget['spent']>,
  ) => {
    const graph = graphOf(held('a', 'agent-1'));
    const picture = { runs: [client('agent-1', 'a', { usage })], budget: budget(caps, spent, reserved) };
    return said(decide(snapshot(graph, picture), NOW));
  };
  const reserved = new Map([['agent-1', { taskId: 'a', usd: 0.5, tokens: 1_000 }]]);

  verifies(
    ['hold.budget.cap', 'pay.task'],
    'a run above what was reserved for it is ended where no cap has more, one that uses all of it is not',
    () => {
      expect(over({ usdTotal: 9 }, { cost_usd: 0.5 }, reserved)).toEqual([]);
      expect(over({ usdTotal: 9 }, { cost_usd: 0.5001 }, reserved), 'it is told its money once').toEqual([
        'kill a agent-1',
      ]);
      expect(over({ usdTotal: 9 }, { cost_usd: 0.6, estimated_usd: 0.2 }, reserved), 'our price ends nothing').toEqual(
        [],
      );
      expect(over({ tokensPerDay: 1e6 }, { cost_usd: 7, input_tokens: 700 }, reserved)).toEqual([]);
      const spent = { tokensTotal: 1e6 - 1_000 };
      for (const field of ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'])
        expect(over({ tokensTotal: 1e6 }, { [field]: 1_001 }, reserved, spent), field).toEqual(['kill a agent-1']);
      expect(aboveLimit({ cost_usd: 0.51 }, { usd: 0.5 })).toBe('It has cost $0.51, and $0.50 was reserved for it');
    },
  );

  verifies('hold.budget.cap', 'each cap by itself ends a run for which nothing was reserved', () => {
    const usage = { cost_usd: 0.4, input_tokens: 300, cache_creation_input_tokens: 100 };
    const rows: [Budget['caps'], Partial<Budget['spent']>][] = [
      [{ usdPerDay: 1 }, { usdToday: 0.6001 }],
      [{ usdTotal: 1 }, { usdTotal: 0.6001 }],
      [{ usdPerTask: 1 }, { usdByTask: new Map([['a', 0.6001]]) }],
      [{ tokensPerDay: 1_000 }, { tokensToday: 601 }],
      [{ tokensTotal: 1_000 }, { tokensTotal: 601 }],
    ];
    for (const [caps, spent] of rows) {
      expect(over(caps, usage, new Map(), spent), JSON.stringify(caps)).toEqual(['kill a agent-1']);
      expect(over(caps, usage), JSON.stringify(caps)).toEqual([]);
    }
  });

  test('what one has used too much of is not given to another', () => {
    const graph = graphOf(held('a', 'agent-1'), { id: 'b' });
    const runs = [client('agent-1', 'a', { usage: { cost_usd: 0.97 }, ended: 'budget' })];
    const picture = { executor: 'claude', runs, budget: budget({ usdTotal: 1 }, {}, reserved) };
    expect(said(decide(snapshot(graph, picture), NOW))).toEqual([]);
  });
});
