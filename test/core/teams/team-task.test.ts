import { describe, expect, test } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import { addTask } from '#core/graph/add.js';
import { deliverableOf, submitTask } from '#core/graph/deliverable.js';
import { editTask } from '#core/graph/edit.js';
import { feedbackOf } from '#core/graph/feedback.js';
import { doneTask } from '#core/graph/moves.js';
import { approveTask, rejectTask } from '#core/graph/review.js';
import { STATUSES } from '#core/graph/task.js';
import { isTeamTask, REVIEW_TASK } from '#core/graph/team-work.js';
import { type Escalation, USUAL_ESCALATION } from '#core/mail/gates.js';
import { askReview, reviewedBy, reviewerOf } from '#core/teams/ask-review.js';
import { checkVerdict } from '#core/teams/review-work.js';
import type { Team } from '#core/teams/team.js';
import { type NewTeamTask, teamStatusOf, teamTaskFields } from '#core/teams/team-task.js';
import { verifies } from '../../verifies.js';
import { fact, snapshot } from '../coordinator/stage.js';
import { Play } from '../graph/graph.js';
import { crewWith, TEAM_ID } from './crew.js';

const CREW = crewWith({ Newt: { person: 'ann' } });

const coded = (code: string) => expect.objectContaining({ code });
const WORK = { team: TEAM_ID, member: 'hicks', verify: 'It holds air.', exec: 'true' };
const RUN = { name: 'agent-1', fence: 1, taskId: 'seal' };
const LEADER = { name: 'agent-2', fence: 1, taskId: '.review-seal-1' };
const TEXT = { artifact: 'a-1', title: 'The seal', sha256: 'c0ffee', summary: 'It fits.' };
const wish = (more: Partial<NewTeamTask> = {}): NewTeamTask => ({
  ...{ title: 'Seal', to: 'Hicks', description: undefined, verify: undefined },
  ...{ after: undefined, max_rejections: undefined, plan: undefined },
  ...more,
});

/** Work of Hicks that his run holds. */
function atWork(team = CREW) {
  const play = new Play({ id: 'seal', ...WORK });
  play.claim('seal', { name: 'agent-1' });
  let artifacts = 0;
  const submit = (by = RUN) => {
    const deliverable = { ...TEXT, artifact: `a-${++artifacts}` };
    return play.move((view, options) => submitTask(view, 'seal', deliverable, { ...options, evidence: {} }), by);
  };
  const ask = (of: Team = team) => {
    const reviewer = reviewerOf(of, play.task('seal'));
    play.move((view, { now }) => {
      const plan = reviewer && askReview(view, play.task('seal'), reviewer, now);
      return plan ?? { events: [], result: undefined };
    });
  };
  return { play, submit, ask };
}

/** Submitted, and the run of the leader is at its review. */
function inReview() {
  const stage = atWork();
  stage.submit();
  stage.ask();
  stage.play.claim('.review-seal-1', { name: 'agent-2' });
  return stage;
}

describe('work of a team', () => {
  verifies(
    'team.task.gate',
    'each has a word on how it is looked at, so that done is only waiting for a review',
    () => {
      const fields = teamTaskFields(CREW, wish());
      expect(fields).toMatchObject({ team: TEAM_ID, member: 'hicks' });
      expect(fields.verify).toContain('leader');
      expect(teamTaskFields(CREW, wish({ verify: 'Pressure holds' })).verify).toBe('Pressure holds');
      const play = new Play();
      play.move((view, { now }) => addTask(view, { id: 'seal', ...fields }, { now }));
      play.claim('seal', { name: 'hicks' });
      expect(play.done('seal').status).toBe('pending-validation');
      expect(teamStatusOf(play.task('seal'))).toBe('WaitingReview');
      const clear = () => play.move((view, { by }) => editTask(view, 'seal', { clear: ['verify'] }, { by }));
      expect(clear).toThrow(coded('bad_input'));
    },
  );

  verifies('team.task.gate', 'the status of the graph is told in the words of a team', () => {
    expect(STATUSES.map((status) => teamStatusOf({ status }))).toEqual([
      ...['Pending', 'InProgress', 'InProgress', 'WaitingReview', 'Pending', 'Completed', 'Failed', 'Cancelled'],
    ]);
  });

  test('is for somebody on the team, who does more than look on', () => {
    expect(() => teamTaskFields(CREW, wish({ to: 'Bishop' }))).toThrow(coded('not_found'));
    expect(() => teamTaskFields(CREW, wish({ to: 'Newt' }))).toThrow(coded('forbidden'));
    const crew = crewWith({ Hicks: { person: 'ben' }, Vasquez: { agent: 'abc' } });
    expect(teamTaskFields(crew, wish({ to: 'ben' }))).toMatchObject({ member: 'hicks', human: true });
    expect(teamTaskFields(crew, wish({ to: 'vasquez' }))).toMatchObject({ member: 'vasquez', agent: 'abc' });
  });
});

describe('what a member hands in', () => {
  verifies('team.task.submit', 'moves the task with its artifact in one step', () => {
    const { play, submit } = atWork();
    const before = play.state.seq;
    expect(submit().status).toBe('pending-validation');
    expect(deliverableOf(play.task('seal'))).toEqual({ ...TEXT, fence: 1 });
    expect(play.state.seq).toBe(before + 1);
  });

  verifies('team.task.submit', 'only whoever holds the claim does it, and only under the claim that stands', () => {
    const { play, submit } = atWork();
    expect(() => submit({ ...RUN, name: 'agent-9', taskId: 'other' })).toThrow(coded('not_assignee'));
    expect(() => play.move((view, options) => submitTask(view, 'seal', TEXT, { ...options, evidence: {} }))).toThrow(
      coded('not_assignee'),
    );
    play.move(() => ({
      events: [{ op: 'claim', task_id: 'seal', patch: [{ id: 'seal', set: { assigned: 'agent-3', fence: 2 } }] }],
      result: undefined,
    }));
    expect(() => submit()).toThrow(coded('stale_attempt'));
    submit({ ...RUN, name: 'agent-3', fence: 2 });
    expect(() => submit({ ...RUN, name: 'agent-3', fence: 2 })).toThrow(coded('wrong_status'));
  });

  test('is refused of a task that belongs to no team, and of one that is held by nobody', () => {
    const play = new Play({ id: 'alone', verify: 'x' }, { id: 'seal', ...WORK });
    const submit = (id: string) => () =>
      play.move((view, options) => submitTask(view, id, TEXT, { ...options, evidence: {} }));
    expect(submit('alone')).toThrow(coded('bad_input'));
    expect(submit('seal')).toThrow(coded('not_assignee'));
  });
});

describe('the review', () => {
  test('is one task of the leader, however often somebody looks', () => {
    const { play, submit, ask } = atWork();
    ask();
    expect(play.state.task('.review-seal-1')).toBeUndefined();
    submit();
    ask();
    ask();
    const review = play.task('.review-seal-1');
    expect(review).toMatchObject({ team: TEAM_ID, member: 'ripley', status: 'open', exec_mode: 'light' });
    expect(reviewedBy(review)).toEqual({ task: 'seal', fence: 1 });
    for (const part of ['It holds air.', 'The seal', 'a-1', 'c0ffee', 'It fits.'])
      expect(review.description).toContain(part);
    expect(play.state.task('.review-seal-2')).toBeUndefined();
    expect(isTeamTask(review)).toBe(false);
  });

  verifies(
    'team.task.redispatch',
    'that ends without a verdict is asked for once more; then it is left to the owner',
    () => {
      const { play, ask } = inReview();
      play.move((view, options) => doneTask(view, '.review-seal-1', options));
      ask();
      play.claim('.review-seal-2', { name: 'agent-3' });
      ask();
      expect(play.state.task('.review-seal-3')).toBeUndefined();
      play.move((view, options) => doneTask(view, '.review-seal-2', options));
      ask();
      expect(play.state.task('.review-seal-3')).toBeUndefined();
      expect(play.task('seal').status).toBe('pending-validation');
    },
  );

  test('a round asks for it once the run of the member is over, and of the leader’s own work nobody', () => {
    const { play, submit } = atWork();
    submit();
    const round = (team: Team, alive = false, escalation: Escalation = USUAL_ESCALATION) =>
      decide(
        {
          ...snapshot(play.state, { runs: alive ? [fact('agent-1', 'seal')] : [] }),
          teams: new Map([[TEAM_ID, team]]),
          escalation,
          followed: undefined,
          paused: true,
        },
        play.now,
      ).filter((decision) => decision.do === 'ask-review');
    expect(round(CREW, true)).toEqual([]);
    expect(round(CREW, false, { plan: 'never', review: 'always' })).toEqual([]);
    expect(round(CREW)).toMatchObject([{ task: '.review-seal-1', about: 'seal' }]);
    const lead = { position: 'leader' } as const;
    const same = [
      crewWith({ Hicks: lead, Ripley: { position: 'member' } }),
      crewWith({ Hicks: { agent: 'abc' }, Ripley: { agent: 'abc' } }),
      crewWith({ Hicks: { person: 'ben' }, Ripley: { person: 'Ben' } }),
      crewWith({ Ripley: { status: 'paused' } }),
      crewWith({}, { status: 'archived' }),
    ];
    for (const team of same) expect(round(team)).toEqual([]);
  });

  verifies(
    'team.task.review',
    'only the active leader gives a verdict, only while it waits, only on the attempt shown',
    () => {
      const { play, submit } = inReview();
      const check =
        (by: { name: string; fence?: number; taskId?: string }, team = CREW, attempt?: number) =>
        () =>
          checkVerdict(play.state, team, play.task('seal'), by, attempt);
      expect(check(LEADER)).not.toThrow();
      // An earlier claim of the same review.
      expect(check({ ...LEADER, fence: LEADER.fence + 1 })).toThrow(/no longer holds \.review-seal-1/);
      expect(check({ name: 'Ripley' })).not.toThrow();
      // The owner, who sits on no team.
      expect(check({ name: 'owner' }, CREW, 1)).not.toThrow();
      for (const name of ['Vasquez', 'newt', 'ann']) expect(check({ name })).toThrow(coded('forbidden'));
      expect(check(RUN)).toThrow(coded('forbidden'));
      expect(check(LEADER, crewWith({ Ripley: { status: 'paused' } }))).toThrow(coded('forbidden'));
      expect(check(LEADER, crewWith({ Ripley: { position: 'member' }, Vasquez: { position: 'leader' } }))).toThrow(
        coded('forbidden'),
      );
      expect(check(LEADER, crewWith({}, { status: 'archived' }))).toThrow(coded('team_archived'));
      expect(check(LEADER, crewWith({}, { status: 'disbanded' }))).toThrow(coded('team_disbanded'));
      expect(check({ name: 'owner' }, CREW, 2)).toThrow(coded('stale_attempt'));
      // A run of the leader for something else was shown nothing.
      play.move((view, { now }) =>
        addTask(view, { id: 'else', title: 'Else', team: TEAM_ID, member: 'ripley' }, { now }),
      );
      play.claim('else', { name: 'agent-9' });
      expect(check({ name: 'agent-9', fence: 1, taskId: 'else' })).toThrow(coded('not_yours'));
      play.move((view, options) => rejectTask(view, 'seal', { ...options, reason: 'no' }), LEADER);
      expect(check({ name: 'Ripley' })).toThrow(coded('not_waiting_review'));
      play.claim('seal', { name: 'agent-4' });
      submit({ name: 'agent-4', fence: 2, taskId: 'seal' });
      // The run that was asked about the attempt before.
      expect(check({ ...LEADER })).toThrow(coded('stale_attempt'));
    },
  );

  verifies(
    'team.task.review',
    'nobody reviews their own work: not as another seat, in another run or in a child',
    () => {
      const { play } = inReview();
      play.move((view, { now }) => addTask(view, { id: 'child', title: 'x' }, { now }));
      play.move(() => ({
        events: [{ op: 'edit', task_id: 'child', patch: [{ id: 'child', set: { parent: 'seal' } }] }],
        result: undefined,
      }));
      play.claim('child', { name: 'agent-7' });
      const check =
        (by: { name: string; fence?: number; taskId?: string }, team: Team = CREW) =>
        () =>
          checkVerdict(play.state, team, play.task('seal'), by, undefined);
      // A child of Hicks' run is Hicks.
      expect(check({ name: 'agent-7', fence: 1, taskId: 'child' })).toThrow(coded('forbidden'));
      const leads = { Hicks: { position: 'leader' }, Ripley: { position: 'member' } } as const;
      expect(check({ name: 'agent-7', fence: 1, taskId: 'child' }, crewWith(leads))).toThrow(coded('own_work'));
      expect(check({ name: 'hicks' }, crewWith(leads))).toThrow(coded('own_work'));
      expect(check(LEADER, crewWith({ Hicks: { agent: 'abc' }, Ripley: { agent: 'abc' } }))).toThrow(coded('own_work'));
      expect(check(LEADER, crewWith({ Hicks: { person: 'ben' }, Ripley: { person: 'ben' } }))).toThrow(
        coded('own_work'),
      );
      expect(check({ name: 'owner' }, crewWith(leads))).not.toThrow();
    },
  );

  verifies('team.task.approve', 'the verdict ends the work and the review in one step, and of two one wins', () => {
    const { play } = inReview();
    play.move((view, options) => approveTask(view, 'seal', options), LEADER);
    expect([play.task('seal').status, play.task('.review-seal-1').status]).toEqual(['done', 'done']);
    expect(REVIEW_TASK.of(play.task('seal'))).toBeUndefined();
    const again = () => play.move((view, options) => rejectTask(view, 'seal', { ...options, reason: 'no' }));
    expect(again).toThrow(coded('wrong_status'));
  });

  verifies('team.task.reject', 'sends it back to the same member with what is asked for, which is no failure', () => {
    const { play, submit, ask } = inReview();
    play.move((view, options) => rejectTask(view, 'seal', { ...options, reason: 'handle vacuum' }), LEADER);
    const task = play.task('seal');
    expect(task).toMatchObject({ status: 'open', member: 'hicks', team: TEAM_ID, rejection_count: 1 });
    expect(feedbackOf(task)).toEqual({ text: 'handle vacuum', by: 'agent-2', number: 1 });
    expect(task.failure_reason).toBeUndefined();
    expect(task.log?.at(-1)?.message).toBe('Reviewed (1/3), changes are asked for: handle vacuum');
    expect(play.task('.review-seal-1').status).toBe('done');
    // Handed in again it is another review; said by somebody else, the one that was asked is over too.
    play.claim('seal', { name: 'agent-4' });
    submit({ name: 'agent-4', fence: 2, taskId: 'seal' });
    expect(feedbackOf(play.task('seal'))).toBeUndefined();
    ask();
    play.move((view, options) => rejectTask(view, 'seal', { ...options, reason: ' ' }));
    expect(play.task('.review-seal-2').status).toBe('abandoned');
    expect(feedbackOf(play.task('seal'))).toMatchObject({ text: '', number: 2 });
    expect(play.task('seal').log?.at(-1)?.message).toBe('Reviewed (2/3), changes are asked for, without feedback');
    play.claim('seal', { name: 'agent-5' });
    submit({ name: 'agent-5', fence: 3, taskId: 'seal' });
    play.move((view, options) => rejectTask(view, 'seal', { ...options, reason: 'still no' }));
    expect(play.task('seal')).toMatchObject({
      status: 'failed',
      failure_reason: 'Rejected 3 times, at last: still no',
    });
  });
});
