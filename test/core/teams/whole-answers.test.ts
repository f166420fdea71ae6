import { expect, test } from 'vitest';
import { askReview, gateOf, reviewedBy, reviewerOf } from '#core/teams/ask-review.js';
import {
  type Recipient,
  recipientsOf,
  SENDABLE_MAIL_TYPES,
  type TeamMessage,
  withTurnsRead,
} from '#core/teams/mail.js';
import { settlePlanning } from '#core/teams/planning.js';
import { checkVerdict } from '#core/teams/review-work.js';
import { reviewedTaskIds } from '#core/teams/reviewed-tasks.js';
import type { Strata } from '#core/teams/strata.js';
import { teamSummary } from '#core/teams/team.js';
import {
  findPresentMember,
  isSameActor,
  type NewTeamTask,
  planTaskFields,
  responsibleMember,
  teamTaskFields,
} from '#core/teams/team-task.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { codeOf, graphOf, NOW, type TaskFields, task } from '../graph/graph.js';
import { CREW, crewMember, crewWith, TEAM_ID, withAnswers } from './crew.js';

const wish = (more: Partial<NewTeamTask> = {}): NewTeamTask => ({
  ...{ title: 'Seal', to: 'Hicks', description: undefined, verify: undefined },
  ...{ after: undefined, max_rejections: undefined, plan: undefined },
  ...more,
});
const BY_LEADER = 'The leader of the team accepts the deliverable.';

test('a turn that is over has read what it was told of, at the end of the first that was', () => {
  const at = (member: string, readAt: number | null): Recipient => ({ member, role: 'to', readAt });
  const message = {
    id: 'm',
    createdAt: 100,
    recipients: [at('hicks', null), at('ripley', null)],
  } as unknown as TeamMessage;
  const read = (turns: [toldAt: number, endedAt: number][], of = message) =>
    withTurnsRead(
      [of],
      'hicks',
      turns.map(([toldAt, endedAt]) => ({ toldAt, endedAt })),
    )[0];
  expect(read([])).toBe(message);
  expect(read([[99, 200]])).toBe(message);
  const after = { ...message, recipients: [at('hicks', 200), at('ripley', null)] };
  expect(read([[100, 200]])).toEqual(after);
  expect(
    read([
      [50, 60],
      [150, 300],
      [100, 200],
    ]),
  ).toEqual(after);
  const before = { ...message, recipients: [at('hicks', 150)] };
  expect(read([[100, 200]], before), 'it was read before').toEqual(before);
});

test('recipients are each once, those it is for first, by name', () => {
  expect(recipientsOf(CREW, { to: ['Vasquez', 'Hicks'], cc: ['Ripley', 'hicks', 'Newt'] })).toEqual([
    ...['hicks', 'vasquez'].map((member) => ({ member, role: 'to', readAt: null })),
    ...['newt', 'ripley'].map((member) => ({ member, role: 'cc', readAt: null })),
  ]);
  const names = Array.from({ length: TALK_LIMITS.mailRecipients + 1 }, (_, index) => `M${index}`);
  const team = { ...CREW, members: names.map((name) => crewMember(name)) };
  expect(recipientsOf(team, { to: names.slice(1), cc: [] })).toHaveLength(TALK_LIMITS.mailRecipients);
  expect(codeOf(() => recipientsOf(team, { to: names, cc: [] }))).toBe('bad_input');
  expect(SENDABLE_MAIL_TYPES).not.toContain('system_notification');
});

test('new work of a team, and the plan for it, in all their fields', () => {
  const whole = wish({ description: 'Well.', verify: 'It holds.', after: ['a'], max_rejections: 2, plan: 'plan-seal' });
  expect(teamTaskFields(CREW, whole)).toEqual({
    ...{ title: 'Seal', description: 'Well.', after: ['a'], max_rejections: 2, verify: 'It holds.' },
    ...{ team: TEAM_ID, member: 'hicks', plan_required: true, after_success: ['plan-seal'] },
  });
  expect(teamTaskFields(CREW, wish({ to: undefined, verify: ' ' }))).toEqual({
    ...{ title: 'Seal', description: undefined, after: undefined, max_rejections: undefined },
    ...{ verify: BY_LEADER, team: TEAM_ID },
  });
  const lines = [
    'Write down how you would do the task seal, and hand that in: `troupe team plan submit seal --file FILE`.',
    'Change nothing yet: the task itself starts when the plan is approved.',
    'The task: Seal',
  ];
  const plan = { team: TEAM_ID, member: 'hicks', plan_of: 'seal', exec_mode: 'light' };
  const verify = 'The plan: whether the work can start as planned.';
  expect(planTaskFields(CREW, whole, 'seal')).toEqual({
    ...{ ...plan, title: 'Plan: Seal', verify, after: ['a'] },
    description: [...lines, 'Well.', 'What its review looks at: It holds.'].join('\n'),
  });
  expect(planTaskFields(CREW, wish({ verify: ' ' }), 'seal')).toEqual({
    ...{ ...plan, title: 'Plan: Seal', verify, after: undefined, description: lines.join('\n') },
  });
  const long = 'x'.repeat(WORK_LIMITS.titleCharacters);
  expect(planTaskFields(CREW, wish({ title: long }), 'seal').title).toHaveLength(WORK_LIMITS.titleCharacters);
  expect(() => teamTaskFields(CREW, wish({ to: 'y'.repeat(80) }))).toThrow(`${'y'.repeat(59)}… is not on crew.`);
});

test('whose work a task is: its member, or that of the task it was made for', () => {
  const graph = graphOf(
    { id: 'top', team: 't', member: 'hicks' },
    ...[
      { id: 'child', parent: 'top' },
      { id: 'below', parent: 'child', team: 't' },
      { id: 'alone', member: 'ann' },
    ],
    ...[
      { id: 'one', parent: 'other' },
      { id: 'other', parent: 'one' },
    ],
  );
  const of = (id: string) => responsibleMember(graph, graph.task(id) ?? task({}));
  expect(['top', 'child', 'below'].map(of)).toEqual(Array(3).fill({ team: 't', member: 'hicks' }));
  expect(['alone', 'one'].map(of)).toEqual([undefined, undefined]);
});

test('two seats are one when the same person or the same agent has both', () => {
  const seat = (name: string, person: string | null, agent: string | null = null) =>
    crewMember(name, 'member', { person, agent });
  expect(isSameActor(seat('A', null), seat('A', 'x'))).toBe(true);
  expect(isSameActor(seat('A', 'Ann Low'), seat('B', 'ann low'))).toBe(true);
  expect(isSameActor(seat('A', null, 'g'), seat('B', null, 'g'))).toBe(true);
  for (const [left, right] of [
    ...[
      [null, null],
      ['ann', null],
      [null, 'ann'],
      ['ann', 'ben'],
      ['¿', null],
    ],
  ] as const)
    expect(isSameActor(seat('A', left), seat('B', right)), `${left} ${right}`).toBe(false);
  const crew = crewWith({ Hicks: { person: 'Ben' }, Vasquez: { id: 'ben' } });
  expect([
    findPresentMember(crew, 'ben')?.name,
    findPresentMember(crew, 'HICKS')?.name,
    findPresentMember(crew, 'nobody'),
  ]).toEqual([...['Vasquez', 'Hicks', undefined]]);
  expect(findPresentMember(crewWith({ Hicks: { person: 'Ben' } }), 'ben')?.name).toBe('Hicks');
});

test('which work a task is there to judge', () => {
  const judged = (fields: TaskFields) => reviewedTaskIds(task({ after: ['a', 'b'], ...fields }));
  expect(judged({ reviews: { task: 'seal', fence: 1 } })).toEqual(['seal']);
  for (const reviews of [{ task: 'seal' }, { fence: 1 }, { task: 7, fence: 1 }])
    expect(judged({ reviews }), JSON.stringify(reviews)).toEqual([]);
  const roles = ['gate', 'advice', 'work'].map((role) => judged({ workflow: { role } }));
  expect(roles).toEqual([['a', 'b'], ['a', 'b'], []]);
  expect(reviewedTaskIds(task({ workflow: { role: 'gate' } }))).toEqual([]);
  expect(reviewedBy(undefined)).toBeUndefined();
  expect([gateOf(task({})), gateOf(task({ plan_of: 'x' }))]).toEqual(['review', 'plan']);
});

test('the task of a review, in all its fields, and who is asked', () => {
  const deliverable = { artifact: 'a-1', title: 'The seal', sha256: 'c0ffee', summary: 'It fits.', fence: 2 };
  const work = { id: 'seal', title: 'Seal', team: TEAM_ID, verify: 'It holds.', status: 'pending-validation' as const };
  const leader = crewMember('Ripley', 'leader', { agent: 'g' });
  const asked = (more: TaskFields) => {
    const graph = graphOf({ ...work, ...more });
    const [event] = askReview(graph, graph.task('seal') ?? task({}), leader, NOW)?.events ?? [];
    return event?.patch;
  };
  expect([
    asked({ member: 'hicks', fence: 2, deliverable }),
    asked({ assigned: 'agent-1' }),
    asked({ fence: 1, deliverable }),
  ]).toMatchInlineSnapshot(`
    [
      [
        {
          "id": ".review-seal-1",
          "put": {
            "agent": "g",
            "created_at": "2026-03-21T10:00:00.000Z",
            "created_by": "coordinator",
            "description": "Task seal, attempt 2, by hicks.
    What to look at: It holds.
    Deliverable: The seal
    Artifact a-1, SHA-256 c0ffee
    Summary: It fits.",
            "exec_mode": "light",
            "id": ".review-seal-1",
            "kind": "task",
            "member": "ripley",
            "reviews": {
              "fence": 2,
              "task": "seal",
            },
            "status": "open",
            "tags": [
              "review",
            ],
            "team": "0a1b2c3d-0000-5000-8000-000000000000",
            "title": "Review seal: Seal",
          },
        },
        {
          "id": "seal",
          "set": {
            "review_task": ".review-seal-1",
          },
        },
      ],
      [
        {
          "id": ".review-seal-1",
          "put": {
            "agent": "g",
            "created_at": "2026-03-21T10:00:00.000Z",
            "created_by": "coordinator",
            "description": "Task seal, attempt 0, by agent-1.
    What to look at: It holds.
    No artifact was submitted: see the task and its files.",
            "exec_mode": "light",
            "id": ".review-seal-1",
            "kind": "task",
            "member": "ripley",
            "reviews": {
              "fence": 0,
              "task": "seal",
            },
            "status": "open",
            "tags": [
              "review",
            ],
            "team": "0a1b2c3d-0000-5000-8000-000000000000",
            "title": "Review seal: Seal",
          },
        },
        {
          "id": "seal",
          "set": {
            "review_task": ".review-seal-1",
          },
        },
      ],
      [
        {
          "id": ".review-seal-1",
          "put": {
            "agent": "g",
            "created_at": "2026-03-21T10:00:00.000Z",
            "created_by": "coordinator",
            "description": "Task seal, attempt 1, by nobody.
    What to look at: It holds.
    No artifact was submitted: see the task and its files.",
            "exec_mode": "light",
            "id": ".review-seal-1",
            "kind": "task",
            "member": "ripley",
            "reviews": {
              "fence": 1,
              "task": "seal",
            },
            "status": "open",
            "tags": [
              "review",
            ],
            "team": "0a1b2c3d-0000-5000-8000-000000000000",
            "title": "Review seal: Seal",
          },
        },
        {
          "id": "seal",
          "set": {
            "review_task": ".review-seal-1",
          },
        },
      ],
    ]
  `);
  expect(asked({ status: 'open' })).toBeUndefined();
  const who = (team = CREW, fields: TaskFields = {}) => reviewerOf(team, task({ team: TEAM_ID, ...fields }))?.name;
  expect([who(), who(CREW, { member: 'hicks' }), who(CREW, { member: 'gone' })]).toEqual([
    'Ripley',
    'Ripley',
    'Ripley',
  ]);
  expect(who(CREW, { member: 'ripley' }), 'not of their own work').toBeUndefined();
  for (const none of [crewWith({}, { status: 'archived' }), crewWith({ Ripley: { status: 'paused' } })])
    expect(who(none)).toBeUndefined();
});

test('a verdict without the attempt it is about counts for the one that waits', () => {
  const work = { id: 'seal', team: TEAM_ID, member: 'hicks', verify: 'x', status: 'pending-validation' as const };
  const verdict = (attempt?: number, name = 'ripley', member = 'hicks') => {
    const view = graphOf({ ...work, member });
    return codeOf(() => checkVerdict(view, CREW, view.task('seal') ?? task({}), { name }, attempt));
  };
  expect([verdict(0, 'ripley', 'ripley'), verdict(0, 'owner', 'ripley')]).toEqual(['own_work', 'none']);
  expect([verdict(), verdict(0), verdict(1), verdict(0, 'hicks'), verdict(0, 'owner')]).toEqual([
    ...['none', 'none', 'stale_attempt', 'forbidden', 'none'],
  ]);
  const view = graphOf(work);
  expect(() => checkVerdict(view, CREW, view.task('seal') ?? task({}), { name: 'ripley' }, 1)).toThrow(
    expect.objectContaining({ code: 'stale_attempt', details: { id: 'seal', fence: 0 } }),
  );
});

test('a line of a list of teams says all of a team but who is on it', () => {
  const { members: _, ...team } = CREW;
  expect(teamSummary(CREW)).toEqual({ ...team, leader: 'Ripley', size: 4 });
  expect(teamSummary(crewWith({ Ripley: { status: 'removed' } }))).toEqual({ ...team, leader: null, size: 3 });
});

test('what came of a plan changes the plan and the conversation, and nothing else that is kept', () => {
  const row: Strata = {
    ...{ teamId: TEAM_ID, version: 1, state: 'planning', plan: null, sha256: null, claimFence: null },
    ...{ tries: 1, createdAt: 1 },
  };
  const plan = withAnswers(settlePlanning)(
    { labels: () => [CREW], team: () => CREW, strata: () => [row] },
    TEAM_ID,
    { attempt: { version: 1, tries: 1 }, outcome: { state: 'skipped' }, fence: 7 },
    { by: 'ripley', at: 9 },
  );
  const strata = { ...row, state: 'skipped', claimFence: 7 };
  expect(plan).toEqual({
    ...{ team: undefined, outbox: [], artifacts: [], moves: [], followed: undefined },
    result: { team: CREW, strata },
    events: [
      {
        ...{ teamId: TEAM_ID, at: 9, by: 'ripley', kind: 'strata-skipped' },
        payload: { version: 1, tries: 1, sha256: null },
      },
    ],
    talk: {
      ...{ strata: [strata], wakeUps: [], sessions: [], reads: [], inUse: [] },
      messages: [
        expect.objectContaining({ teamId: TEAM_ID, body: 'Ripley decided that no plan is needed.', recipients: [] }),
      ],
    },
  });
});
