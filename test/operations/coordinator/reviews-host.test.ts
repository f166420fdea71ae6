import { expect, test } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { reviewsHost } from '#operations/coordinator/reviews-host.js';
import { task } from '#operations/teamwork/team-tasks.js';
import { TeamStage } from '../teamwork/team-stage.js';

test('a round is told of the teams whose work waits for a review, and goes on where they cannot be read', async () => {
  const stage = new TeamStage();
  await stage.crew();
  await stage.call(task, { team: 'crew', title: 'Seal', to: 'Hicks' });
  const errors: unknown[] = [];
  const host = reviewsHost({ onError: (error) => errors.push(error) }, stage.context());
  const facts = async () => host.facts({ view: await stage.graph.view() } as never);
  expect((await facts()).teams.size).toBe(0);
  await stage.graph.commit(() => ({
    events: [{ op: 'submit', task_id: 'seal', patch: [{ id: 'seal', set: { status: 'pending-validation' } }] }],
    result: undefined,
  }));
  expect([...(await facts()).teams.values()]).toMatchObject([{ name: 'crew' }]);
  stage.teams.getTeam = () => Promise.reject(new TroupeError('data_corrupt'));
  expect((await facts()).teams.size).toBe(0);
  expect(errors).toMatchObject([{ code: 'data_corrupt' }]);
});
