import { expect } from 'vitest';
import { orphans } from '#operations/runs/agents.js';
import { atWork } from '#surfaces/cli/status-mark.js';
import { world } from '../e2e/world.js';
import { verifies } from '../verifies.js';

const HELD = { status: 'in-progress', assigned: 'agent-1', fence: 1, started_at: '2026-03-01T10:00:00Z' };

/** A service, and a run that has just written down how it ended. */
async function finishing() {
  const place = world();
  place.coordinate({ executor: 'claude', missing: undefined, holds: [] } as never);
  await place.add('a', HELD);
  place.ended.add('agent-1');
  return place;
}

verifies('end.settling', 'a run that recorded its end is finishing: no problem, and nothing to be swept', async () => {
  const place = await finishing();
  const stalled = async () => {
    const { problems } = (await place.call('analysis.problems', {})) as { problems: { kind: string }[] };
    return problems.filter(({ kind }) => kind === 'stalled');
  };
  expect(await stalled()).toEqual([]);
  expect(await orphans.run(place.context, {})).toEqual({ orphans: [] });
  expect(await place.call('task.show', { id: 'a' })).toMatchObject({ live: 'finishing' });
  expect(await place.call('status.now', {})).toMatchObject({ running: { rows: [{ id: 'a', live: 'finishing' }] } });
  expect(atWork('agent-1', 'finishing', true)).toEqual({ word: 'finishing', note: 'its work is checked and merged' });
  place.ended.clear(); // gone without a word
  expect(await stalled()).toMatchObject([{ command: 'troupe unclaim a', text: 'agent-1 is not running' }]);
});

verifies('end.settling', 'whoever takes the task away waits until the end is settled, and loses nothing', async () => {
  for (const [move, fields] of [
    ['task.unclaim', {}],
    ['task.fail', {}],
    ['task.reclaim', { from: 'agent-1', to: 'you' }],
  ] as const) {
    const place = await finishing();
    let over = false;
    const taken = place.call(move, { id: 'a', ...fields }).catch((error: unknown) => error);
    void taken.then(() => {
      over = true;
    });
    await new Promise(setImmediate);
    await place.set('a', { loop_iteration: 1 }); // something else is committed
    await new Promise(setImmediate);
    expect([over, (await place.store.view()).task('a')?.status]).toEqual([false, 'in-progress']);
    await place.set('a', { status: 'done' });
    await taken;
    expect((await place.store.view()).task('a'), move).toMatchObject({ status: 'done', assigned: 'agent-1' });
  }
});
