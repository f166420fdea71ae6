import { expect, test } from 'vitest';
import { callEndEvent, callEvent } from '#core/coordinator/budget-book.js';
import { statusWork } from '#operations/insight/work.js';
import { Books } from '#operations/settings/books.js';
import { allowanceOf } from '#operations/settings/budget.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

test('what is ready is counted apart from what is only open', async () => {
  const own = world();
  await own.add('a');
  await own.add('b', { after: ['a'] });
  await own.add('c', { after: ['a'] });
  expect((await statusWork.run(own.context, {})).counts).toMatchObject({ ready: 1, open: 2 });
});

verifies(
  'who.twice',
  'the total is that of the log, with a service and without: trials and questions to models count',
  async () => {
    const own = world();
    await own.add('a');
    const usage = { input_tokens: 10, output_tokens: 5, cost_usd: 0.14 };
    const complete = (run: string, task_id: string) => ({
      op: 'agent_complete',
      task_id,
      actor: 'coordinator',
      detail: { run, usage },
      patch: [],
    });
    const reserve = { usd: 1, tokens: 1_000 };
    const call = callEvent(
      { id: 'c', purpose: 'evaluator', model: 'm', reserve, until: own.clock.now() + 60_000 },
      'ann',
    );
    const settled = callEndEvent('c', { usage: { ...usage, cost_usd: 0.27 } }, 'ann');
    const events = [complete('agent-1', 'a'), complete('agent-2', '.trial-gone'), call, settled];
    await own.store.commit(() => ({ events, result: undefined }));
    const without = (await statusWork.run(own.context, {})).spend;
    expect(without).toMatchObject({
      usd_total: expect.closeTo(0.55),
      usd_today: expect.closeTo(0.55),
      usd_reserved: 0,
    });
    const books = new Books({ store: async () => own.store, alone: true });
    own.coordinate({
      holds: [],
      spending: async () =>
        (await books.open()).budget(allowanceOf({ reserve_usd: 1, reserve_tokens: 1_000 }), own.clock.now()),
    });
    expect((await statusWork.run(own.context, {})).spend).toEqual(without);
  },
);
