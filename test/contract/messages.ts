import { describe, expect, onTestFinished, test } from 'vitest';
import { type NewMessage, personReader, taskConversation, taskReader } from '#core/messages/message.js';
import { LIMITS } from '#kernel/limits.js';
import type { Messages } from '#ports/messages.js';
import type { Outbox } from '#ports/outbox.js';
import { verifies } from '../verifies.js';

const BY = { from: 'ann', kind: 'person' as const };
const ADDRESSED = { task: 'a', holder: taskReader('a') };
const CONVERSATION = taskConversation('a');
const HOSTILE = `'; DROP TABLE messages; -- \u0001 \u202e "q" ? %s \ud83d\ude00 ${'x'.repeat(1_000)}`;

/** What every adapter of the messages must do. `make` gives fresh ones, `again` a second one on the same place. */
export function messagesContract(
  name: string,
  make: () => { messages: Messages; outbox: Outbox; again?: () => Messages },
): void {
  let made = 0;
  const message = (body: string, from = 'ann', speaksFor?: string): NewMessage => {
    made++;
    return {
      id: `m-${made}`,
      conversation: CONVERSATION,
      sender: personReader(from),
      sender_name: from,
      speaks_for: speaksFor ?? personReader(from),
      body,
      priority: 'normal',
      created_at: 1_000 + made,
    };
  };
  const fresh = () => {
    const { messages, outbox, again } = make();
    onTestFinished(() => messages.close());
    return {
      messages,
      outbox,
      send: (body: string, from?: string, speaksFor?: string) =>
        messages.send(message(body, from, speaksFor), ADDRESSED, BY),
      again: () => {
        const other = (again ?? (() => messages))();
        onTestFinished(() => other.close());
        return other;
      },
    };
  };

  describe(`the messages contract: ${name}`, () => {
    verifies('db.once', `${name}: a known id answers what it was, and is refused for other words`, async () => {
      const { messages, outbox, again } = fresh();
      const sent = message('once');
      const kept = await messages.send(sent, ADDRESSED, BY);
      expect(await again().send({ ...sent, created_at: 9_999 }, ADDRESSED, BY)).toEqual(kept);
      const reused = again().send({ ...sent, body: 'another' }, ADDRESSED, BY);
      await expect(reused).rejects.toMatchObject({ code: 'request_id_reused' });
      expect(await messages.list(CONVERSATION, { limit: 9 })).toEqual([kept]);
      expect(await outbox.pending(9)).toHaveLength(1);
    });

    verifies(
      'resurrect.rule',
      `${name}: what nobody who works at a task has read, and not what they wrote themselves`,
      async () => {
        const { messages, send, again } = fresh();
        expect(await messages.unread(10)).toEqual([]);
        await send('one');
        await send('two', 'bea', taskReader('a'));
        await send('three', 'bea', taskReader('b'));
        const numbers = async (of: Messages, task?: string) =>
          (await of.unread(10, task)).map((found) => [found.task, found.messages.map(({ number }) => number)]);
        expect(await numbers(messages)).toEqual([['a', [1, 3]]]);
        expect(await numbers(again())).toEqual([['a', [1, 3]]]);
        expect(await numbers(messages, 'a')).toEqual([['a', [1, 3]]]);
        expect(await numbers(messages, 'b')).toEqual([]);
        await again().moveCursor(personReader('ann'), CONVERSATION, 3);
        expect(await numbers(messages)).toEqual([['a', [1, 3]]]);
        await again().moveCursor(taskReader('a'), CONVERSATION, 1);
        expect(await numbers(messages)).toEqual([['a', [3]]]);
        await messages.moveCursor(taskReader('a'), CONVERSATION, 3);
        expect(await numbers(messages)).toEqual([]);
        expect(await messages.unread(0)).toEqual([]);
      },
    );

    verifies('resurrect.rule', `${name}: of much that is unread the latest is told, of so many tasks`, async () => {
      const { messages, send } = fresh();
      const other = { task: 'b', holder: taskReader('b') };
      await messages.send({ ...message('first'), conversation: taskConversation('b') }, other, BY);
      for (let count = 0; count <= LIMITS.promptMessages; count++) await send(`${count}`);
      const told = await messages.unread(9);
      expect(told.map(({ task, messages: of }) => [task, of.length, of[0]?.number])).toEqual([
        ['b', 1, 1],
        ['a', LIMITS.promptMessages, 2],
      ]);
      expect((await messages.unread(1)).map(({ task }) => task)).toEqual(['b']);
      expect((await messages.unread(9, 'a')).map(({ task }) => task)).toEqual(['a']);
      expect((await messages.unread(9)).map(({ task }) => task)).toEqual(['b', 'a']);
    });

    verifies(
      'msg.task',
      `${name}: a conversation is numbered without gaps, and read from where one stopped`,
      async () => {
        const { messages, send, again } = fresh();
        expect(await messages.list(CONVERSATION, { limit: 10 })).toEqual([]);
        for (const body of ['one', 'two', 'three']) await send(body);
        const all = await again().list(CONVERSATION, { limit: 10 });
        expect(all.map(({ number, body }) => [number, body])).toEqual([
          [1, 'one'],
          [2, 'two'],
          [3, 'three'],
        ]);
        expect((await messages.list(CONVERSATION, { limit: 2 })).map(({ number }) => number)).toEqual([2, 3]);
        expect((await messages.list(CONVERSATION, { after: 0, limit: 2 })).map(({ number }) => number)).toEqual([1, 2]);
        expect((await messages.list(CONVERSATION, { after: 2, limit: 2 })).map(({ number }) => number)).toEqual([3]);
        expect(await messages.list(taskConversation('b'), { limit: 10 })).toEqual([]);
      },
    );

    verifies('msg.task', `${name}: one cursor for each reader and conversation, which never goes back`, async () => {
      const { messages, send, again } = fresh();
      await send('one');
      await messages.moveCursor('human/ann', CONVERSATION, 2);
      await messages.moveCursor('human/ann', CONVERSATION, 1);
      expect(await again().cursor('human/ann', CONVERSATION)).toBe(2);
      expect(await messages.cursor('human/ben', CONVERSATION)).toBe(0);
      expect(await messages.cursor('human/ann', taskConversation('b'))).toBe(0);
      await messages.moveCursor('human/ann', taskConversation('b'), 5);
      expect(await messages.cursor('human/ann', taskConversation('b'))).toBe(0);
    });

    verifies('team.db.params', `${name}: hostile names and texts come back as they were`, async () => {
      const { messages, outbox } = fresh();
      const hostile = {
        ...message(HOSTILE),
        sender_name: HOSTILE,
        id: `'"; ${HOSTILE}`,
        conversation: `task:${HOSTILE}`,
      };
      const sent = await messages.send(hostile, { task: HOSTILE, holder: `task/${HOSTILE}` }, { ...BY, from: HOSTILE });
      expect(sent).toEqual({ ...hostile, number: 1 });
      expect(await messages.list(hostile.conversation, { limit: 1 })).toEqual([sent]);
      const args = { task_id: HOSTILE, from: HOSTILE, kind: 'person', number: 1 };
      expect(await outbox.pending(5)).toEqual([{ id: hostile.id, op: 'task.message', args }]);
    });

    verifies('msg.task', `${name}: an inbox in which nobody reads is full one day, in both directions`, async () => {
      const { messages, send } = fresh();
      for (let count = 0; count < LIMITS.messagesUnread; count++) await send('to the task');
      await expect(send('one more')).rejects.toMatchObject({ code: 'inbox_full' });
      const answer = () => send('from the task', 'agent-1', ADDRESSED.holder);
      for (let count = 0; count < LIMITS.messagesUnread; count++) await answer();
      await expect(answer()).rejects.toMatchObject({ code: 'inbox_full' });
      await messages.moveCursor(ADDRESSED.holder, CONVERSATION, LIMITS.messagesUnread);
      await send('one more');
      await expect(answer()).rejects.toMatchObject({ code: 'inbox_full' });
      await messages.moveCursor('human/ann', CONVERSATION, 3 * LIMITS.messagesUnread);
      await answer();
      expect((await messages.list(CONVERSATION, { limit: 1_000 })).map(({ number }) => number)).toEqual(
        [...Array(2 * LIMITS.messagesUnread + 2).keys()].map((index) => index + 1),
      );
    });

    verifies('team.db.no-poison', `${name}: a refusal changes nothing, and what comes next works`, async () => {
      const { messages, send } = fresh();
      for (let count = 0; count < LIMITS.messagesUnread; count++) await send('x');
      const before = await messages.list(CONVERSATION, { limit: 1_000 });
      for (let count = 0; count < 3; count++)
        await expect(send('y')).rejects.toMatchObject({ code: 'inbox_full', details: { id: 'a', unread: 200 } });
      expect(await messages.list(CONVERSATION, { limit: 1_000 })).toEqual(before);
      await messages.moveCursor(ADDRESSED.holder, CONVERSATION, 1);
      expect((await send('z')).number, 'of what one read as much fits').toBe(201);
      await expect(send('y')).rejects.toMatchObject({ code: 'inbox_full' });
    });

    test('two that write at once both count', async () => {
      const { messages, again } = fresh();
      const other = again();
      const both = [messages, other].flatMap((one) =>
        [...Array(25).keys()].map(() => one.send(message('x'), ADDRESSED, BY)),
      );
      const numbers = (await Promise.all(both)).map(({ number }) => number).sort((left, right) => left - right);
      expect(numbers).toEqual([...Array(50).keys()].map((index) => index + 1));
    });
  });
}
