import { expect } from 'vitest';
import { OrderGate } from '#operations/workers/order-gate.js';
import type { LeaderSeal } from '#ports/leader-seal.js';
import type { AttemptOrder, SignedOrder } from '#ports/worker-gateway.js';
import { sealFor } from '../../seal.js';
import { verifies } from '../../verifies.js';

const NOW = 2_000_000_000_000;
const ORDER: AttemptOrder = {
  plan: {
    ...{ id: 'agent-1', taskId: 'build', fence: 2, command: '', check: '', environment: { IN_A: 'x' } },
    ...{ timeoutMs: 60_000, startedAt: NOW, executor: 'claude', sandboxed: true, tree: { attempt: 2, mode: 'full' } },
    client: {
      request: {
        ...{ taskId: 'build', runId: 'agent-1', model: 'sonnet', mode: 'full', prompt: 'Do it', budgetUsd: 2 },
        agents: { ada: { description: 'a', prompt: 'b' } },
        values: { task_title: 'Build' },
      },
      limit: { usd: 2 },
      roleParts: [{ part: 'charter', bytes: 3, sha256: 'abc' }],
      ...{ silentEnd: 'ask', mail: 'reply', check: 'make' },
    },
  },
  tree: { task: 'build', attempt: 2, base: 'a'.repeat(40), copy: ['.env'], fresh: true },
  setsUp: true,
};

const handed = (seal: LeaderSeal, order: unknown = ORDER, text = JSON.stringify(order)): SignedOrder => ({
  ...{ run: 'agent-1', task: 'build', fence: 2 },
  order: seal.seal('order', text),
});

const plan = (more: object) => ({ ...ORDER, plan: { ...ORDER.plan, ...more } });

function place({ now = NOW, project = 'shop' } = {}) {
  const seal = sealFor('shop');
  const gate = new OrderGate({ project, agreed: () => [seal.card.key], clock: { now: () => now } });
  const refusal = (order: SignedOrder) => {
    try {
      gate.opened(order);
    } catch (error) {
      return error;
    }
    return undefined;
  };
  return { seal, gate, refusal };
}

const refused = (what: RegExp) =>
  expect.objectContaining({ code: 'order_refused', message: expect.stringMatching(what) });

verifies('fleet.trust', 'an order is opened as its leader signed it', () => {
  const { seal, gate } = place();
  expect(gate.opened(handed(seal))).toEqual(ORDER);
  expect([gate.knows(seal.card), gate.knows(sealFor('shop').card)]).toEqual([true, false]);
});

verifies(
  'fleet.trust',
  'nothing is opened that was changed, is of another leader, project, purpose, attempt or day',
  () => {
    const { seal, refusal } = place();
    const signed = handed(seal);
    const { order } = signed;
    const changed = { ...order, text: order.text.replace('Do it', 'Do that') };
    expect(refusal({ ...signed, order: changed })).toEqual(refused(/is not what its leader signed/));
    expect(refusal({ ...signed, order: { ...order, signature: '' } })).toEqual(
      refused(/is not what its leader signed/),
    );
    expect(refusal({ ...signed, order: seal.seal('limit', order.text) })).toEqual(
      refused(/is not what its leader signed/),
    );
    expect(refusal(handed(sealFor('shop')))).toEqual(refused(/not signed by a leader/));
    const { signature } = handed(sealFor('shop')).order;
    expect(refusal({ ...signed, order: { ...order, signature } })).toEqual(refused(/is not what its leader signed/));
    for (const other of [{ run: 'agent-2' }, { fence: 3 }, { task: 'test' }])
      expect(refusal({ ...signed, ...other })).toEqual(refused(/signed for another attempt/));
    const elsewhere = place({ project: 'other' });
    const fromShop = new OrderGate({ project: 'other', agreed: () => [seal.card.key], clock: { now: () => NOW } });
    expect(() => fromShop.opened(signed)).toThrow(expect.objectContaining({ code: 'order_refused' }));
    expect(elsewhere.refusal(handed(elsewhere.seal)), 'its seal is of the shop').toEqual(refused(/for this project/));
    for (const now of [NOW + 11 * 60_000, NOW - 11 * 60_000]) {
      const later = place({ now });
      expect(later.refusal(handed(later.seal))).toEqual(refused(/not signed within the last 10 minutes/));
    }
  },
);

verifies('fleet.told', 'an order has the fields that this version knows, and no others', () => {
  const { seal, refusal } = place();
  const fault = (order: unknown, what: string) =>
    expect(refusal(handed(seal, order))).toEqual(refused(new RegExp(`not valid: ${what}`)));
  fault(plan({ sudo: true }), 'plan.sudo is an unknown field');
  fault({ ...ORDER, hook: 'rm' }, 'hook is an unknown field');
  fault(plan({ command: 7 }), 'plan.command must be text');
  fault(plan({ timeoutMs: -1 }), 'plan.timeoutMs must be at least 0');
  fault({ ...ORDER, tree: { ...ORDER.tree, base: 'main' } }, 'tree.base is not valid');
  fault(plan({ client: { ...ORDER.plan.client, allowUnsafe: true } }), 'plan.client.allowUnsafe is an unknown field');
  const request = { ...ORDER.plan.client?.request, folder: '/etc' };
  fault(plan({ client: { ...ORDER.plan.client, request } }), 'plan.client.request.folder is an unknown field');
  expect(refusal(handed(seal, undefined, '[]'))).toEqual(refused(/not a JSON object/));
  expect(refusal(handed(seal, undefined, '{"__proto__":{}}'))).toEqual(refused(/not a JSON object/));
});

verifies('fleet.trust', 'a limit counts for the run that it was signed for', () => {
  const { seal, gate } = place();
  const wish = { run: 'agent-1', fence: 2 };
  const said = (fields: object) => seal.seal('limit', JSON.stringify({ ...wish, limit: { usd: 3 }, ...fields }));
  expect([gate.limit(wish), gate.limit({ ...wish, limit: said({}) })]).toEqual([undefined, { usd: 3 }]);
  for (const limit of [
    said({ run: 'agent-2' }),
    said({ fence: 1 }),
    said({ more: 1 }),
    { ...said({}), text: JSON.stringify({ ...wish, limit: { usd: 300 } }) },
    seal.seal('order', JSON.stringify({ ...wish, limit: { usd: 3 } })),
  ])
    expect(() => gate.limit({ ...wish, limit })).toThrow(expect.objectContaining({ code: 'order_refused' }));
});
