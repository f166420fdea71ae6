import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { makeWorkerFolder, OrderFolder, workerKey } from '#adapters/workers/order-folder.js';
import type { KeptOrder } from '#ports/attempt-orders.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

function kept(run: string): KeptOrder {
  const plan = {
    ...{ id: run, taskId: 'build', fence: 1, command: 'true', check: '', environment: {} },
    ...{ timeoutMs: 1_000, startedAt: 0, sandboxed: true },
  };
  const nothing = { read: 0, told: 0 };
  return {
    order: { plan, tree: { task: 'build', attempt: 1, base: 'b' }, setsUp: false },
    sent: { output: nothing, events: nothing, prompt: nothing },
  };
}

verifies(
  'fleet.worker',
  'what a worker took is found by its next life, the oldest first, and git sees none of it',
  async () => {
    const folder = path.join(room(), 'worker');
    makeWorkerFolder(folder);
    const orders = new OrderFolder(path.join(folder, 'orders'));
    expect(await orders.all()).toEqual([]);
    for (const run of ['agent-10', 'agent-9']) await orders.keep(kept(run));
    const later = { ...kept('agent-9'), sent: { ...kept('agent-9').sent, output: { read: 5, told: 4 } } };
    await orders.keep(later);
    writeFileSync(path.join(folder, 'orders/agent-11.json'), '{"order":{"plan":{"id":"agent-3"}}}');
    writeFileSync(path.join(folder, 'orders/notes.txt'), 'mine');
    expect(await orders.all()).toEqual([later, kept('agent-10')]);
    await orders.forget('agent-9');
    await orders.forget('agent-9');
    expect((await orders.all()).map(({ order }) => order.plan.id)).toEqual(['agent-10']);
    expect(statSync(path.join(folder, 'orders/agent-10.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(folder, '.gitignore'), 'utf8')).toBe('*\n');
  },
);

verifies('fleet.worker', 'the folder of a worker is its own, with a key that stays the same', async () => {
  const folder = path.join(room(), 'deep/worker');
  const mode = (file: string) => statSync(path.join(folder, file)).mode & 0o777;
  expect(() => workerKey(path.join(folder, 'key'))).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  makeWorkerFolder(folder);
  makeWorkerFolder(folder);
  const key = workerKey(path.join(folder, 'key'));
  expect([key.length > 10, workerKey(path.join(folder, 'key'))]).toEqual([true, key]);
  expect(workerKey(path.join(folder, 'other'))).not.toBe(key);
  await new OrderFolder(path.join(folder, 'deep/orders')).keep(kept('agent-1'));
  expect([mode(''), mode('.gitignore'), mode('key'), mode('deep/orders')]).toEqual([0o700, 0o600, 0o600, 0o700]);
});

verifies('fleet.worker', 'files of other programs are no attempts', async () => {
  const folder = room();
  const orders = new OrderFolder(folder);
  const { order, sent } = kept('agent-2');
  const others: Record<string, unknown> = {
    'agent-2': { order: { ...order, plan: { ...order.plan, id: 'agent-1' } }, sent },
    'agent-3': { sent },
    'agent-4': { order: { ...order, plan: { ...order.plan, id: 'agent-4' } } },
    'agent-5': { order: { plan: { ...order.plan, id: 'agent-5' } }, sent },
    'agent-6': { order: { ...order, plan: { ...order.plan, id: 'agent-6' }, tree: { task: 6 } }, sent },
    'agent-7': { order: { tree: order.tree }, sent },
    'agent-8': [],
    other: kept('other'),
  };
  for (const [name, value] of Object.entries(others))
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(value));
  writeFileSync(path.join(folder, 'agent-9.json'), '{');
  writeFileSync(path.join(folder, 'agent-10.yaml'), JSON.stringify(kept('agent-10')));
  await orders.keep(kept('agent-1'));
  expect(await orders.all()).toEqual([kept('agent-1')]);
  await expect(new OrderFolder(path.join(folder, 'agent-9.json')).all()).rejects.toMatchObject({ code: 'ENOTDIR' });
});
