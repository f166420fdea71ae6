import { expect } from 'vitest';
import { claimTask, unclaimTask } from '#core/graph/moves.js';
import { isTask } from '#core/graph/task.js';
import { end, reply } from '#core/mail/close.js';
import { isOpen } from '#core/mail/conversation.js';
import { acknowledge, beginTurn } from '#core/mail/turns.js';
import { randomFrom } from '#kernel/random.js';
import { relayOutbox } from '#operations/relay-outbox.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { Outbox } from '#ports/outbox.js';
import { contextOf } from '../context-of.js';
import { Calls, PERSON, run } from '../core/mail/stage.js';
import { GraphInMemory } from '../graph-in-memory.js';
import { mass } from '../mass.js';
import { storesInMemory } from '../tables-in-memory.js';
import { verifies } from '../verifies.js';

const SEEDS = mass(60, 1_000);
const MESSAGES = 4;
const LEAD = 'teaparty/coding/lead';

class Crash extends Error {}

/** One seeded life of a sender, a receiver and a service, each of which dies wherever the dice say. */
async function life(seed: number): Promise<{ readonly crashes: number; readonly looks: number }> {
  const roll = randomFrom(seed);
  const clock = { now: () => 1_000 };
  const [{ mail, outbox }, graph] = [storesInMemory(clock), new GraphInMemory(clock)];
  const calls = new Calls();
  let crashes = 0;
  /** A step that may die before it or after it. What it did stays, but nobody hears of it. */
  const step = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const dice = roll();
    if (dice < 0.1) throw new Crash();
    const result = await work();
    if (dice > 0.9) throw new Crash();
    return result;
  };
  const mortal = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? (...args: unknown[]) => step(() => value.apply(target, args)) : value;
      },
    });
  const relay = () =>
    relayOutbox(
      contextOf({ clock, graph: async () => mortal<GraphStore>(graph), outbox: async () => mortal<Outbox>(outbox) }),
    );
  /** Until it is done: whoever dies is started again and asks for the same. */
  const insist = async (work: () => Promise<unknown>) => {
    for (let tries = 0; tries < 200; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        crashes++;
      }
    }
    throw new Error('it never came through');
  };

  const opening = calls.send(PERSON, LEAD, { text: 'message 1' });
  await insist(() => step(() => mail.change(opening)));
  await insist(relay);
  const [conversation] = await mail.open();
  const [id, task] = [conversation?.id ?? '', conversation?.taskId ?? ''];
  for (let number = 2; number <= MESSAGES; number++) {
    const more = calls.send(PERSON, LEAD, { conversation: id, text: `message ${number}` });
    await insist(() => step(() => mail.change(more)));
  }

  let fence = 0;
  let looks = 0;
  const read: string[] = [];
  const turn = async () => {
    const by = { name: `run-of-${task}` };
    const now = (await graph.view()).task(task);
    if (now?.assigned !== undefined)
      await graph.commit((view) => unclaimTask(view, task, { now: 1_000, by: { name: 'coordinator' } }));
    ({ fence } = (await graph.commit((view) => claimTask(view, task, { now: 1_000, by }))).result);
    const mine = run(LEAD, task, fence);
    await step(() => mail.change((view) => beginTurn(view, { task, fence })));
    const inbox = await mail.inbox(LEAD, { task, limit: 50 });
    for (const message of inbox) {
      looks++;
      if (!read.includes(message.body)) read.push(message.body);
      await step(() => mail.change((view) => acknowledge(view, { speaker: mine, message: message.id })));
    }
    const before = (await mail.conversation(id)) ?? expect.fail('it is there');
    if (isOpen(before)) await step(() => mail.change(calls.reply(mine, 'answer')));
  };
  await insist(relay);
  await insist(turn);
  await insist(relay);

  expect(read, `seed ${seed}`).toEqual(Array.from({ length: MESSAGES }, (_, index) => `message ${index + 1}`));
  const all = await mail.messages(id, { after: 0, limit: 50 });
  expect(all.map(({ number }) => number)).toEqual(Array.from({ length: MESSAGES + 1 }, (_, index) => index + 1));
  expect(all.filter(({ type }) => type === 'reply')).toHaveLength(1);
  expect((await mail.inbox(PERSON.id, { limit: 50 })).map(({ body }) => body)).toEqual(['answer']);
  expect(await mail.undelivered(50)).toHaveLength(1);
  expect([...(await graph.view()).nodes()].filter(isTask)).toHaveLength(1);
  const told: unknown[] = [];
  for await (const { op, detail } of graph.entries(1)) if (op === 'message') told.push(detail?.['message_id']);
  expect(told).toEqual([...new Set(told)]);
  return { crashes, looks };
}

verifies(
  'bus.guarantee',
  'over a thousand lives with crashes of sender, receiver and service every message is read, in order, and is there once',
  async () => {
    let [crashes, looks] = [0, 0];
    for (let seed = 1; seed <= SEEDS; seed++) {
      const lived = await life(seed);
      crashes += lived.crashes;
      looks += lived.looks;
    }
    expect(crashes).toBeGreaterThan(SEEDS);
    expect(looks).toBeGreaterThan(SEEDS * MESSAGES); // some were seen again, as who was to read them died
  },
);

verifies(
  'bus.fanin',
  'whoever dies among those who were asked, and wherever the service does, the asker is woken once',
  async () => {
    for (let seed = 1; seed <= mass(40, 200); seed++) {
      const roll = randomFrom(seed);
      const [{ mail, outbox }, graph] = [storesInMemory(), new GraphInMemory({ now: () => 1_000 })];
      const calls = new Calls();
      const context = contextOf({ clock: { now: () => 1_000 }, graph: async () => graph, outbox: async () => outbox });
      const { task } = await mail.change(calls.send(PERSON, LEAD));
      const lead = run(LEAD, task ?? '');
      const children = [];
      for (const to of ['developer', 'reviewer', 'architect']) children.push(await mail.change(calls.send(lead, to)));
      await relayOutbox(context);
      for (const child of children.sort(() => roll() - 0.5)) {
        const by = run(child.conversation.split(':')[2] ?? '', child.task ?? '');
        const over = () =>
          mail.change((view) =>
            end(view, { id: child.conversation, ending: LOST, at: 1, messageId: `e-${child.task}` }),
          );
        if (roll() < 0.4) await over();
        else
          await mail.change((view) =>
            reply(view, { ...calls.next(), speaker: by, conversation: 'own', text: 'x', type: 'reply' }),
          );
        if (roll() < 0.5) await over(); // the service did not hear of it, and says it again
        if (roll() < 0.5) await relayOutbox(context);
      }
      await relayOutbox(context);
      const woken: unknown[] = [];
      for await (const { op, task_id, detail } of graph.entries(1))
        if (op === 'message' && task_id === task) woken.push(detail?.['message_id']);
      expect(woken, `seed ${seed}`).toEqual([`wake:${task}:1`]);
      expect(await mail.inbox(LEAD, { task: task ?? '', limit: 9 })).toHaveLength(4);
    }
  },
);

const LOST = { how: 'agent_lost' as const, words: 'gone' };
