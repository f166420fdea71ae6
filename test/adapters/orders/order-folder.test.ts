import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { makeWorkerFolder, OrderFolder } from '#adapters/orders/order-folder.js';
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
