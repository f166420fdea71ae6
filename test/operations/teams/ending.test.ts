import { expect, test } from 'vitest';
import { send } from '#operations/mail/conversations.js';
import type { Context } from '#operations/operation.js';
import { archive, disband } from '#operations/teams/ending.js';
import { task } from '#operations/teamwork/team-tasks.js';
import type { RunFolders } from '#ports/run-folders.js';
import { NO_RUNS } from '../../no-runs.js';
import { verifies } from '../../verifies.js';
import { TeamStage } from '../teamwork/team-stage.js';

const coded = (code: string, details: object = {}) => expect.objectContaining({ code, ...details });

/** A crew with work: one task under a run, one that comes after it, one of nobody's team. */
class Busy extends TeamStage {
  readonly ended: string[] = [];

  override context(): Context {
    const runs: RunFolders = {
      ...NO_RUNS,
      atWork: async () => [{ id: 'agent-1' }],
      end: async (id) => this.ended.push(id) > 0,
    };
    return { ...super.context(), runs: async () => runs };
  }
}

async function busy(): Promise<Busy> {
  const stage = new Busy();
  await stage.crew();
  await stage.call(task, { team: 'crew', title: 'Fix the airlock', to: 'Hicks' });
  await stage.call(task, { team: 'crew', title: 'Test it', to: 'Bishop', after: ['fix-the-airlock'] });
  await stage.begin('fix-the-airlock', 'agent-1');
  return stage;
}

for (const ending of [disband, archive])
  verifies(
    ['team.life.final', 'team.life.check'],
    `${ending.name} names the attempts in its way, stops them when it is told to, and keeps the work, paused`,
    async () => {
      const stage = await busy();
      await expect(stage.call(ending, { team: 'crew', stop: true })).rejects.toThrow(coded('not_yours'));
      stage.person();
      await expect(stage.call(ending, { team: 'crew' })).rejects.toThrow(
        coded('team_busy', { details: { ids: ['fix-the-airlock'] } }),
      );
      expect(await stage.task('test-it')).not.toHaveProperty('paused');
      expect(await stage.call(ending, { team: 'crew', stop: true })).toMatchObject({
        changed: true,
        stopped: ['fix-the-airlock'],
      });
      expect(stage.ended).toEqual(['agent-1']);
      expect(await stage.task('fix-the-airlock')).toMatchObject({ status: 'open', paused: true });
      expect(await stage.task('fix-the-airlock')).not.toHaveProperty('assigned');
      expect(await stage.task('test-it')).toMatchObject({ status: 'open', paused: true, member: 'bishop' });
      expect(await stage.call(ending, { team: 'crew' })).toMatchObject({ changed: false, stopped: [], paused: [] });
      const other = ending === disband ? archive : disband;
      await expect(stage.call(other, { team: 'crew', stop: true })).rejects.toThrow(coded('team_transition'));
    },
  );

verifies(
  'team.life.final',
  'what is open when a team ends is paused in the same step, whoever is killed then',
  async () => {
    const stage = new TeamStage();
    await stage.crew();
    await stage.call(task, { team: 'crew', title: 'Later', to: 'Hicks' });
    expect(await stage.call(disband, { team: 'crew' })).toMatchObject({ changed: true, paused: ['later'] });
    expect(await stage.task('later')).toMatchObject({ status: 'open', paused: true });
  },
);

test('a team without a graph ends as it did', async () => {
  const stage = new TeamStage();
  await stage.crew();
  stage.store = undefined;
  expect(await stage.call(archive, { team: 'crew' })).toMatchObject({ changed: true, paused: [], withdrawn: [] });
});

verifies('team.life.final', 'what its members asked one another ends with the team', async () => {
  const stage = await busy();
  stage.person();
  await stage.call(task, { team: 'crew', title: 'Lead', to: 'Ripley' });
  await stage.begin('lead', 'agent-2');
  const { conversation_id: id, task_id } = await stage.call(send, { member: 'hicks', message: 'How far is it?' });
  stage.person();
  expect(await stage.call(disband, { team: 'crew', stop: true })).toMatchObject({
    stopped: ['fix-the-airlock', 'lead'],
    withdrawn: [id],
  });
  expect(await stage.task(task_id ?? '')).toMatchObject({ status: 'abandoned' });
});
