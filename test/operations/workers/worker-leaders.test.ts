import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { sealFor } from '../../seal.js';
import { verifies } from '../../verifies.js';
import { MEMORY_PROJECT, MemoryGateway } from '../../worker-gateway-in-memory.js';
import { clones, orderOf, workerIn } from './worker-world.js';

const soon = async (question: () => boolean) =>
  await vi.waitFor(() => expect(question()).toBe(true), { timeout: 20_000, interval: 20 });

verifies(
  ['fleet.trust', 'fleet.told'],
  'an order that was changed on its way is not carried out, and the leader is told why; the next one is',
  async () => {
    const world = clones();
    const desk = new MemoryGateway();
    const { events } = await workerIn(world, desk);
    const order = await orderOf(world, 'agent-1', 'echo good > made.txt');
    const text = JSON.stringify(order);
    const { card } = desk.seal;
    const signed = desk.seal.seal('order', text);
    desk.hand({ run: 'agent-1', task: 'task-1', fence: 1, order: { ...signed, text: text.replace('good', 'bad') } });
    await soon(() => desk.ends.length === 1);
    desk.hand({ run: 'agent-2', task: 'task-2', fence: 2, order: { text: 'null', key: card.key, signature: '' } });
    await soon(() => desk.ends.length === 2);
    desk.hand({ run: 'agent-3', task: 'task-3', fence: 3, order: sealFor(MEMORY_PROJECT).seal('order', text) });
    await soon(() => desk.ends.length === 3);
    const reasons = desk.ends.map(({ fact }) => fact.startError);
    expect(reasons[0]).toContain('is not what its leader signed');
    expect(reasons[1]).toContain('is not what its leader signed');
    expect(reasons[2]).toContain('not signed by a leader whom this worker knows');
    expect(desk.ends.map(({ fact: { id, alive, started } }) => [id, alive, started])).toEqual(
      [1, 2, 3].map((number) => [`agent-${number}`, false, false]),
    );
    expect(events.map(({ event }) => event)).toEqual(['arrived', 'refused', 'refused', 'refused']);
    for (const number of [1, 2, 3])
      expect(existsSync(path.join(world.worker, `.workgraph/worktrees/task-${number}-${number}`))).toBe(false);
    desk.offer(await orderOf(world, 'agent-4', 'echo good > made.txt'));
    await soon(() => desk.ends.length === 4);
    expect(desk.ends[3]).toMatchObject({ fact: { started: true, exit: { code: 0 } } });
  },
);

verifies('fleet.trust', 'a refusal that could not be told is told when the database is back', async () => {
  const world = clones();
  const desk = new MemoryGateway();
  await workerIn(world, desk);
  const take = desk.take.bind(desk);
  vi.spyOn(desk, 'take').mockImplementationOnce(async (...asked) => {
    const taken = await take(...asked);
    desk.isAway = true;
    return taken;
  });
  desk.hand({ run: 'agent-1', task: 'task-1', fence: 1, order: { ...desk.seal.seal('order', '{}'), text: 'null' } });
  await soon(() => desk.isAway);
  desk.isAway = false;
  await soon(() => desk.ends.length === 1);
  expect(desk.ends[0]?.fact.startError).toContain('is not what its leader signed');
});

verifies(
  'fleet.trust',
  'a worker tells once of a leader that nobody agreed to, and hears while it runs that somebody does',
  async () => {
    const world = clones();
    const desk = new MemoryGateway();
    const first = desk.seal.card.key;
    let known = [first];
    const { events } = await workerIn(world, desk, { agreed: () => known });
    expect(desk.card?.leaders).toEqual([first]);
    desk.seal = sealFor(MEMORY_PROJECT, 'ben');
    const second = desk.seal.card.key;
    desk.tell();
    await soon(() => events.some(({ event, text }) => event === 'unagreed' && text.includes(second)));
    desk.tell();
    known = [first, second];
    await soon(() => desk.card?.leaders.includes(second) === true);
    desk.tell();
    await soon(() => events.some(({ event }) => event === 'agreed'));
    known = [second];
    await soon(() => desk.card?.leaders.length === 1);
    desk.offer(await orderOf(world, 'agent-1', 'echo good'));
    await soon(() => desk.ends.length === 1);
    expect(events.map(({ event }) => event)).toEqual(['arrived', 'unagreed', 'agreed', 'took', 'started', 'ended']);
  },
);

verifies('fleet.trust', 'a limit that its leader did not sign changes nothing', async () => {
  const world = clones();
  const desk = new MemoryGateway();
  const { events, runs } = await workerIn(world, desk);
  const allowed = vi.spyOn(runs, 'allow');
  const gate = path.join(world.worker, '.workgraph/gate');
  desk.offer(await orderOf(world, 'agent-1', `until [ -e ${gate} ]; do sleep 0.05; done`));
  await soon(() => events.some(({ event }) => event === 'started'));
  const forged = { ...desk.limited('agent-1', 1, { usd: 1 }), text: '{"run":"agent-1","fence":1,"limit":{"usd":100}}' };
  desk.wish({ run: 'agent-1', fence: 1, limit: forged });
  await soon(() => events.some(({ event }) => event === 'refused'));
  expect(allowed).not.toHaveBeenCalled();
  desk.wish({ run: 'agent-1', fence: 1, limit: desk.limited('agent-1', 1, { usd: 1 }), end: 'stopped' });
  await soon(() => desk.ends.length === 1);
  expect(allowed).toHaveBeenCalledWith('agent-1', { usd: 1 });
  expect(events.filter(({ event }) => event === 'refused')).toHaveLength(1);
});
