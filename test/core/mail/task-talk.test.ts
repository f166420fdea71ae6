import { expect, test } from 'vitest';
import { type Conversation, MAIL_VIEW, type MailAnswers } from '#core/mail/conversation.js';
import type { Message, NewMessage } from '#core/mail/message.js';
import { send } from '#core/mail/send.js';
import { talk } from '#core/mail/task-talk.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { answered } from '../../answered.js';
import { verifies } from '../../verifies.js';
import { DIRECTORY, PERSON, run } from './stage.js';

const NOTHING: MailAnswers = {
  conversation: () => undefined,
  ofTask: () => undefined,
  openedBy: () => [],
  latestRound: () => 0,
  unreadAtLeast: () => undefined,
  unreadTalk: () => 0,
  message: () => undefined,
  lastNumber: () => 0,
  teamStatus: () => 'active',
};
const MESSAGE: Omit<NewMessage, 'conversation'> = {
  ...{ id: 'm-1', sender: 'human/ann', sender_name: 'ann', speaks_for: 'human/ann', body: 'Look', priority: 'normal' },
  created_at: 7,
};
const written = (world: Partial<MailAnswers> = {}, message: Partial<typeof MESSAGE> = {}) =>
  answered(talk(MAIL_VIEW, { task: 'seal', message: { ...MESSAGE, ...message }, kind: 'person' } as never), {
    ...NOTHING,
    ...world,
  });

verifies('msg.task', 'a message about a task is numbered, opens the conversation once and reaches the graph', () => {
  const posted = { ...MESSAGE, conversation: 'task:seal', type: 'message', to: null, toTask: null };
  const first = written();
  expect(first).toEqual({
    conversations: [
      {
        ...{ id: 'task:seal', teamId: null, parentId: null, initiator: 'human/ann', recipient: 'task/seal' },
        ...{ kind: 'talk', openedBy: null, taskId: 'seal', state: 'active', round: 0, depth: 0, turn: 0, createdAt: 7 },
      },
    ],
    messages: [posted],
    cursors: [],
    outbox: [{ id: 'm-1', op: 'task.message', args: { task_id: 'seal', from: 'ann', kind: 'person', number: 1 } }],
    result: 1,
  });
  const later = written({ conversation: () => first.conversations[0] as Conversation, lastNumber: () => 4 });
  expect([later.conversations, later.result]).toEqual([[], 5]);
});

verifies('msg.task', 'a message that comes again has the number it got; another one of that id is refused', () => {
  const stored = { ...MESSAGE, conversation: 'task:seal', number: 3 } as Message;
  const again = (more: Partial<Message>, message: Partial<typeof MESSAGE> = {}) =>
    written({ message: () => ({ ...stored, ...more }) as never }, message);
  expect(again({})).toEqual({ conversations: [], messages: [], cursors: [], outbox: [], result: 3 });
  for (const more of [{ conversation: 'task:else' }, { sender: 'human/ben' }, { body: 'Look away' }])
    expect(() => again(more)).toThrow(expect.objectContaining({ code: 'request_id_reused' }));
});

verifies('msg.task', 'a task takes no more messages than its agent can read', () => {
  const asked: unknown[] = [];
  const full = (unread: number, speaks_for = 'human/ann') =>
    written(
      {
        unreadTalk: (...about) => {
          asked.push(about);
          return unread;
        },
      },
      { speaks_for },
    );
  expect(full(TEAM_LIMITS.messagesUnread - 1).result).toBe(1);
  expect(() => full(TEAM_LIMITS.messagesUnread, 'task/seal')).toThrow(
    expect.objectContaining({ code: 'inbox_full', details: { id: 'seal', unread: TEAM_LIMITS.messagesUnread } }),
  );
  expect(asked).toEqual([
    ['task:seal', 'task/seal', false],
    ['task:seal', 'task/seal', true],
  ]);
});

test('a refused recipient is answered with the ids and the roster there are, also if there is only one', () => {
  const developer = DIRECTORY.get('teaparty/coding/developer') ?? expect.unreachable();
  const lead = DIRECTORY.get('teaparty/coding/lead') ?? expect.unreachable();
  const hint = (speaker: typeof PERSON, directory: typeof DIRECTORY) => {
    const call = { directory, at: 1, messageId: 'm-1', uuid: '00000001-0000-4000-8000-000000000000' };
    const wish = { ...call, speaker, to: 'zzzzzz', text: 'x', conversation: undefined, most: 3 };
    try {
      answered(send(MAIL_VIEW, wish), NOTHING);
    } catch (error) {
      return (error as { hint?: string }).hint;
    }
    return undefined;
  };
  const most = TEAM_LIMITS.promptListRows;
  const ids = Array.from({ length: most + 1 }, (_, at) => `team-${at}`);
  const known = (count: number) => new Map(ids.slice(0, count).map((id) => [id, { ...developer, id }]));
  expect([0, 1, most, most + 1].map((count) => hint(PERSON, known(count)))).toEqual([
    expect.stringContaining('There is no team yet'),
    'The ids: team-0.',
    `The ids: ${ids.slice(0, most).join(', ')}.`,
    `The ids: ${ids.slice(0, most).join(', ')}, ….`,
  ]);
  const roster = (count: number) => ({
    ...{ ...lead, humans: [] },
    derived: { ...lead.derived, roster: new Map([...lead.derived.roster].slice(0, count)) },
  });
  const own = run(lead.id, 'own');
  expect([0, 1].map((count) => hint(own, new Map([[lead.id, roster(count)]])))).toEqual([
    'Your roster is empty.',
    expect.stringMatching(/^Your roster: [a-z-]+ \([a-z/-]+\)\.$/),
  ]);
});
