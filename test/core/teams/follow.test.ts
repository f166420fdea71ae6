import { expect, test } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import { UNREPORTED } from '#core/graph/unreported.js';
import { completionReport } from '#core/teams/completion-report.js';
import { followTeamWork } from '#core/teams/follow.js';
import type { Team } from '#core/teams/team.js';
import { graphOf, type TaskFields } from '../graph/graph.js';
import { CREW, crewWith, TEAM_ID, withAnswers } from './crew.js';

const AT = Date.parse('2026-03-01T10:00:00.000Z');
const entry = (op: string, patch: object[], more: object = {}): Entry =>
  ({ seq: 5, id: 'e', op, actor: 'ann', timestamp: '2026-03-01T10:00:00.000Z', patch, ...more }) as Entry;
const work = (id: string, more: TaskFields = {}) => ({ id, team: TEAM_ID, verify: 'read', member: 'hicks', ...more });
const deliverable = { artifact: 'x', title: 'Log', sha256: 'f00', summary: '', fence: 1 };

function followed(entries: Entry[], tasks: Parameters<typeof graphOf>, team: Team | undefined = CREW, from = 4) {
  const answers = {
    followed: () => 4,
    team: (id: string) => (id === team?.id ? team : undefined),
    latestTurn: () => undefined,
  };
  return withAnswers(followTeamWork)(answers, { from, to: 9, entries }, graphOf(...tasks));
}
const status = (to: string, op = 'move', more: object = {}) => entry(op, [{ id: 'a', set: { status: to } }], more);
const others = work('z');

test('what became of work is told to its team, with what the entry says', () => {
  const told = (one: Entry, more: TaskFields = {}) => {
    const { events, moves, followed: to, result } = followed([one], [work('a', more), others]);
    expect([to, result]).toEqual([9, true]);
    return [events.map(({ kind, payload }) => [kind, payload]), moves];
  };
  const about = { task_id: 'a', title: 'a' };
  expect(told(entry('add_task', [{ id: 'a', put: work('a') }]))).toEqual([
    [['task-created', { ...about, member: 'hicks' }]],
    [],
  ]);
  expect(told(status('in-progress'))).toEqual([[['task-started', about]], []]);
  expect(told(status('pending-validation'), { deliverable })).toEqual([
    [['task-submitted', { ...about, artifact: 'x', sha256: 'f00' }]],
    [{ task: 'a', to: 'staged', artifact: 'x' }],
  ]);
  expect(told(status('pending-validation'))).toEqual([
    [['task-submitted', { ...about, artifact: null, sha256: null }]],
    [],
  ]);
  const earlier = { ...deliverable, artifact: 'w', sha256: 'bad' };
  const submits = entry('submit', [{ id: 'a', set: { status: 'pending-validation', deliverable: earlier } }]);
  expect(told(submits, { deliverable }), 'what was submitted then, not what is there now').toEqual([
    [['task-submitted', { ...about, artifact: 'w', sha256: 'bad' }]],
    [{ task: 'a', to: 'staged', artifact: 'w' }],
  ]);
  expect(told(status('done'), { deliverable })).toEqual([
    [['task-completed', about]],
    [{ task: 'a', to: 'current', artifact: 'x' }],
  ]);
  expect(told(status('done'))).toEqual([[['task-completed', about]], []]);
  expect(told(status('failed'), { failure_reason: 'no luck' })).toEqual([
    [['task-failed', { ...about, reason: 'no luck' }]],
    [{ task: 'a', to: 'orphan' }],
  ]);
  expect(told(status('abandoned'))).toEqual([[['task-cancelled', about]], [{ task: 'a', to: 'orphan' }]]);
  expect(told(status('open'))).toEqual([[['task-reopened', about]], []]);
  expect(told(status('open', 'reject'))).toEqual([
    [['task-rejected', { ...about, feedback: '' }]],
    [{ task: 'a', to: 'orphan' }],
  ]);
  for (const one of [
    status('waiting'),
    entry('edit', [{ id: 'a', set: { title: 'B' } }]),
    entry('x', [{ id: 'a', del: true }]),
  ])
    expect(told(one)).toEqual([[], []]);
});

test('an event says of which team, when and by whom; work of no team, or one that is gone, is not told of', () => {
  const { events } = followed(
    [status('in-progress'), status('in-progress', 'move', { actor: undefined })],
    [work('a'), others],
  );
  expect(events.map(({ teamId, at, by }) => ({ teamId, at, by }))).toEqual([
    { teamId: TEAM_ID, at: AT, by: 'ann' },
    { teamId: TEAM_ID, at: AT, by: null },
  ]);
  const free = { id: 'a', team: TEAM_ID, verify: 'read' };
  expect(followed([entry('add_task', [{ id: 'a', put: free }])], [free]).events).toEqual([
    { teamId: TEAM_ID, at: AT, by: 'ann', kind: 'task-created', payload: { task_id: 'a', title: 'a', member: null } },
  ]);
  expect(followed([status('done')], [{ id: 'a' }]).events).toEqual([]);
  expect(followed([status('done')], [work('a', { team: 'gone' })]).events).toEqual([]);
  expect(followed([status('done')], []).events).toEqual([]);
  expect(followed([status('done')], [work('a')], CREW, 3)).toMatchObject({
    result: false,
    events: [],
    followed: undefined,
  });
});

test('a review that was asked for is a message to the leader', () => {
  const asked = (of: TaskFields = {}, team = CREW) => {
    const review = { id: 'r', team: TEAM_ID, member: 'ripley', reviews: { task: 'a', fence: 1 } };
    const { events, talk: said } = followed(
      [entry('add_task', [{ id: 'r', put: review }])],
      [review, work('a', of), others],
      team,
    );
    return [
      events.map(({ kind, payload }) => [kind, payload]),
      said.messages.map(({ body, recipients, task }) => ({ body, to: recipients.map(({ member }) => member), task })),
    ];
  };
  expect(asked({ deliverable })).toEqual([
    [['review-requested', { task_id: 'a', review_id: 'r', title: 'Log', sha256: 'f00' }]],
    [{ body: 'a needs review, in r: Log (SHA-256 f00).', to: ['ripley'], task: 'a' }],
  ]);
  expect(asked()[1]).toMatchObject([{ body: 'a needs review, in r: a (nothing was submitted).' }]);
  expect(asked({}, { ...CREW, members: CREW.members.slice(1) })[1]).toMatchObject([{ to: [] }]);
});

test('a turn that ended without a report is told of, by the name of the member', () => {
  const turn = (member: string, detail: object = { reason: UNREPORTED }, to = 'done') => {
    const one = entry('done', [{ id: '.turn-x', set: { status: to } }], { detail });
    return followed([one], [{ id: '.turn-x', team: TEAM_ID, member }, others]).talk.messages.map(({ body }) => body);
  };
  expect(turn('hicks')).toEqual(['The turn of Hicks has ended without a report.']);
  expect([turn('nobody'), turn('hicks', {}), turn('hicks', undefined, 'failed')]).toEqual([[], [], []]);
});

test('a team whose last work has ended says so once, and its leader tells the person', () => {
  const ends = [status('done'), status('failed')];
  const over = followed(ends, [work('a', { status: 'done' })]);
  expect(over.talk.messages.map(({ body }) => body)).toEqual(['All work of crew has ended: 1 task done (a done).']);
  expect(over.talk.wakeUps).toMatchObject([
    { member: 'ripley', teamId: TEAM_ID, depth: 1, cause: null, createdAt: AT },
  ]);
  expect(over.outbox).toHaveLength(1);
  expect(followed(ends, [work('a', { status: 'done' }), others]).talk.messages).toEqual([]);
  expect(followed([status('in-progress')], [work('a', { status: 'done' })]).talk.messages).toEqual([]);
  expect(followed(ends, [work('a', { status: 'done' })], { ...CREW, status: 'archived' }).talk.messages).toEqual([]);
});

test('what is written where the last work of a team has ended', () => {
  const written = (tasks: Parameters<typeof graphOf>, team = CREW, before?: string) =>
    withAnswers(completionReport)({ latestTurn: () => before }, team, graphOf(...tasks), { seq: 9, at: AT });
  const done = (id: string, to: 'done' | 'failed' | 'abandoned' = 'done') => work(id, { status: to });
  expect(written([done('a'), done('b', 'failed'), done('c', 'abandoned')])?.messages).toMatchObject([
    {
      body: expect.stringMatching(
        /^All work of crew has ended: 1 task done, 1 failed, 1 abandoned \(.*b failed.*\)\.$/,
      ),
    },
  ]);
  const many = Array.from({ length: 22 }, (_, at) => done(`t${at}`));
  expect(written(many)?.messages[0]?.body).toMatch(/^All work of crew has ended: 22 tasks done \(.*, and 2 more\)\.$/);
  expect([written([]), written([done('a'), work('b')])]).toEqual([undefined, undefined]);
  expect(written([done('a'), { id: 'b' }])?.messages).toHaveLength(1);
  const row = written([done('a')], CREW, '.turn-before')?.outbox[0];
  expect(row).toMatchObject({
    op: 'task.add',
    args: { task: { after: ['.turn-before'], member: 'ripley', title: 'crew: tell what came out' } },
  });
  const quiet = written([done('a')], crewWith({ Ripley: { person: 'ann' } }));
  expect(quiet).toMatchObject({ wakeUps: [], outbox: [], messages: [{ recipients: [{ member: 'ripley' }] }] });
  expect(written([done('a')], { ...CREW, members: CREW.members.slice(1) })).toMatchObject({
    wakeUps: [],
    messages: [{ recipients: [] }],
  });
});
