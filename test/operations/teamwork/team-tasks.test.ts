import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { deliverableOf } from '#core/graph/deliverable.js';
import { feedbackOf } from '#core/graph/feedback.js';
import { doneTask } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { UNREPORTED } from '#core/graph/unreported.js';
import { endTeam } from '#core/teams/changes.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { approve } from '#operations/graph/approve.js';
import { done } from '#operations/graph/done.js';
import { fail, reject } from '#operations/graph/moves.js';
import { events } from '#operations/teams/teams.js';
import { get, list, put } from '#operations/teamwork/artifacts.js';
import { followGraph } from '#operations/teamwork/follow.js';
import { review, submit } from '#operations/teamwork/submissions.js';
import { take, task, tasks } from '#operations/teamwork/team-tasks.js';
import { verifies } from '../../verifies.js';
import { TeamStage } from './team-stage.js';

const coded = (code: string) => expect.objectContaining({ code });

/** Hicks has the work, and his run holds it. */
async function atWork(): Promise<TeamStage> {
  const stage = new TeamStage();
  await stage.crew();
  await stage.call(task, { team: 'crew', title: 'Fix the airlock', to: 'Hicks' });
  await stage.begin('fix-the-airlock', 'agent-1');
  return stage;
}
const handInAs = (stage: TeamStage, name: string) => {
  stage.caller = { kind: 'run', name, taskId: 'fix-the-airlock', fence: 1 };
  return handIn(stage);
};
const handIn = (stage: TeamStage, more: object = {}) =>
  stage.call(submit, { id: 'fix-the-airlock', content: 'It closes.', summary: 'New seal', ...more });

verifies(
  [
    'team.task.gate',
    'team.task.submit',
    'team.task.review',
    'team.task.approve',
    'team.task.reject',
    'team.task.redispatch',
    'team.event',
  ],
  'work goes to a member, is handed in, sent back, handed in again and accepted, and what comes after it sees that',
  async () => {
    const stage = await atWork();
    stage.person();
    await stage.call(task, { team: 'crew', title: 'Test it', to: 'Bishop', after: ['fix-the-airlock'] });
    expect(await stage.task('fix-the-airlock')).toMatchObject({
      team: expect.any(String),
      member: 'hicks',
      verify: expect.any(String),
    });
    stage.caller = { kind: 'run', name: 'agent-1', taskId: 'fix-the-airlock', fence: 1 };
    const first = await handIn(stage);
    expect(first).toMatchObject({
      status: 'pending-validation',
      artifact: { state: 'staged', attempt: 1, task_id: 'fix-the-airlock' },
    });
    await stage.askReviews();
    expect((await stage.call(tasks, { team: 'crew' })).tasks.map(({ id, status }) => [id, status])).toEqual([
      ['fix-the-airlock', 'WaitingReview'],
      ['test-it', 'Pending'],
    ]);
    // Hicks himself, and another member's run, say nothing about it.
    await expect(stage.call(review, { id: 'fix-the-airlock', verdict: 'approve' })).rejects.toThrow(coded('forbidden'));
    await stage.begin('.review-fix-the-airlock-1', 'agent-2');
    expect((await stage.call(get, { id: first.artifact.id })).content).toBe('It closes.');
    // Without an id it is the work that the review is about.
    const back = await stage.call(review, {
      id: '.review-fix-the-airlock-1',
      decision: 'reject',
      feedback: 'handle vacuum',
    });
    expect(back).toMatchObject({ id: 'fix-the-airlock', verdict: 'reject', status: 'open', ready: [] });
    expect(feedbackOf(await stage.task('fix-the-airlock'))?.text).toBe('handle vacuum');
    await stage.begin('fix-the-airlock', 'agent-3');
    await handIn(stage, { content: 'It closes in vacuum.' });
    await stage.askReviews();
    await stage.begin('.review-fix-the-airlock-2', 'agent-4');
    const accepted = await stage.call(review, { id: 'fix-the-airlock', verdict: 'approve' });
    expect(accepted).toMatchObject({ status: 'done', ready: ['test-it'] });
    expect((await stage.task('.review-fix-the-airlock-2')).status).toBe('done');
    await expect(stage.call(review, { id: 'fix-the-airlock', verdict: 'reject' })).rejects.toThrow(
      coded('not_waiting_review'),
    );
    await told(stage, first.artifact.id);
  },
);

/** What the team was told of all that, and what became of what was handed in. */
async function told(stage: TeamStage, first: string): Promise<void> {
  const { events: all } = await stage.call(events, { team: 'crew' });
  expect(all.map(({ kind }) => kind).filter((kind) => !kind.startsWith('member') && kind !== 'team-created')).toEqual([
    ...['task-created', 'task-started', 'task-created', 'task-submitted', 'review-requested', 'task-rejected'],
    ...['task-started', 'task-submitted', 'review-requested', 'task-completed'],
  ]);
  const team = await stage.teams.getTeam((await stage.call(tasks, { team: 'crew' })).team_id);
  const notices = (await stage.teams.chat(team?.id ?? '', { limit: 50 })).filter(
    ({ type }) => type === 'system_notification',
  );
  expect(notices.map(({ task, recipients }) => [task, recipients.map(({ member }) => member)])).toEqual([
    ...[
      ['fix-the-airlock', ['ripley']],
      ['fix-the-airlock', ['ripley']],
    ],
  ]);
  const { artifacts } = await stage.call(list, { team: 'crew' });
  expect(notices[1]?.body).toContain(artifacts[0]?.sha256);
  expect(artifacts.map(({ state }) => state)).toEqual(['current', 'orphan']);
  expect(artifacts[1]?.id).toBe(first);
  // Followed again, by whoever it is, nothing is told twice.
  await followGraph(stage.context());
  expect((await stage.call(events, { team: 'crew' })).events).toHaveLength(all.length);
}

verifies(
  'wait.person',
  'a team whose last work has ended says so, and its leader gets a turn to tell the person',
  async () => {
    const stage = await atWork();
    stage.person();
    await stage.call(task, { team: 'crew', title: 'Test it', to: 'Bishop' });
    const notices = async () => {
      const team = await stage.teams.getTeam((await stage.call(tasks, { team: 'crew' })).team_id);
      const all = await stage.teams.chat(team?.id ?? '', { limit: 50 });
      return all.flatMap(({ type, body }) => (type === 'system_notification' && /ended/.test(body) ? [body] : []));
    };
    const turns = async () =>
      [...(await stage.graph.view()).nodes()].filter(({ id }) => id.includes('-over-')) as unknown as Task[];
    await handInAs(stage, 'agent-1');
    stage.person();
    await stage.call(review, { id: 'fix-the-airlock', verdict: 'approve', actor: 'Ripley' });
    expect([await notices(), await turns()], 'while work is open').toEqual([[], []]);
    await stage.call(fail, { id: 'test-it', reason: 'no vacuum here' });
    await followGraph(stage.context());
    expect(await notices()).toEqual([
      'All work of crew has ended: 1 task done, 1 failed (fix-the-airlock done, test-it failed).',
    ]);
    expect(await turns()).toEqual([
      expect.objectContaining({ member: 'ripley', title: 'crew: tell what came out', status: 'open' }),
    ]);
    // Told once; the turn itself is no work of the team.
    const [turn] = await turns();
    await stage.call(done, { id: turn?.id ?? '' });
    await followGraph(stage.context());
    expect([(await notices()).length, (await turns()).length]).toEqual([1, 1]);
  },
);

verifies('wait.turn', 'the chat says of a turn without a report that it is over, once, and wakes nobody', async () => {
  const stage = await atWork();
  stage.person();
  await handInAs(stage, 'agent-1');
  stage.person();
  await stage.call(review, { id: 'fix-the-airlock', verdict: 'approve', actor: 'Ripley' });
  await followGraph(stage.context());
  const { team_id: id } = await stage.call(tasks, { team: 'crew' });
  const turn = [...(await stage.graph.view()).nodes()].find((node) => node.id.includes('-over-'))?.id ?? '';
  await stage.begin(turn, 'agent-9');
  await stage.graph.commit((view) =>
    doneTask(view, turn, { now: stage.now, by: { name: 'coordinator' }, force: true, detail: { reason: UNREPORTED } }),
  );
  const said = async () =>
    (await stage.teams.chat(id, { limit: 50 })).filter(({ body }) => body.includes('without a report'));
  for (const _ of [1, 2]) {
    await followGraph(stage.context());
    expect(await said()).toMatchObject([{ body: 'The turn of Ripley has ended without a report.', recipients: [] }]);
  }
});

verifies('team.task.review', 'approve and reject of the graph ask the same of whoever gives a verdict', async () => {
  const stage = await atWork();
  expect((await stage.call(done, { id: 'fix-the-airlock' })).status).toBe('pending-validation');
  await expect(stage.call(approve, { id: 'fix-the-airlock' })).rejects.toThrow(coded('forbidden'));
  stage.person();
  for (const actor of ['Hicks', 'bishop', 'Newt'])
    for (const verdict of [approve, reject])
      await expect(stage.call(verdict as typeof reject, { id: 'fix-the-airlock', reason: 'x', actor })).rejects.toThrow(
        coded('forbidden'),
      );
  await expect(stage.call(review, { id: 'fix-the-airlock', verdict: 'approve', attempt: 7 })).rejects.toThrow(
    coded('stale_attempt'),
  );
  await expect(stage.call(review, { id: 'fix-the-airlock' })).rejects.toThrow(coded('usage'));
  expect(await stage.call(reject, { id: 'fix-the-airlock', reason: 'x', actor: 'Ripley' })).toMatchObject({
    status: 'open',
  });
});

verifies(
  'team.task.submit',
  'a stale or a foreign attempt keeps nothing, and a request asked twice hands in once',
  async () => {
    const stage = await atWork();
    stage.requestId = 'r-1';
    const first = await handIn(stage);
    expect(await handIn(stage)).toMatchObject({ changed: false, artifact: { id: first.artifact.id } });
    stage.requestId = undefined;
    await expect(handIn(stage)).rejects.toThrow(coded('wrong_status'));
    stage.person();
    await expect(handIn(stage)).rejects.toThrow(coded('not_assignee'));
    await stage.call(reject, { id: 'fix-the-airlock', reason: 'x' });
    await stage.begin('fix-the-airlock', 'agent-2');
    stage.caller = { kind: 'run', name: 'agent-1', taskId: 'fix-the-airlock', fence: 1 };
    await expect(handIn(stage)).rejects.toThrow(coded('stale_attempt'));
    expect((await stage.call(list, { team: 'crew' })).artifacts).toHaveLength(1);
  },
);

test('whoever lost the claim between the look and the commit is refused by the graph', async () => {
  const stage = await atWork();
  const teams = stage.teams;
  const changeOnce = teams.changeOnce.bind(teams);
  teams.changeOnce = async (request, decide) => {
    const answer = await changeOnce(request, decide);
    const set = { assigned: 'agent-9', fence: 2 };
    await stage.graph.commit(() => ({
      events: [{ op: 'claim', task_id: 'fix-the-airlock', patch: [{ id: 'fix-the-airlock', set }] }],
      result: undefined,
    }));
    return answer;
  };
  await expect(handIn(stage)).rejects.toThrow(coded('stale_attempt'));
  expect(await stage.task('fix-the-airlock')).toMatchObject({ status: 'in-progress', assigned: 'agent-9' });
  expect(deliverableOf(await stage.task('fix-the-airlock'))).toBeUndefined();
});

test('an ended team takes no work, no submission and no verdict; it is read', async () => {
  const stage = await atWork();
  stage.person();
  // As it is where a run begins at the very moment the team ends.
  await stage.teams.change((view) =>
    endTeam(view, 'crew', { status: 'archived', hasGraph: false }, { by: 'ann', at: stage.now }),
  );
  await expect(stage.call(task, { team: 'crew', title: 'x', to: 'Hicks' })).rejects.toThrow(coded('team_archived'));
  await expect(stage.call(put, { team: 'crew', content: 'x' })).rejects.toThrow(coded('team_archived'));
  stage.caller = { kind: 'run', name: 'agent-1', taskId: 'fix-the-airlock', fence: 1 };
  await expect(handIn(stage)).rejects.toThrow(coded('team_archived'));
  expect((await stage.call(tasks, { team: 'crew' })).tasks).toHaveLength(1);
});

verifies('team.task.submit', 'a submission to a team that is not in the database is refused', async () => {
  const stage = await atWork();
  const set = { team: 'gone' };
  await stage.graph.commit(() => ({
    events: [{ op: 'edit', task_id: 'fix-the-airlock', patch: [{ id: 'fix-the-airlock', set }] }],
    result: undefined,
  }));
  await expect(handIn(stage)).rejects.toMatchObject({
    ...{ code: 'not_found', message: 'The team of fix-the-airlock is not in teams.db.' },
  });
  expect(await stage.task('fix-the-airlock')).toMatchObject({ status: 'in-progress' });
});

test('of runs only one of the leader gives members work', async () => {
  const stage = await atWork();
  const wish = { team: 'crew', title: 'More', to: 'Bishop' };
  await expect(stage.call(task, wish)).rejects.toThrow(coded('forbidden'));
  stage.person();
  await stage.call(task, { team: 'crew', title: 'Plan it', to: 'Ripley' });
  await stage.begin('plan-it', 'agent-2');
  expect(await stage.call(task, wish)).toMatchObject({
    id: 'more',
    member: 'bishop',
    task: { parent: 'plan-it', created_by: 'agent-2' },
  });
  await expect(stage.call(task, { ...wish, after: ['nowhere'] })).rejects.toThrow(coded('unknown_task'));
});

test('a file is handed in as it is, from inside of the project', async () => {
  const stage = await atWork();
  const bytes = Uint8Array.from([0, 255, 10, 13, 200]);
  writeFileSync(path.join(stage.folder, 'seal.bin'), bytes);
  writeFileSync(path.join(stage.folder, 'large.bin'), new Uint8Array(TEAM_LIMITS.deliverableBytes + 1));
  await expect(handIn(stage, { path: 'seal.bin' })).rejects.toThrow(coded('usage'));
  const refused = async (file: string, code: string) =>
    await expect(handIn(stage, { content: undefined, path: file })).rejects.toThrow(coded(code));
  await refused('large.bin', 'artifact_too_large');
  await refused('nothing.bin', 'not_found');
  await refused('.git', 'not_found');
  await expect(handIn(stage, { content: undefined, path: '../x' })).rejects.toThrow(coded('unsafe_path'));
  await expect(handIn(stage, { content_type: 'text' })).rejects.toThrow(coded('bad_input'));
  const { artifact } = await handIn(stage, { content: undefined, path: 'seal.bin' });
  expect(artifact).toMatchObject({
    name: 'seal.bin',
    content_type: 'application/octet-stream',
    size: 5,
    sha256: sha256(bytes),
  });
  const back = await stage.call(get, { id: artifact.id });
  expect(Buffer.from(back.content ?? '', 'base64')).toEqual(Buffer.from(bytes));
  await expect(stage.call(get, { id: 'nothing' })).rejects.toThrow(coded('not_found'));
});

verifies(
  'who.free',
  'work of a team may be nobody’s: a member takes it, once, and then it is theirs like any other',
  async () => {
    const stage = new TeamStage();
    await stage.crew();
    const made = await stage.call(task, { team: 'crew', title: 'Fix the airlock' });
    expect(made).toMatchObject({ id: 'fix-the-airlock', member: null });
    await expect(stage.call(task, { team: 'crew', title: 'Planned', plan: true })).rejects.toThrow(coded('usage'));
    expect((await stage.call(tasks, { team: 'crew' })).tasks).toMatchObject([{ member: null, status: 'Pending' }]);
    const id = made.id;
    await expect(stage.begin(id, 'agent-1')).rejects.toMatchObject({
      code: 'not_taken',
      hint: expect.stringContaining(`troupe team tasks ${id} --take`),
    });
    // what is advised says what is missing to whoever is not on the team
    const nobody = { code: 'usage', hint: 'Members: Bishop, Hicks, Ripley.' };
    await expect(stage.call(take, { id })).rejects.toMatchObject(nobody);
    await expect(stage.call(take, { id, member: 'Newt' })).rejects.toThrow(coded('forbidden'));
    await expect(stage.call(take, { id, member: 'Gorman' })).rejects.toThrow(coded('not_found'));
    expect(await stage.call(take, { id, member: 'Hicks' })).toMatchObject({ member: 'hicks', changed: true });
    expect(await stage.call(take, { id, member: 'Hicks' })).toMatchObject({ changed: false });
    await expect(stage.call(take, { id, member: 'Bishop' })).rejects.toThrow(coded('not_assignee'));
    // a run takes for its own member, whatever it says
    const second = await stage.call(task, { team: 'crew', title: 'Test it' });
    await stage.begin(id, 'agent-1');
    await expect(stage.call(take, { id: second.id, member: 'Bishop' })).rejects.toThrow(coded('not_yours'));
    expect(await stage.call(take, { id: second.id })).toMatchObject({ member: 'hicks' });
    expect((await handIn(stage)).status).toBe('pending-validation');
  },
);

verifies('team.task.gate', 'work that a run gives away, and the plan for it, are parts of its task', async () => {
  const stage = new TeamStage();
  await stage.crew();
  await stage.call(task, { team: 'crew', title: 'Lead them', to: 'Ripley' });
  await stage.begin('lead-them', 'agent-1');
  stage.caller = { kind: 'run', name: 'agent-1', taskId: 'lead-them', fence: 1 };
  const { id, plan_id: plan } = await stage.call(task, { team: 'crew', title: 'Seal it', to: 'Bishop', plan: true });
  for (const made of [id, String(plan)]) expect((await stage.task(made)).parent, made).toBe('lead-them');
});
