import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteMessages } from '#adapters/messages/sqlite-messages.js';
import { SqliteOutbox } from '#adapters/outbox/sqlite-outbox.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { taskConversation } from '#core/messages/message.js';
import { messagesContract } from '../../contract/messages.js';
import { FREE_TURN } from '../../free-turn.js';
import { room } from '../../room.js';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../data/teams');
const clock = { now: () => 1_000 };

function place() {
  const folder = path.join(room(), '.workgraph');
  mkdirSync(folder);
  const open = () => {
    const messages = new SqliteMessages(
      new TeamsDatabase({
        turn: FREE_TURN,
        copies: path.join(folder, 'copies'),
        folder,
        migrations: MIGRATIONS,
        clock,
      }),
    );
    onTestFinished(() => messages.close());
    return messages;
  };
  const outbox = () =>
    new SqliteOutbox(
      new TeamsDatabase({
        turn: FREE_TURN,
        copies: path.join(folder, 'copies'),
        folder,
        migrations: MIGRATIONS,
        clock,
      }),
    );
  return { open, outbox };
}

const one = (id: string, body = 'x') => ({
  id,
  conversation: taskConversation('a'),
  sender: 'human/ann',
  sender_name: 'ann',
  speaks_for: 'human/ann',
  body,
  priority: 'normal' as const,
  created_at: 1,
});
const BY = { from: 'ann', kind: 'person' as const };
const TO = { task: 'a', holder: 'task/a' };

messagesContract('SQLite', () => {
  const { open, outbox } = place();
  return { messages: open(), outbox: outbox(), again: open };
});

test('nothing has been read where nothing was ever written, and what is unread is asked for anew', async () => {
  const { open } = place();
  const [mine, other] = [open(), open()];
  expect(await mine.cursor('human/ann', 'c')).toBe(0);
  await mine.send(one('m1'), TO, BY);
  expect(await mine.cursor('human/ann', one('m1').conversation)).toBe(0);
  const told = async () => (await mine.unread(9)).flatMap(({ messages }) => messages.map(({ id }) => id));
  expect([await told(), await told()]).toEqual([['m1'], ['m1']]);
  await other.send(one('m2'), TO, BY);
  expect(await told(), 'of another process').toEqual(['m1', 'm2']);
  await mine.send(one('m3'), TO, BY);
  expect(await told(), 'of this one').toEqual(['m1', 'm2', 'm3']);
  expect([await mine.unread(9, 'b'), await mine.unread(0)]).toEqual([[], []]);
  expect(await told()).toEqual(['m1', 'm2', 'm3']);
});
