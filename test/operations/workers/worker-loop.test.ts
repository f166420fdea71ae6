import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { git } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { MemoryGateway } from '../../worker-gateway-in-memory.js';
import { clones, orderOf, QUICK, workerIn } from './worker-world.js';

/** However slow the machine is, what was ended is handed over before the worker goes. */
const UNHURRIED = {
  ...QUICK,
  after: (milliseconds: number, call: () => void) => QUICK.after(milliseconds * 20, call),
};

const refs = (remote: string) => git(remote, 'for-each-ref', '--format=%(refname)').split('\n').filter(Boolean);
const soon = async (question: () => boolean) =>
  await vi.waitFor(() => expect(question()).toBe(true), { timeout: 20_000, interval: 20 });

verifies(
  ['fleet.worker', 'fleet.code', 'fleet.plan'],
  'a worker carries an attempt out in a worktree of its clone, publishes its work and says how it ended',
  async () => {
    const world = clones();
    const desk = new MemoryGateway();
    const { loop, events } = await workerIn(world, desk);
    expect(desk.card).toMatchObject({ name: 'box', slots: 2 });
    desk.offer(await orderOf(world, 'agent-7', 'echo "at work"; echo two > f.txt; echo new > g.txt'));
    await soon(() => desk.ends.length === 1);
    const [end] = desk.ends;
    expect(end).toMatchObject({
      fact: { id: 'agent-7', fence: 7, alive: false, started: true, exit: { code: 0 }, branch: 'wg/task-7/7' },
      listed: { id: 'agent-7', task_id: 'task-7' },
      publication: { outcome: 'published', branch: 'wg/task-7/7', committed: true },
    });
    expect(end?.unpublished).toBeUndefined();
    expect(git(world.remote, 'show', 'wg/task-7/7:g.txt')).toBe('new\n');
    expect(desk.textOf('agent-7', 'output')).toBe('at work\n');
    expect(git(world.worker, 'status', '--porcelain', '--', 'f.txt', 'g.txt'), 'the checkout is untouched').toBe('');
    await loop.drain(1_000);
    expect(existsSync(path.join(world.worker, '.workgraph/worktrees/task-7-7')), 'what is published is cleared').toBe(
      false,
    );
    expect(desk.card).toBeUndefined();
    expect(events.map(({ event }) => event)).toEqual(['arrived', 'took', 'started', 'ended', 'draining', 'drained']);
  },
);

verifies('fleet.lost', 'an attempt whose answer was lost on its way is carried out all the same', async () => {
  const world = clones();
  const desk = new MemoryGateway();
  const take = desk.take.bind(desk);
  vi.spyOn(desk, 'take').mockImplementationOnce(async (...asked) => {
    await take(...asked);
    throw new TroupeError('database_away');
  });
  desk.offer(await orderOf(world, 'agent-7', 'echo two > f.txt'));
  const { events } = await workerIn(world, desk);
  await soon(() => desk.ends.length === 1);
  expect(desk.ends[0]?.fact).toMatchObject({ id: 'agent-7', exit: { code: 0 } });
  expect(events.filter(({ event }) => event === 'took')).toHaveLength(1);
});

verifies(
  'fleet.worker',
  'what cannot begin ends with its reason, and no more is taken than there are slots',
  async () => {
    const world = clones();
    const desk = new MemoryGateway();
    const gate = path.join(world.remote, 'gate');
    await workerIn(world, desk, { slots: 1 });
    const bad = await orderOf(world, 'agent-1', 'true');
    desk.offer({ ...bad, tree: { ...bad.tree, base: '0'.repeat(40) } });
    await soon(() => desk.ends.length === 1);
    expect(desk.ends[0]).toMatchObject({
      fact: { started: false, alive: false, startError: expect.stringContaining('0'.repeat(40)) },
    });
    desk.offer(await orderOf(world, 'agent-2', `until [ -e ${gate} ]; do sleep 0.05; done`));
    desk.offer(await orderOf(world, 'agent-3', 'echo third'));
    await soon(() => desk.reports.length === 1);
    expect(desk.reports.map(({ fact }) => fact.id)).toEqual(['agent-2']);
    writeFileSync(gate, '');
    await soon(() => desk.ends.length === 3);
    expect(desk.ends.map(({ fact }) => fact.id)).toEqual(['agent-1', 'agent-2', 'agent-3']);
  },
);

verifies(
  ['fleet.worker', 'fleet.code'],
  'told to end, a run ends with the reason; one that was given to somebody else is ended and its work set aside',
  async () => {
    const world = clones();
    const desk = new MemoryGateway();
    const { events } = await workerIn(world, desk);
    desk.offer(await orderOf(world, 'agent-1', 'echo half > half.txt; sleep 60'));
    desk.offer(await orderOf(world, 'agent-2', 'echo half > half.txt; sleep 60'));
    await soon(() => desk.reports.length === 2 && desk.reports.every(({ listed }) => listed.status === 'working'));
    await soon(() =>
      ['1', '2'].every((n) => existsSync(path.join(world.worker, `.workgraph/worktrees/task-${n}-${n}/half.txt`))),
    );
    desk.wish({ run: 'agent-1', fence: 1, end: 'timeout' });
    desk.takeAway('agent-2');
    await soon(() => desk.ends.length === 1 && events.some(({ event }) => event === 'parked'));
    expect(desk.ends[0]).toMatchObject({ fact: { id: 'agent-1', ended: 'timeout' }, publication: { committed: true } });
    await soon(() => !existsSync(path.join(world.worker, '.workgraph/worker/orders/agent-2.json')));
    expect(refs(world.remote)).toContain('refs/wg/park/agent-2');
    expect(refs(world.remote), 'its branch is not its own any more').not.toContain('refs/heads/wg/task-2/2');
    expect(git(world.remote, 'show', 'refs/wg/park/agent-2:half.txt')).toBe('half\n');
  },
);

verifies(
  ['fleet.worker', 'fleet.code'],
  'while the database is away runs go on, and what they did is told when it answers again',
  async () => {
    const world = clones();
    const desk = new MemoryGateway();
    const gate = path.join(world.remote, 'gate');
    const { events } = await workerIn(world, desk);
    desk.offer(
      await orderOf(world, 'agent-1', `echo begun; until [ -e ${gate} ]; do sleep 0.05; done; echo over > f.txt`),
    );
    await soon(() => desk.textOf('agent-1', 'output') === 'begun\n');
    desk.isAway = true;
    await soon(() => events.some(({ event }) => event === 'away'));
    writeFileSync(gate, '');
    await soon(
      () => refs(world.remote).includes('refs/heads/wg/task-1/1') || events.some(({ event }) => event === 'kept'),
    );
    desk.isAway = false;
    await soon(() => desk.ends.length === 1 && events.some(({ event }) => event === 'back'));
    expect(desk.ends[0]).toMatchObject({ fact: { exit: { code: 0 } }, publication: { outcome: 'published' } });
    expect(events.filter(({ event }) => event === 'back')).toHaveLength(1);
  },
);

verifies(
  ['fleet.worker', 'fleet.end'],
  'another life of a worker that was killed goes on with its runs: none begins twice, and each end is told once',
  async () => {
    const world = clones();
    const desk = new MemoryGateway();
    const gate = path.join(world.remote, 'gate');
    const first = await workerIn(world, desk);
    desk.offer(
      await orderOf(world, 'agent-1', `echo once >> count.txt; until [ -e ${gate} ]; do sleep 0.05; done; echo over`),
    );
    await soon(() => existsSync(path.join(world.worker, '.workgraph/worktrees/task-1-1/count.txt')));
    await first.die();
    writeFileSync(gate, '');
    const second = await workerIn(world, desk);
    await soon(() => desk.ends.length === 1);
    expect(desk.ends[0]).toMatchObject({ fact: { exit: { code: 0 } }, publication: { outcome: 'published' } });
    expect(git(world.remote, 'show', 'wg/task-1/1:count.txt')).toBe('once\n');
    expect(desk.textOf('agent-1', 'output')).toBe('over\n');
    expect(second.events.map(({ event }) => event).slice(0, 2)).toEqual(['arrived', 'took']);
  },
);

verifies(
  ['fleet.worker', 'fleet.code'],
  'a worker that drains ends what takes longer than its grace, and publishes what was made',
  async () => {
    const world = clones();
    const desk = new MemoryGateway();
    const { loop } = await workerIn(world, desk, { pace: UNHURRIED });
    desk.offer(await orderOf(world, 'agent-1', 'echo half > half.txt; sleep 60'));
    await soon(() => existsSync(path.join(world.worker, '.workgraph/worktrees/task-1-1/half.txt')));
    const drained = loop.drain(500);
    await soon(() => desk.card?.slots === 1); // the leader counts on no free ones
    await drained;
    expect(desk.ends[0]).toMatchObject({ fact: { ended: 'stopped' }, publication: { outcome: 'published' } });
    expect(git(world.remote, 'show', 'wg/task-1/1:half.txt')).toBe('half\n');
  },
);
