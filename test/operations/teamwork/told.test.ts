import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { get, list, put } from '#operations/teamwork/artifacts.js';
import { approvePlan, listPlans, rejectPlan, submitPlan } from '#operations/teamwork/plans.js';
import { review, submit } from '#operations/teamwork/submissions.js';
import { take, task, tasks } from '#operations/teamwork/team-tasks.js';
import { verifies } from '../../verifies.js';
import { Calls } from '../told.js';
import { TeamStage } from './team-stage.js';

verifies(
  'test.bites',
  'what the members of a team do, hand in and decide is answered as it was found good',
  async () => {
    const stage = new TeamStage();
    await stage.crew();
    const calls = new Calls(() => stage.context());
    let requests = 0;
    const say: Calls['say'] = async (operation, input) => {
      stage.requestId = `q-${++requests}`;
      return await calls.say(operation, input);
    };
    const ids = async () => (await stage.teams.artifacts(await team(), { limit: 9 })).map(({ id }) => id);
    const team = async () => (await stage.teams.labels())[0]?.id ?? '';
    writeFileSync(path.join(stage.folder, 'report.md'), '# Report\n');
    writeFileSync(path.join(stage.folder, 'picture.png'), Uint8Array.of(0xff, 0xfe, 0));
    stage.person();

    await say(task, { team: 'crew', title: 'Fix the airlock', to: 'Hicks', description: 'Soon.', verify: 'It holds.' });
    await say(task, { team: 'crew', title: 'Test it', to: 'Bishop', after: ['fix-the-airlock'], max_rejections: 2 });
    await say(task, { team: 'crew', title: 'Seal the door', to: 'Hicks', plan: true });
    await say(task, { team: 'crew', title: 'Anybody' });
    await say(task, { team: 'crew', title: 'No member', plan: true });
    await say(task, { team: 'nobody', title: 'No team' });
    await say(task, { team: 'crew', title: 'After nothing', after: ['gone'] });
    await say(tasks, { team: 'crew' });
    await say(tasks, { team: 'crew', member: 'hicks', status: 'Pending' });
    await say(take, { id: 'anybody' });
    await say(take, { id: 'anybody', member: 'Newt' });
    await say(take, { id: 'anybody', member: 'Bishop' });
    await say(listPlans, { team: 'crew' });

    await stage.begin('plan-seal-the-door', 'agent-1');
    await say(take, { id: 'test-it', member: 'Hicks' });
    await say(submitPlan, { id: 'seal-the-door', content: 'First the frame.' });
    await say(task, { team: 'crew', title: 'By a member', to: 'Bishop' });
    stage.person();
    await say(listPlans, { team: 'crew', status: 'submitted' as never });
    await say(rejectPlan, { id: 'seal-the-door', feedback: 'The hinges first' });
    await say(approvePlan, { id: 'seal-the-door' });
    await say(approvePlan, { id: 'anybody' });
    await say(listPlans, { team: 'crew' });

    await stage.begin('fix-the-airlock', 'agent-2');
    await say(submit, { id: 'fix-the-airlock', content: 'x', path: 'report.md' });
    await say(submit, { id: 'test-it', content: 'x' });
    await say(submit, { id: 'fix-the-airlock', path: 'report.md', summary: 'It fits.' });
    stage.requestId = `q-${requests}`;
    await calls.say(submit, { id: 'fix-the-airlock', path: 'report.md', summary: 'It fits.' });
    await say(submit, { id: 'fix-the-airlock', content: 'again' });
    stage.person('bo');
    await say(tasks, { team: 'crew', status: 'WaitingReview' });
    await say(review, { id: 'fix-the-airlock' });
    await say(review, { id: 'fix-the-airlock', verdict: 'approve', decision: 'reject' });
    await say(review, { id: 'fix-the-airlock', verdict: 'reject', feedback: 'Tighter', actor: 'cy' });
    await say(tasks, { team: 'crew', member: 'hicks' });
    await stage.begin('fix-the-airlock', 'agent-3');
    await say(submit, { id: 'fix-the-airlock', content: 'Tighter now.', title: 'The lock', content_type: 'text/x-y' });
    stage.person('bo');
    await say(review, { id: 'fix-the-airlock', decision: 'approve', feedback: 'Good', attempt: 1 });
    await say(review, { id: 'fix-the-airlock', decision: 'approve', feedback: 'Good', attempt: 2 });

    await say(put, { team: 'crew', path: 'picture.png' });
    await say(put, { team: 'crew', content: 'A note.' });
    await say(put, { team: 'crew', content: 'A note.', name: 'why', content_type: 'text/x-z' });
    await say(put, { team: 'crew' });
    await say(put, { team: 'crew', path: 'none.md' });
    for (const limit of [undefined, 0, 2, 100_000]) await say(list, { team: 'crew', limit });
    await say(list, { team: 'crew', task: 'fix-the-airlock', limit: undefined });
    for (const id of [...(await ids()), 'none']) await say(get, { id, force: undefined });
    await calls.tasks();
    const text = calls.text.replaceAll(await team(), '(team)').replaceAll(stage.folder, '(project)');
    await expect(text).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/told.txt'));
  },
);
