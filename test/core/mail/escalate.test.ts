import { expect, test } from 'vitest';
import { type Conversation, MAIL_VIEW, type MailAnswers } from '#core/mail/conversation.js';
import { type Directory, directoryOf, roleOf } from '#core/mail/directory.js';
import { escalate } from '#core/mail/escalate.js';
import { standingsOf } from '#core/mail/standings.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { answered } from '../../answered.js';
import { DIRECTORY, run } from './stage.js';
import { seedTree } from './tree.js';

const conversation = (initiator: string, recipient: string, more: Partial<Conversation> = {}): Conversation => ({
  ...{ id: `c-${recipient}`, teamId: null, parentId: null, initiator, recipient, kind: 'work', openedBy: null },
  ...{ taskId: 't', state: 'active', depth: 1, turn: 1, createdAt: 1, round: 0 },
  ...more,
});

/** A question of whoever speaks, at work on a conversation or on none. */
function asked(speaker: string, own: Conversation | undefined, more: object = {}, directory: Directory = DIRECTORY) {
  const others = new Map<string, Conversation>();
  const answers = {
    ofTask: (task: string) => (task === 't' ? own : undefined),
    message: () => undefined,
    conversation: (id: string) => others.get(id) ?? (own?.id === id ? own : undefined),
    openedBy: () => [],
    unreadAtLeast: () => undefined,
    latestRound: () => 0,
    lastNumber: () => 0,
    teamStatus: () => 'active',
  } as unknown as MailAnswers;
  for (const one of (more as { above?: Conversation[] }).above ?? []) others.set(one.id, one);
  const call = { directory, at: 1, messageId: 'm', uuid: '0'.repeat(36), most: 3, starter: undefined };
  const question = { ...call, speaker: run(speaker, 't'), question: 'How?', options: [], ...more };
  const plan = answered(escalate(MAIL_VIEW, question as never), answers);
  return { to: plan.result.to, kind: plan.conversations[0]?.kind, body: plan.messages[0]?.body, plan };
}
const code = (work: () => unknown) => {
  try {
    return String(work());
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const alone = directoryOf(standingsOf({ ...seedTree(), humans: [] }), []);

test('a question goes to whoever asked where they are above, else to the next lead', () => {
  const lead = 'teaparty/coding/lead';
  expect(asked(lead, undefined)).toMatchObject({ to: 'teaparty/lead', kind: 'work' });
  expect(asked(lead, conversation('human/ann', lead))).toMatchObject({ to: 'teaparty/lead', kind: 'work' });
  expect(asked(lead, conversation('om', lead))).toMatchObject({ to: 'om', kind: 'question' });
  expect(asked(lead, conversation('teaparty/lead', lead))).toMatchObject({ to: 'teaparty/lead', kind: 'question' });
});

test('an agent that leads nobody gives its work back with the question', () => {
  const developer = 'teaparty/coding/developer';
  const given = asked(developer, conversation('teaparty/coding/lead', developer));
  expect(given.to).toBe('teaparty/coding/lead');
  expect(given.plan.messages[0]).toMatchObject({ type: 'needs-answer', body: 'How?' });
  expect(asked(developer, undefined).to).toBe('teaparty/coding/lead');
});

test('the topmost asks the person who decides, else the one it all began with, else who started it', () => {
  expect(asked('om', undefined)).toMatchObject({ to: 'human/ann', kind: 'work' });
  const began = conversation('human/zoe', 'x', { id: 'first' });
  const between = conversation('x', 'y', { id: 'second', parentId: 'first' });
  const own = conversation('y', 'om', { parentId: 'second' });
  expect(asked('om', own, { above: [began, between] }, alone).to).toBe('human/zoe');
  expect(asked('om', conversation('human/zoe', 'om'), {}, alone).to).toBe('human/zoe');
  const orphan = conversation('human/zoe', 'om', { parentId: 'gone' });
  expect(asked('om', orphan, {}, alone).to, 'as far back as it is known').toBe('human/zoe');
  expect(asked('om', undefined, { starter: 'Bo' }, alone).to).toBe('human/bo');
  expect(asked('om', conversation('y', 'om'), { starter: 'Bo' }, alone).to).toBe('human/bo');
  expect(code(() => asked('om', undefined, {}, alone))).toBe('unresolved_member');
  expect(code(() => asked('nobody/at-all', undefined))).toBe('routing_refused');
});

test('the choices stand below the question, no more than a person looks through', () => {
  const options = Array.from({ length: TEAM_LIMITS.promptListRows + 2 }, (_, at) => `o${at}`);
  const { body = '' } = asked('om', undefined, { options });
  expect(body.split('\n')).toEqual(['How?', ...options.slice(0, -2).map((option, at) => `${at + 1}. ${option}`)]);
});

test('what a person is to those who ask', () => {
  const humans = [
    { name: '—', role: 'informed' as const },
    { name: 'Ann Lee', role: 'decider' as const },
  ];
  expect([roleOf(humans, 'human/ann-lee'), roleOf(humans, 'human/bo'), roleOf([], 'human/ann')]).toEqual([
    ...['decider', undefined, undefined],
  ]);
});
