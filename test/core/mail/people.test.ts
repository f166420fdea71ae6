import { describe, expect, test } from 'vitest';
import { afterSend, type Notification, personStep, taskNotice } from '#core/mail/notice.js';
import { parseTaskReply, personOf } from '#core/mail/person.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';

const NOW = Date.parse('2026-03-21T10:00:00.000Z');
const DAY = 24 * 60 * 60_000;
const fresh: Notification = { claimedAt: NOW, sent: 0, failures: 0 };

describe('telling a person', () => {
  const cases: [string, Notification, number, ReturnType<typeof personStep>][] = [
    ['at once', fresh, NOW, { do: 'notify', number: 0 }],
    ['by the claim where no time of sending is known', { ...fresh, sent: 1 }, NOW, { do: 'wait', until: NOW + DAY }],
    ['by the claim where no failure is timed', { ...fresh, failures: 1 }, NOW, { do: 'wait', until: NOW + 5 * 60_000 }],
    ['not twice', { ...fresh, sent: 1, lastSentAt: NOW }, NOW + 1, { do: 'wait', until: NOW + DAY }],
    ['a day later', { ...fresh, sent: 1, lastSentAt: NOW }, NOW + DAY, { do: 'notify', number: 1 }],
    [
      'a day after that',
      { ...fresh, sent: 2, lastSentAt: NOW + DAY },
      NOW + DAY + 1,
      { do: 'wait', until: NOW + 2 * DAY },
    ],
    ['the third time', { ...fresh, sent: 3, lastSentAt: NOW }, NOW + DAY, { do: 'notify', number: 3 }],
    ['not a fourth time', { ...fresh, sent: 4, lastSentAt: NOW }, NOW + 90 * DAY, { do: 'wait' }],
    [
      'again soon',
      { ...fresh, failures: 1, lastFailedAt: NOW },
      NOW + 1,
      { do: 'wait', until: NOW + TEAM_LIMITS.notifyRetryMs },
    ],
    [
      'again then',
      { ...fresh, failures: 2, lastFailedAt: NOW },
      NOW + TEAM_LIMITS.notifyRetryMs,
      { do: 'notify', number: 0 },
    ],
  ];
  for (const [title, told, now, step] of cases)
    test(`is told ${title}`, () => {
      expect(personStep(told, now)).toEqual(step);
    });

  test('a whole story: told, reminded three times a day apart, then left in peace', () => {
    let told = fresh;
    const at: number[] = [];
    for (let now = NOW; now <= NOW + 10 * DAY; now += 60 * 60_000) {
      const step = personStep(told, now);
      if (step.do !== 'notify') continue;
      at.push((now - NOW) / DAY);
      told = afterSend(told, true, now);
    }
    expect(at).toEqual([0, 1, 2, 3]);
  });

  test('the third send in a row that fails releases the task, with a note; one that works begins the count anew', () => {
    let told = afterSend(afterSend(fresh, false, NOW), false, NOW + 1);
    expect(personStep(told, NOW + DAY).do).toBe('notify');
    expect(personStep(afterSend(told, false, NOW + 2), NOW + 3)).toEqual({
      do: 'release',
      note: 'Released: 3 notices in a row could not be sent',
    });
    told = afterSend(told, true, NOW + 2);
    expect(told).toEqual({ claimedAt: NOW, sent: 1, lastSentAt: NOW + 2, failures: 0 });
  });
});

describe('what a person is told', () => {
  const task = {
    kind: 'task',
    id: 'sign-off',
    title: 'Sign \u001b[31moff\r\nBcc: everybody@example.org',
    status: 'in-progress',
    description: 'Look at <b>this</b>\nand \u202ethat',
    checkpoint: 'half is signed',
  } as const;
  const options = { run: 'agent-7', claimedAt: NOW, number: 0, now: NOW, project: 'parser', room: false };

  test('title, description and how to answer, with nothing that acts', () => {
    const { subject, text, id } = taskNotice(task, options);
    expect(id).toMatch(/^agent-7\.[a-z0-9]+$/);
    expect(subject).toBe('[parser] Sign \\u{1b}[31moff Bcc: everybody@example.org');
    expect(text).toContain('Look at <b>this</b>\nand \\u{202e}that');
    expect(text).toContain('half is signed');
    expect(text).toContain('troupe done sign-off');
    expect(taskNotice(task, { ...options, room: true }).text).toContain('!fail sign-off WHY');
  });

  test('a reminder has an id of its own, and says how long it has been', () => {
    const reminder = taskNotice(task, { ...options, number: 2, now: NOW + 2 * DAY });
    expect(reminder.id).toBe(`${taskNotice(task, options).id}.2`);
    expect(reminder.text).toContain('Reminder 2 of 3');
    expect(reminder.text).toContain('for 2d.');
  });
});

describe('what a person answers', () => {
  const ann = '@ann:example.org';
  const contact = (id: string) => (id === 'sign-off' ? ann : undefined);
  const said = (text: string, sender = ann) => parseTaskReply({ sender, text }, contact);

  verifies('human.matrix', 'words in the room count only from the contact of the agent who holds the task', () => {
    expect(said('!done sign-off')).toEqual({ do: 'done', id: 'sign-off' });
    expect(said('  !fail sign-off  the licence\nis unclear ')).toEqual({
      do: 'fail',
      id: 'sign-off',
      why: 'the licence\nis unclear',
    });
    for (const other of ['@eve:example.org', '@ann:example.org.evil', '@Ann:example.org', ''])
      expect(said('!done sign-off', other), other).toBeUndefined();
    expect(said('!done other-task')).toBeUndefined();
  });

  test('everything else is only talk', () => {
    for (const text of [
      'done sign-off',
      '!done',
      '!done sign-off please',
      '!fail sign-off',
      '!doner sign-off',
      'ok !done sign-off',
    ])
      expect(said(text), text).toBeUndefined();
    expect(said(`!fail sign-off ${'x'.repeat(10_000)}`)).toMatchObject({ why: expect.stringMatching(/^x{1999}…$/) });
  });
});

test('a reply counts from the contact of whoever holds the task, in the one form there is', () => {
  const answer = (text: string, sender = 'ann@x') =>
    parseTaskReply({ sender, text }, (id) => (id === 'a' ? 'ann@x' : undefined));
  expect([answer('!done a'), answer(' !done\ta \n')]).toEqual([
    { do: 'done', id: 'a' },
    { do: 'done', id: 'a' },
  ]);
  expect(answer('!fail a  no luck\nat all \n')).toEqual({ do: 'fail', id: 'a', why: 'no luck\nat all' });
  for (const text of [
    '!done a with words',
    '!fail a',
    '!fail a  ',
    '!done',
    '!done b',
    'done a',
    'x !done a',
    '!stop a',
  ])
    expect(answer(text), text).toBeUndefined();
  expect(answer('!done a', 'eve@x')).toBeUndefined();
  expect(answer(`!done ${'x'.repeat(201)}`)).toBeUndefined();
  const long = answer(`!fail a ${'x'.repeat(2 * TEAM_LIMITS.replyReasonCharacters)}`);
  expect(long?.do === 'fail' && long.why.length).toBeLessThanOrEqual(TEAM_LIMITS.replyReasonCharacters);
});

test('a person is told as their executor says, else as the form of their contact does', () => {
  const person = (executor: string, contact?: string, more: object = {}) =>
    personOf({ name: 'Ann', executor, contact, capacity: undefined, ...more });
  expect(person('email')).toEqual({ name: 'Ann', channel: 'email' });
  expect(person('matrix', '@a:x.org')).toEqual({ name: 'Ann', channel: 'matrix', contact: '@a:x.org' });
  expect(person('page', '@a:x.org', { capacity: 2 })).toEqual({
    ...{ name: 'Ann', channel: 'matrix', contact: '@a:x.org', capacity: 2 },
  });
  expect(person('page', 'a@x.org').channel).toBe('email');
  for (const contact of [undefined, 'a', 'a b@x', '@a', 'a@b@c'])
    expect(person('page', contact).channel).toBeUndefined();
  expect(person('email', undefined, { name: 'agent-7' }).name).toBe('person agent-7');
  expect(person('email', undefined, { name: 'agent-7b' }).name).toBe('agent-7b');
});
