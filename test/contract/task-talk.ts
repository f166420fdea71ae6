import { describe, expect, onTestFinished, test } from 'vitest';
import { type NewMessage, personReader, taskConversation, taskReader } from '#core/mail/message.js';
import { talk } from '#core/mail/task-talk.js';
import { markRead } from '#core/mail/turns.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { MailStore } from '#ports/mail-store.js';
import type { Outbox } from '#ports/outbox.js';
import { verifies } from '../verifies.js';

type Said = Omit<NewMessage, 'conversation'>;
const CONVERSATION = taskConversation('a');
const HOLDER = taskReader('a');
const HOSTILE = `'; DROP TABLE messages; -- \u0001 \u202e "q" ? %s \ud83d\ude00 ${'x'.repeat(1_000)}`;

const sendTo = (mail: MailStore, task: string, message: Said) =>
  mail.change((view) => talk(view, { task, message, kind: 'person' }));
const moveCursor = (mail: MailStore, reader: string, to: number) =>
  mail.change(() => markRead({ reader, conversation: CONVERSATION, to }));

/**
 * Contract of every adapter of the mail for conversations about tasks. `make` creates a fresh one, `again` opens a
 * second one on the same place.
 */
export function taskTalkContract(
  name: string,
  make: () => { mail: MailStore; outbox: Outbox; again?: () => MailStore },
): void {
  let made = 0;
  const message = (body: string, from = 'ann', speaksFor?: string): Said => {
    made++;
    return {
      id: `m-${made}`,
      sender: personReader(from),
      sender_name: from,
      speaks_for: speaksFor ?? personReader(from),
      body,
      priority: 'normal',
      created_at: 1_000 + made,
    };
  };
  const fresh = () => {
    const { mail, outbox, again } = make();
    onTestFinished(() => mail.close());
    return {
      mail,
      outbox,
      send: (body: string, from?: string, speaksFor?: string) => sendTo(mail, 'a', message(body, from, speaksFor)),
      again: () => {
        const other = (again ?? (() => mail))();
        onTestFinished(() => other.close());
        return other;
      },
    };
  };

  describe(`the contract of talks about tasks: ${name}`, () => {
    verifies(
      'web.pages',
      `${name}: a message is found by its words in order, as they stand, latest first`,
      async () => {
        const { mail, send } = fresh();
        for (const body of ['Seal the AIRLOCK door', 'the door, then the airlock', '100% of _it_', HOSTILE])
          await send(body);
        const found = async (words: string, limit = 5) =>
          (await mail.find(words.split(' '), limit)).map(({ number, task }) => `${task} ${number}`);
        expect(await found('airlock')).toEqual(['a 2', 'a 1']);
        expect(await found('airlock', 1)).toEqual(['a 2']);
        expect(await found('airlock door')).toEqual(['a 1']);
        expect(await found('ann 100%')).toEqual(['a 3']);
        expect(await found('1%0')).toEqual([]);
        expect(await found('_t_')).toEqual([]);
        expect(await found("'; DROP")).toEqual(['a 4']);
      },
    );

    verifies('db.once', `${name}: a known id answers what it was, and is refused for other words`, async () => {
      const { mail, outbox, again } = fresh();
      const sent = message('once');
      expect(await sendTo(mail, 'a', sent)).toBe(1);
      expect(await sendTo(again(), 'a', { ...sent, created_at: 9_999 })).toBe(1);
      for (const other of [
        { ...sent, body: 'another' },
        { ...sent, sender: 'human/ben' },
      ])
        await expect(sendTo(again(), 'a', other)).rejects.toMatchObject({ code: 'request_id_reused' });
      await expect(sendTo(again(), 'b', sent)).rejects.toMatchObject({ code: 'request_id_reused' });
      const kept = { ...sent, conversation: CONVERSATION, number: 1, type: 'message', kind: 'talk' };
      expect(await mail.messages(CONVERSATION, { limit: 9 })).toEqual([kept]);
      expect(await outbox.pending(9)).toHaveLength(1);
    });

    verifies(
      'resurrect.rule',
      `${name}: what nobody who works at a task has read, and not what they wrote themselves`,
      async () => {
        const { mail, send, again } = fresh();
        expect(await mail.unreadTalk(10)).toEqual([]);
        await send('one');
        await send('two', 'bea', taskReader('a'));
        await send('three', 'bea', taskReader('b'));
        const numbers = async (of: MailStore, task?: string) =>
          (await of.unreadTalk(10, task)).map((found) => [found.task, found.messages.map(({ number }) => number)]);
        expect(await numbers(mail)).toEqual([['a', [1, 3]]]);
        expect(await numbers(again())).toEqual([['a', [1, 3]]]);
        expect(await numbers(mail, 'a')).toEqual([['a', [1, 3]]]);
        expect(await numbers(mail, 'b')).toEqual([]);
        await moveCursor(again(), personReader('ann'), 3);
        expect(await numbers(mail)).toEqual([['a', [1, 3]]]);
        await moveCursor(again(), taskReader('a'), 1);
        expect(await numbers(mail)).toEqual([['a', [3]]]);
        await moveCursor(mail, taskReader('a'), 3);
        expect(await numbers(mail)).toEqual([]);
        expect(await mail.unreadTalk(0)).toEqual([]);
      },
    );

    verifies('resurrect.rule', `${name}: of much that is unread the latest is told, of so many tasks`, async () => {
      const { mail, send } = fresh();
      await sendTo(mail, 'b', message('first'));
      for (let count = 0; count <= TEAM_LIMITS.promptMessages; count++) await send(`${count}`);
      const told = await mail.unreadTalk(9);
      expect(told.map(({ task, messages: of }) => [task, of.length, of[0]?.number])).toEqual([
        ['b', 1, 1],
        ['a', TEAM_LIMITS.promptMessages, 2],
      ]);
      expect((await mail.unreadTalk(1)).map(({ task }) => task)).toEqual(['b']);
      expect((await mail.unreadTalk(9, 'a')).map(({ task }) => task)).toEqual(['a']);
      expect((await mail.unreadTalk(9)).map(({ task }) => task)).toEqual(['b', 'a']);
    });

    verifies(
      'msg.task',
      `${name}: a conversation is numbered without gaps, and read from where one stopped`,
      async () => {
        const { mail, send, again } = fresh();
        expect(await mail.messages(CONVERSATION, { limit: 10 })).toEqual([]);
        for (const body of ['one', 'two', 'three']) await send(body);
        const all = await again().messages(CONVERSATION, { limit: 10 });
        expect(all.map(({ number, body }) => [number, body])).toEqual([
          [1, 'one'],
          [2, 'two'],
          [3, 'three'],
        ]);
        expect((await mail.messages(CONVERSATION, { limit: 2 })).map(({ number }) => number)).toEqual([2, 3]);
        expect((await mail.messages(CONVERSATION, { after: 0, limit: 2 })).map(({ number }) => number)).toEqual([1, 2]);
        expect((await mail.messages(CONVERSATION, { after: 2, limit: 2 })).map(({ number }) => number)).toEqual([3]);
        expect(await mail.messages(taskConversation('b'), { limit: 10 })).toEqual([]);
      },
    );

    verifies('msg.task', `${name}: one cursor for each reader and conversation, which never goes back`, async () => {
      const { mail, send, again } = fresh();
      await send('one');
      await moveCursor(mail, 'human/ann', 2);
      await moveCursor(mail, 'human/ann', 1);
      expect(await again().cursor('human/ann', CONVERSATION)).toBe(2);
      expect(await mail.cursor('human/ben', CONVERSATION)).toBe(0);
      expect(await mail.cursor('human/ann', taskConversation('b'))).toBe(0);
    });

    verifies('team.db.params', `${name}: hostile names and texts come back as they were`, async () => {
      const { mail, outbox } = fresh();
      const hostile = { ...message(HOSTILE), sender_name: HOSTILE, id: `'"; ${HOSTILE}` };
      expect(await sendTo(mail, HOSTILE, hostile)).toBe(1);
      const conversation = taskConversation(HOSTILE);
      const stored = { ...hostile, conversation, number: 1, type: 'message', kind: 'talk' };
      expect(await mail.messages(conversation, { limit: 1 })).toEqual([stored]);
      const args = { task_id: HOSTILE, from: HOSTILE, kind: 'person', number: 1 };
      expect(await outbox.pending(5)).toEqual([{ id: hostile.id, op: 'task.message', args }]);
    });

    verifies('msg.task', `${name}: an inbox in which nobody reads is full one day, in both directions`, async () => {
      const { mail, send } = fresh();
      for (let count = 0; count < TEAM_LIMITS.messagesUnread; count++) await send('to the task');
      await expect(send('one more')).rejects.toMatchObject({ code: 'inbox_full' });
      const answer = () => send('from the task', 'agent-1', HOLDER);
      for (let count = 0; count < TEAM_LIMITS.messagesUnread; count++) await answer();
      await expect(answer()).rejects.toMatchObject({ code: 'inbox_full' });
      await moveCursor(mail, HOLDER, TEAM_LIMITS.messagesUnread);
      await send('one more');
      await expect(answer()).rejects.toMatchObject({ code: 'inbox_full' });
      await moveCursor(mail, 'human/ann', 3 * TEAM_LIMITS.messagesUnread);
      await answer();
      expect((await mail.messages(CONVERSATION, { limit: 1_000 })).map(({ number }) => number)).toEqual(
        [...Array(2 * TEAM_LIMITS.messagesUnread + 2).keys()].map((index) => index + 1),
      );
    });

    verifies('team.db.no-poison', `${name}: a refusal changes nothing, and what comes next works`, async () => {
      const { mail, send } = fresh();
      for (let count = 0; count < TEAM_LIMITS.messagesUnread; count++) await send('x');
      const before = await mail.messages(CONVERSATION, { limit: 1_000 });
      for (let count = 0; count < 3; count++)
        await expect(send('y')).rejects.toMatchObject({ code: 'inbox_full', details: { id: 'a', unread: 200 } });
      expect(await mail.messages(CONVERSATION, { limit: 1_000 })).toEqual(before);
      await moveCursor(mail, HOLDER, 1);
      expect(await send('z'), 'of what one read as much fits').toBe(201);
      await expect(send('y')).rejects.toMatchObject({ code: 'inbox_full' });
    });

    test('two that write at once both count', async () => {
      const { mail, again } = fresh();
      const other = again();
      const both = [mail, other].flatMap((one) => [...Array(25).keys()].map(() => sendTo(one, 'a', message('x'))));
      const numbers = (await Promise.all(both)).sort((left, right) => left - right);
      expect(numbers).toEqual([...Array(50).keys()].map((index) => index + 1));
    });
  });
}
