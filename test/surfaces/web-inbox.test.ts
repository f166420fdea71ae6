import { expect } from 'vitest';
import type { NowAnswer, NowRow } from '#surfaces/http/contract.js';
import { inboxOf, type ProblemRow, steadyOrder } from '../../web/app/pages/now/inbox.js';
import { verifies } from '../verifies.js';

const row = (id: string, more: Partial<NowRow> = {}): NowRow => ({ id, title: id, state: 'failed', ...more });
const problem = (kind: ProblemRow['kind'], task: string | null, more: Partial<ProblemRow> = {}): ProblemRow => ({
  ...{ kind, task, title: task, text: `${kind}`, since: null, command: `troupe why ${task}` },
  ...more,
});
const now = (rows: readonly NowRow[], more: Partial<NowAnswer> = {}): NowAnswer =>
  ({
    ...{ needs_you: { rows: [...rows], total: rows.length }, alike: [], to_land: 0 },
    ...{ roles: { rows: [], total: 0 } },
    ...more,
  }) as NowAnswer;
const keys = (answer: ReturnType<typeof inboxOf>) => answer.entries.map(({ kind, key }) => `${kind} ${key}`);

verifies('web.now.group', 'a group stands where its first task stood, and is one entry; all are counted', () => {
  const alike = [
    { act: 'retry' as const, state: 'failed' as const, reason: 'no key', ids: ['b', 'd', 'x'], total: 108 },
    { act: 'reopen' as const, state: 'blocked' as const, reason: 'held', ids: ['y', 'z'], total: 2 },
  ];
  const rows = ['a', 'b', 'c', 'd', 'a'].map((id) => row(id));
  const inbox = inboxOf(now(rows, { alike, needs_you: { rows, total: 112 } }), []);
  expect(keys(inbox)).toEqual(['task a', 'group retry no key', 'task c', 'group reopen held']);
  expect(inbox.total).toBe(112);
  expect(inbox.entries[1]).toMatchObject({ total: 108, rows: [{ id: 'b' }, { id: 'd' }] });
});

verifies(
  'web.now.group',
  'a problem is shown once: what stops everything first, what a task says already not at all',
  () => {
    const line = 'troupe playbook accept crew-1';
    const problems = [
      problem('parked', 'p1', { text: 'It is paused', acts: ['resume'] }),
      problem('service', null, { text: 'No service is running' }),
      problem('person', 'a'),
      problem('person', null, { command: line }),
      problem('failed', 'c'),
      problem('unlanded', null),
      problem('parked', 'p2', { text: 'It is paused', acts: ['resume'] }),
      problem('unmerged', 'u'),
      problem('parked', 'p3', { text: 'It is paused', acts: ['resume'] }),
    ];
    const roles = { rows: [], total: 2 };
    const inbox = inboxOf(now([row('a'), row('lined-up', { command: line })], { to_land: 6, roles }), problems);
    expect(keys(inbox)).toEqual([
      'problem service  No service is running',
      'task a',
      'task lined-up',
      'land land',
      'group resume It is paused',
      'problem unmerged u unmerged',
      'roles roles',
    ]);
    expect(inbox.entries[4]).toMatchObject({ ids: ['p1', 'p2', 'p3'], total: 3 });
    expect(inbox.total).toBe(2 + 5 + 1 + 2);
  },
);

verifies(
  'web.now.steady',
  'while somebody is at the list, what was shown keeps its place and what is new is last',
  () => {
    expect(steadyOrder(['a', 'b', 'c'], ['n', 'c', 'a'])).toEqual(['a', 'b', 'c', 'n']);
    expect(steadyOrder([], ['a'])).toEqual(['a']);
  },
);
