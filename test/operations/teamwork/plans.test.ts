import { expect } from 'vitest';
import { done } from '#operations/graph/done.js';
import { approvePlan, listPlans, rejectPlan, submitPlan } from '#operations/teamwork/plans.js';
import { submit } from '#operations/teamwork/submissions.js';
import { task } from '#operations/teamwork/team-tasks.js';
import { verifies } from '../../verifies.js';
import { TeamStage } from './team-stage.js';

const coded = (code: string, details: object = {}) => expect.objectContaining({ code, ...details });
const SEAL = 'seal-the-door';
const PLAN = `plan-${SEAL}`;

/** Work that begins with a plan; a run of its member is at the plan. */
async function planned(to = 'Hicks'): Promise<TeamStage> {
  const stage = new TeamStage();
  await stage.crew();
  expect(await stage.call(task, { team: 'crew', title: 'Seal the door', to, plan: true })).toMatchObject({
    ...{ id: SEAL, plan_id: PLAN },
  });
  await stage.begin(PLAN, 'agent-1');
  return stage;
}

const handIn = (stage: TeamStage, content = 'First the frame.') => stage.call(submitPlan, { id: SEAL, content });

/** The run of the leader that was asked about the plan. */
async function asLeader(stage: TeamStage, number = 1): Promise<void> {
  await stage.askReviews();
  await stage.begin(`.review-${PLAN}-${number}`, `lead-${number}`);
}

verifies(
  'team.plan',
  'work with a plan begins when its leader has approved it; one that is sent back is made again, with the feedback',
  async () => {
    const stage = await planned();
    expect(await stage.task(PLAN)).toMatchObject({ member: 'hicks', exec_mode: 'light', plan_of: SEAL });
    expect(await stage.task(SEAL)).toMatchObject({ plan_required: true, after_success: [PLAN], member: 'hicks' });
    expect(await handIn(stage)).toMatchObject({ id: PLAN, status: 'pending-validation' });
    await asLeader(stage);
    expect(await stage.call(rejectPlan, { id: SEAL, feedback: 'The hinges come first' })).toMatchObject({
      ...{ id: PLAN, verdict: 'reject', ready: [] },
    });
    expect((await stage.call(listPlans, { team: 'crew' })).plans).toMatchObject([
      { task_id: SEAL, plan_id: PLAN, status: 'rejected', feedback: 'The hinges come first' },
    ]);
    await stage.begin(PLAN, 'agent-2');
    await handIn(stage, 'First the hinges.');
    await asLeader(stage, 2);
    expect(await stage.call(approvePlan, { id: PLAN })).toMatchObject({ verdict: 'approve', ready: [SEAL] });
    expect((await stage.call(listPlans, { team: 'crew', status: 'approved' })).plans).toHaveLength(1);
    await stage.begin(SEAL, 'agent-3');
    expect(await stage.call(submit, { id: SEAL, content: 'It is sealed.' })).toMatchObject({
      status: 'pending-validation',
    });
  },
);

verifies('team.plan', 'nobody decides twice, and who is late is told what was decided, and by whom', async () => {
  const stage = await planned();
  await handIn(stage);
  stage.person();
  await stage.call(rejectPlan, { id: SEAL, feedback: 'Shorter' });
  const first = { details: { id: PLAN, decision: 'rejected', by: 'ann', feedback: 'Shorter' } };
  await expect(stage.call(approvePlan, { id: SEAL })).rejects.toThrow(coded('plan_decided', first));
  await stage.begin(PLAN, 'agent-2');
  await handIn(stage);
  stage.person('bob');
  await stage.call(approvePlan, { id: SEAL });
  stage.person();
  const second = { details: { id: PLAN, decision: 'approved', by: 'bob', feedback: null } };
  for (const late of [approvePlan, rejectPlan])
    await expect(stage.call(late, { id: SEAL })).rejects.toThrow(coded('plan_decided', second));
  await expect(handIn(stage)).rejects.toThrow(coded('plan_decided'));
});

verifies('team.plan', 'whoever made a plan does not approve it; that of the leader goes to the owner', async () => {
  const stage = await planned('Ripley');
  await handIn(stage);
  await stage.askReviews();
  expect((await stage.graph.view()).task(`.review-${PLAN}-1`)).toBeUndefined();
  stage.person('ripley');
  await expect(stage.call(approvePlan, { id: SEAL })).rejects.toThrow(coded('own_work'));
  stage.person();
  expect(await stage.call(approvePlan, { id: SEAL })).toMatchObject({ verdict: 'approve' });
});

verifies('team.plan', 'nothing counts as handed in, or as done, while the plan is not approved', async () => {
  const stage = await planned();
  await stage.begin(SEAL, 'agent-9'); // forced, by a person
  for (const early of [
    () => stage.call(submit, { id: SEAL, content: 'It is sealed.' }),
    () => stage.call(done, { id: SEAL }),
  ])
    await expect(early()).rejects.toThrow(coded('plan_required', { details: { id: SEAL, plan: PLAN } }));
  stage.person();
  await stage.call(task, { team: 'crew', title: 'Plain', to: 'Hicks' });
  await expect(stage.call(submitPlan, { id: 'plain', content: 'x' })).rejects.toThrow(coded('bad_input'));
  await expect(stage.call(approvePlan, { id: SEAL })).rejects.toThrow(coded('not_waiting_review'));
});
