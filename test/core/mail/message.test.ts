import path from 'node:path';
import { expect, test } from 'vitest';
import { checkedBody, personReader } from '#core/mail/message.js';
import { taskNotice } from '#core/mail/notice.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { codeOf } from '../graph/graph.js';

test('names and bodies: the largest there may be, and one more', () => {
  expect([' Ann  Lee ', 'ÄNN', '\uff41nn', 'x'.repeat(TEAM_LIMITS.messageNameCharacters)].map(personReader)).toEqual([
    ...['human/ann-lee', 'human/änn', 'human/ann', `human/${'x'.repeat(TEAM_LIMITS.messageNameCharacters)}`],
  ]);
  for (const name of ['', '  ', 'a/b', 'a:b', 'a\u0007b', 'x'.repeat(TEAM_LIMITS.messageNameCharacters + 1)])
    expect(
      codeOf(() => personReader(name)),
      name,
    ).toBe('bad_input');
  expect(checkedBody(' x ')).toBe(' x ');
  const bodies = [
    ' \n',
    'a\0b',
    'x'.repeat(TEAM_LIMITS.messageBytes),
    'x'.repeat(TEAM_LIMITS.messageBytes + 1),
    'ä'.repeat(TEAM_LIMITS.messageBytes / 2 + 1),
  ];
  expect(bodies.map((body) => codeOf(() => checkedBody(body)))).toEqual([
    ...['empty_message', 'bad_input', 'none', 'message_too_large', 'message_too_large'],
  ]);
});

test('a notice of a task says all that a person needs, and nothing that is not there', async () => {
  const options = { run: 'r', claimedAt: 0, number: 0, now: 3_600_000, project: 'book', room: true };
  const task = { kind: 'task', id: 't', title: 'Write', status: 'in-progress' } as const;
  const whole = {
    ...task,
    description: 'All of it.',
    verify: 'It reads well.',
    checkpoint: 'Half.',
    deliverables: ['a.md', 'b.md'],
  };
  const notices = [
    taskNotice(whole, options),
    taskNotice(whole, { ...options, number: 2, room: false }),
    taskNotice(task, options),
  ];
  await expect(`${JSON.stringify(notices, undefined, 1)}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, 'golden/notices.json.txt'),
  );
});
