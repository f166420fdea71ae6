import { expect, test } from 'vitest';
import { ALWAYS_ESCALATE, USUAL_ESCALATION } from '#core/mail/gates.js';
import { TroupeError } from '#kernel/errors.js';
import { reviewsHost } from '#operations/coordinator/reviews-host.js';
import { task } from '#operations/teamwork/team-tasks.js';
import { TeamStage } from '../teamwork/team-stage.js';

test('what became of the work of teams is told to them, and a round goes on where that cannot be done', async () => {
  const stage = new TeamStage();
  await stage.crew();
  await stage.call(task, { team: 'crew', title: 'Seal', to: 'Hicks' });
  const errors: unknown[] = [];
  const { carryOut } = reviewsHost({ onError: (error) => errors.push(error) }, stage.context());
  const follow = async () => await carryOut['follow-work']({ do: 'follow-work' } as never, await stage.graph.view());
  await stage.graph.commit(() => ({
    events: [{ op: 'submit', task_id: 'seal', patch: [{ id: 'seal', set: { status: 'pending-validation' } }] }],
    result: undefined,
  }));
  const { seq } = await stage.graph.view();
  expect(await stage.teams.followed()).toBeLessThan(seq);
  expect(await follow()).toBe(0);
  expect(await stage.teams.followed()).toBe(seq);
  stage.teams.followed = () => Promise.reject(new TroupeError('data_corrupt'));
  expect(await follow()).toBe(0);
  expect(errors).toMatchObject([{ code: 'data_corrupt' }]);
});

test('a round is told of the teams whose work waits for a review, and goes on where they cannot be read', async () => {
  const stage = new TeamStage();
  await stage.crew();
  await stage.call(task, { team: 'crew', title: 'Seal', to: 'Hicks' });
  const errors: unknown[] = [];
  const host = reviewsHost({ onError: (error) => errors.push(error) }, stage.context());
  const facts = async () => host.facts({ view: await stage.graph.view() } as never);
  const candidates = () => expect.unreachable('without work of a team nothing that is ready is looked at');
  const noTeam = { teamSeq: 0, candidates, unreviewed: candidates };
  expect((await host.facts({ view: noTeam } as never)).teams.size).toBe(0);
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

test('a round is told of the teams whose work anybody may take, once each, and of none else', async () => {
  const stage = new TeamStage();
  await stage.crew();
  const context = stage.context();
  const project = () => Promise.reject(new TroupeError('data_corrupt'));
  const rosterConfig = async () => ({ ...(await context.rosterConfig()), project });
  let asked = 0;
  const host = reviewsHost({ onError: (error) => expect.unreachable(String(error)) }, { ...context, rosterConfig });
  const getTeam = stage.teams.getTeam.bind(stage.teams);
  stage.teams.getTeam = (id) => {
    asked++;
    return getTeam(id);
  };
  const facts = async () => host.facts({ view: await stage.graph.view() } as never);
  await stage.call(task, { team: 'crew', title: 'Paint' });
  await stage.call(task, { team: 'crew', title: 'Sweep' });
  asked = 0;
  const { teams, escalation } = await facts();
  expect([[...teams.values()].map(({ name }) => name), asked, escalation]).toEqual([['crew'], 1, ALWAYS_ESCALATE]);
  await stage.graph.commit(() => ({
    events: ['paint', 'sweep'].map((id) => ({ op: 'edit', task_id: id, patch: [{ id, set: { status: 'done' } }] })),
    result: undefined,
  }));
  expect(await facts()).toMatchObject({ teams: new Map(), escalation: USUAL_ESCALATION });
});
