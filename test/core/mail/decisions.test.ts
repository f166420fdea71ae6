import path from 'node:path';
import { expect, test } from 'vitest';
import { closeConversation, end, reply } from '#core/mail/close.js';
import {
  type Conversation,
  MAIL_VIEW,
  type MailAnswers,
  type MailPlan,
  type MailView,
} from '#core/mail/conversation.js';
import { ancestors, entryNamed, isDerivable, nameOf, rosterOf } from '#core/mail/directory.js';
import { type NewSend, type Speaker, send } from '#core/mail/send.js';
import { acknowledge, beginTurn } from '#core/mail/turns.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Queried } from '#kernel/query.js';
import { answered } from '../../answered.js';
import { DIRECTORY, PERSON, run } from './stage.js';

const LEAD = 'teaparty/coding/lead';
const DEVELOPER = 'teaparty/coding/developer';
const ABOVE = 'teaparty/lead';

const conversation = (id: string, more: Partial<Conversation> = {}): Conversation => ({
  ...{ id, teamId: null, parentId: null, initiator: ABOVE, recipient: LEAD, kind: 'work', openedBy: 'above' },
  ...{ taskId: 'own', state: 'active', depth: 1, turn: 1, createdAt: 1, round: 4 },
  ...more,
});
/** What the lead works on, what it has asked others meanwhile, and what these have. */
const OWN = conversation('work');
const BELOW = conversation('below', {
  initiator: LEAD,
  recipient: DEVELOPER,
  openedBy: 'own',
  taskId: 'below',
  parentId: 'work',
  round: 2,
});
const DEEPER = conversation('deeper', { initiator: DEVELOPER, recipient: 'x', openedBy: 'below', taskId: 'deeper' });
const BACK = conversation('back', {
  initiator: LEAD,
  recipient: ABOVE,
  kind: 'question',
  openedBy: 'own',
  taskId: 'above',
  round: 2,
});
const NOTE = conversation('note', {
  initiator: LEAD,
  recipient: 'human/ben',
  kind: 'note',
  openedBy: 'own',
  taskId: null,
});
const ALL = [OWN, BELOW, DEEPER, BACK, NOTE];

const unreadOf = (unread: number) => (_member: string, least: number) => (unread < least ? undefined : unread);

type World = Partial<MailAnswers> & { readonly all?: readonly Conversation[] };
function answersOf({ all = [OWN], ...more }: World = {}): MailAnswers {
  const isOpen = ({ state }: Conversation) => state !== 'closed' && state !== 'withdrawn';
  return {
    conversation: (id) => all.find((one) => one.id === id),
    ofTask: (task) => all.find((one) => one.taskId === task && one.kind === 'work'),
    openedBy: (task) => all.filter((one) => one.openedBy === task && isOpen(one)),
    latestRound: () => 6,
    unreadAtLeast: unreadOf(0),
    unreadTalk: () => 0,
    message: () => undefined,
    lastNumber: () => 9,
    teamStatus: () => 'active',
    ...more,
  };
}

/** Everything that a decision writes and answers, or its refusal. */
function told(decide: (view: MailView) => Queried<MailPlan<unknown>>, world: World = {}): string[] {
  try {
    return Object.entries(answered(decide(MAIL_VIEW), answersOf(world))).flatMap(([part, value]) =>
      Array.isArray(value)
        ? value.map((one) => `    ${part}: ${JSON.stringify(one)}`)
        : [`    ${part}: ${JSON.stringify(value)}`],
    );
  } catch (error) {
    if (error instanceof TroupeError) return [`    ${error.code}: ${error.message} ${error.hint ?? ''}`.trimEnd()];
    throw error;
  }
}

const CALL = { directory: DIRECTORY, at: 1_000, messageId: 'm-1', uuid: '00000001-0000-4000-8000-000000000000' };
const sends =
  (speaker: Speaker, to: string, more: Partial<NewSend> = {}) =>
  (view: MailView) =>
    send(view, { ...CALL, speaker, to, text: 'do it', conversation: undefined, most: 3, ...more });
const own = run(LEAD, 'own');
const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ...BELOW, id: `below-${at}` }));

test('what a message to each of those there are writes, and whom it does not reach', async () => {
  const rows: Record<string, string[]> = {
    'a person to an agent': told(sends(PERSON, LEAD)),
    'a person to a person': told(sends(PERSON, 'human/ben')),
    'a person to a member': told(sends(PERSON, 'airlock/hicks')),
    'a person to a name': told(sends(PERSON, 'ripley')),
    'a person to a slip': told(sends(PERSON, `${LEAD}s`)),
    'a person to nobody': told(sends(PERSON, 'nothing like it')),
    'a person where nobody is': told(sends(PERSON, 'x', { directory: new Map() })),
    'down by the roster': told(sends(own, 'developer')),
    'down by the id': told(sends(own, DEVELOPER)),
    'to whoever asked': told(sends(own, ABOVE)),
    'to a person who asked': told(sends(own, 'human/ann'), {
      all: [{ ...OWN, initiator: 'human/ann', openedBy: null }],
    }),
    'to the person who decides': told(sends(run('om', 'own'), 'human/ann'), { all: [{ ...OWN, recipient: 'om' }] }),
    'to a person who advises': told(sends(run('om', 'own'), 'human/ben'), { all: [{ ...OWN, recipient: 'om' }] }),
    'not in the roster': told(sends(own, 'om')),
    'a name that is not in the roster': told(sends(own, 'ripley')),
    nobody: told(sends(own, 'nobody')),
    'from nobody': told(sends(run('ghost', 'own'), 'developer')),
    'from one who leads nobody': told(sends(run(DEVELOPER, 'own'), LEAD)),
    'without a task': told(sends({ ...own, task: undefined, fence: undefined }, 'developer')),
    'an empty text': told(sends(own, 'developer', { text: ' ' })),
    twice: told(sends(own, 'developer'), {
      message: () => ({ conversation: 'work', number: 3, sender: LEAD, body: '', to: [] }),
    }),
    'twice, of one that is gone': told(sends(own, 'developer'), {
      message: () => ({ conversation: 'gone', number: 3, sender: LEAD, body: '', to: [] }),
    }),
    'the claim is over': told(sends(own, 'developer'), { all: [{ ...OWN, turn: 2 }] }),
    'a task without a claim': told(sends({ ...own, fence: undefined }, 'developer'), { all: [{ ...OWN, turn: 2 }] }),
    'a claim of no conversation': told(sends({ ...own, fence: 0 }, 'developer'), { ofTask: () => undefined }),
    'its own one is closed': told(sends(own, 'developer'), { all: [{ ...OWN, state: 'closed' }] }),
    'its own one is paused': told(sends(own, 'developer'), { all: [{ ...OWN, state: 'paused' }] }),
    'with one place left': told(sends(own, 'developer'), { all: [OWN, ...many(2)] }),
    'with none left': told(sends(own, 'developer'), { all: [OWN, ...many(3)] }),
    'with none left but for notes': told(sends(own, 'developer'), { all: [OWN, NOTE, NOTE, NOTE] }),
    'as deep as may be': told(sends(own, 'developer'), { all: [{ ...OWN, depth: TEAM_LIMITS.conversationDepth - 1 }] }),
    'too deep': told(sends(own, 'developer'), { all: [{ ...OWN, depth: TEAM_LIMITS.conversationDepth }] }),
    'an inbox with one place': told(sends(PERSON, LEAD), { unreadAtLeast: unreadOf(TEAM_LIMITS.messagesUnread - 1) }),
    'an inbox that is full': told(sends(PERSON, LEAD), { unreadAtLeast: unreadOf(TEAM_LIMITS.messagesUnread) }),
    'one who is paused': told(sends(PERSON, 'airlock/vasquez')),
    'a team that has ended': told(sends(PERSON, 'airlock/hicks'), { teamStatus: () => 'archived' as never }),
    'a team that is gone': told(sends(PERSON, 'airlock/hicks'), { teamStatus: () => undefined }),
  };
  const on = (speaker: Speaker, id: string, world: World = { all: ALL }) =>
    told(sends(speaker, 'x', { conversation: id }), world);
  Object.assign(rows, {
    'on, by the one who asked': on(run(ABOVE, 'above'), 'work'),
    'on, by the one who is asked': on(own, 'work'),
    'on, in a note': on(own, 'note'),
    'on, in one that is paused': on(own, 'work', { all: [{ ...OWN, state: 'paused' }] }),
    'on, in one that is closed': on(own, 'work', { all: [{ ...OWN, state: 'closed' }] }),
    'on, in one that is gone': on(own, 'gone'),
    'on, in a talk': on(own, 'work', { all: [{ ...OWN, kind: 'talk' }] }),
    'on, by somebody else': on(PERSON, 'work'),
    'on, by another run of the same agent': on(run(ABOVE, 'other'), 'work'),
    'on, to a full inbox': on(own, 'work', { unreadAtLeast: unreadOf(TEAM_LIMITS.messagesUnread) }),
  });
  const lines = Object.entries(rows).flatMap(([title, found]) => [`  ${title}`, ...found]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/sends.txt'));
});

test('how a conversation ends, and what ends with it', async () => {
  const answers = (speaker: Speaker, id: string, world: World = { all: ALL }) =>
    told((view) => reply(view, { ...CALL, speaker, conversation: id, text: 'done', type: 'reply' }), world);
  const closes = (speaker: Speaker, id: string, world: World = { all: ALL }) =>
    told((view) => closeConversation(view, { speaker, id }), world);
  const ends = (how: 'answered' | 'agent_lost' | 'withdrawn', id: string, world: World = { all: ALL }) =>
    told((view) => end(view, { id, ending: { how, words: 'over' }, at: 5, messageId: 'm-2' }), world);
  const stored = { conversation: 'work', number: 2, sender: LEAD, body: '', to: [] };
  const rows: Record<string, string[]> = {
    'a run answers': answers(own, 'own'),
    'a run answers, the last of its round': answers(own, 'own', { all: [OWN] }),
    'a person answers': answers({ ...PERSON, id: LEAD }, 'work', { all: [OWN] }),
    'a person is asked': answers(PERSON, 'p', {
      all: [conversation('p', { recipient: 'human/ann', taskId: 'p', openedBy: null })],
    }),
    'a person answers under a claim': answers({ ...PERSON, task: 'p', fence: 1 }, 'p', {
      all: [conversation('p', { recipient: 'human/ann', taskId: 'p', openedBy: null })],
    }),
    'a question is answered': answers(run(ABOVE, 'above'), 'back', { all: [OWN, BACK, NOTE] }),
    'a question is answered while work is awaited': answers(run(ABOVE, 'above'), 'back', { all: [OWN, BACK, BELOW] }),
    'a note is answered': answers({ ...PERSON, id: 'human/ben' }, 'note'),
    'whoever asked answers': answers(run(ABOVE, 'above'), 'work'),
    twice: answers(own, 'own', { message: () => stored }),
    'the claim is over': answers(own, 'own', { all: [{ ...OWN, turn: 2 }] }),
    'no conversation of its own': answers(run(LEAD, 'elsewhere'), 'own', { ofTask: () => undefined }),
    'its own, by a person without a task': answers({ ...PERSON, id: LEAD }, 'own', {}),
    'whoever asked closes': closes(run(ABOVE, 'above'), 'work'),
    'whoever asked closes a note': closes(own, 'note'),
    'whoever asked closes what nobody works on': closes(own, 'n', {
      all: [conversation('n', { initiator: LEAD, openedBy: 'own', taskId: null })],
    }),
    'whoever is asked closes': closes(own, 'work'),
    'a stale run closes': closes(own, 'note', { all: [{ ...OWN, turn: 2 }, NOTE] }),
    'the last words': ends('answered', 'work'),
    'the run is lost': ends('agent_lost', 'below', { all: [OWN, BELOW] }),
    withdrawn: ends('withdrawn', 'below'),
    'over already': ends('withdrawn', 'work', { all: [{ ...OWN, state: 'closed' }] }),
    gone: ends('withdrawn', 'gone'),
  };
  const turns = (fence: number, one: Partial<Conversation>) =>
    told((view) => beginTurn(view, { task: 'own', fence }), { all: [{ ...OWN, ...one }] });
  Object.assign(rows, {
    'a first turn': turns(1, { state: 'pending', turn: 0 }),
    'the same turn, still pending': turns(1, { state: 'pending' }),
    'the same turn': turns(1, {}),
    'another turn': turns(2, {}),
    'another turn of a paused one': turns(2, { state: 'paused' }),
    'a turn of no conversation': told((view) => beginTurn(view, { task: 'x', fence: 1 })),
    read: told((view) => acknowledge(view, { speaker: own, message: 'm' }), {
      message: () => ({ ...stored, to: [LEAD] }),
    }),
    'read by another': told((view) => acknowledge(view, { speaker: own, message: 'm' }), { message: () => stored }),
    'read by a stale run': told((view) => acknowledge(view, { speaker: own, message: 'm' }), {
      all: [{ ...OWN, turn: 2 }],
    }),
  });
  const lines = Object.entries(rows).flatMap(([title, found]) => [`  ${title}`, ...found]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/endings.txt'));
});

test('who is above whom, whom each may write to, and which conversations the rosters still allow', async () => {
  const lines = [...DIRECTORY.values()].flatMap((party) => {
    const { derived, place, prompt: _, ...rest } = party;
    const roster = rosterOf(DIRECTORY, party, undefined);
    const reached = [...DIRECTORY.keys(), 'human/ann', 'gone'].filter((recipient) =>
      isDerivable(DIRECTORY, { initiator: party.id, recipient }),
    );
    return [
      `${party.id} ${JSON.stringify({ ...rest, does: place?.does })}`,
      `  above: ${[...ancestors(DIRECTORY, party)].join(', ')}`,
      `  roster: ${[...roster].map(([key, { type = 'agent' }]) => `${key} ${type} ${entryNamed(roster, key)?.id}`).join(', ')}`,
      `  asked by om: ${[...rosterOf(DIRECTORY, party, 'om').keys()].join(', ')}`,
      `  may still write to: ${reached.join(', ')}`,
    ];
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/directory.txt'));
  const person = (recipient: string) => isDerivable(DIRECTORY, { initiator: 'human/ann', recipient });
  expect([person('human/ben'), person(LEAD), person('gone')]).toEqual([true, true, false]);
  expect(isDerivable(DIRECTORY, { initiator: 'gone', recipient: 'human/ann' })).toBe(false);
  expect(['om', LEAD, 'a/b/c'].map((id) => nameOf(DIRECTORY, id))).toEqual(['om', 'coding-lead', 'c']);
  expect(entryNamed(new Map(), 'x')).toBeUndefined();
});

test('a further conversation joins the round of the first one awaited, else the next round begins', () => {
  const round = (speaker: Speaker, to: string, ...opened: Conversation[]) =>
    answered(sends(speaker, to)(MAIL_VIEW), answersOf({ all: [OWN, ...opened] })).conversations[0]?.round;
  expect([
    round(own, 'developer'),
    round(own, 'developer', NOTE),
    round(own, 'developer', NOTE, BELOW),
    round(own, 'developer', BELOW, { ...BACK, round: 3 }),
    round(PERSON, LEAD, BELOW),
  ]).toEqual([7, 7, 2, 2, 0]);
});
