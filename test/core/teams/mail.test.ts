import { describe, expect, test } from 'vitest';
import {
  defaultRecipients,
  MAIL_TYPES,
  mailFor,
  mentionsIn,
  type Recipient,
  recipientsOf,
  senderKind,
  type TeamMessage,
  threadOf,
} from '#core/teams/mail.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { verifies } from '../../verifies.js';
import { CREW, TEAM_ID } from './crew.js';

const AT = 1_000_000;
const message = (id: string, recipients: readonly Recipient[], more: Partial<TeamMessage> = {}): TeamMessage => ({
  ...{
    id,
    teamId: TEAM_ID,
    number: 1,
    sender: 'human/ann',
    senderName: 'Ann',
    member: null,
    position: null,
    type: 'message',
  },
  ...{ body: 'x', thread: id, replyTo: null, task: null, origin: id, depth: 0, createdAt: AT },
  recipients,
  ...more,
});
const to = (member: string, readAt: number | null = null): Recipient => ({ member, role: 'to', readAt });
const cc = (member: string, readAt: number | null = null): Recipient => ({ member, role: 'cc', readAt });
const ids = (messages: readonly TeamMessage[]) => messages.map(({ id }) => id);

describe('mail of a team', () => {
  verifies('team.mail', 'ten types; a reply inherits the thread, any other message begins its own', () => {
    expect(MAIL_TYPES).toEqual([
      ...['message', 'system_notification', 'idle', 'plan_approval_request', 'plan_approved', 'plan_rejected'],
      ...['shutdown_request', 'shutdown_approved', 'shutdown_rejected', 'custom'],
    ]);
    expect(threadOf('m-1', undefined)).toBe('m-1');
    expect(threadOf('m-3', message('m-2', [], { thread: 'm-1' }))).toBe('m-1');
  });

  verifies('team.mail', '`to` beats `cc`, each member counts once, and read state is that of one recipient', () => {
    const recipients = recipientsOf(CREW, { to: ['Hicks', 'HICKS'], cc: ['hicks', 'vasquez'] });
    expect(recipients).toEqual([to('hicks'), cc('vasquez')]);
    expect(() => recipientsOf(CREW, { to: ['Gorman'], cc: [] })).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
    const both = [message('m-1', [to('hicks', AT), to('vasquez')])];
    const later = AT + TALK_LIMITS.mailReadMs + 1;
    expect([ids(mailFor(both, 'hicks', later)), ids(mailFor(both, 'vasquez', later))]).toEqual([[], ['m-1']]);
  });

  verifies('team.mail.ttl', 'told of for as long as its kind says; unread direct mail for ever', () => {
    const system = { sender: 'system', senderName: 'Troupe' };
    const all = [
      message('system', [to('hicks')], system),
      message('system, read', [to('hicks', AT + 1)], system),
      message('copy', [cc('hicks')]),
      message('copy, read', [cc('hicks', AT + 1)]),
      message('direct', [to('hicks')]),
      message('direct, read', [to('hicks', AT + 5)]),
      message('of others', [to('vasquez')]),
    ];
    const told = (after: number) => ids(mailFor(all, 'hicks', AT + after));
    const minutes = 60_000;
    expect(told(15 * minutes)).toEqual(ids(all).slice(0, 6));
    expect(told(15 * minutes + 1)).toEqual(['copy', 'copy, read', 'direct', 'direct, read']);
    expect(told(30 * minutes + 1)).toEqual(['direct', 'direct, read']);
    expect(told(120 * minutes + 5)).toEqual(['direct', 'direct, read']);
    expect(told(120 * minutes + 6)).toEqual(['direct']);
    expect(told(10_000 * minutes)).toEqual(['direct']);
  });

  test('who wrote is a person, an agent or the system; a message without an addressee is for the leader', () => {
    const kinds = ['human/ann', 'crew/lead', 'crew/hicks', 'system'].map((sender) => senderKind({ sender }));
    expect(kinds).toEqual(['person', 'agent', 'agent', 'system']);
    expect([defaultRecipients(CREW, undefined), defaultRecipients(CREW, 'ripley')]).toEqual([['ripley'], []]);
  });

  test('members are mentioned by an at sign before their name', () => {
    expect(mentionsIn('@Hicks and (@vasquez), not me@newt.example, @gorman or @nobody @hicks', CREW)).toEqual([
      'hicks',
      'vasquez',
    ]);
  });
});
