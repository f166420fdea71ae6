import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { blueprintApply } from '#operations/playbooks/apply.js';
import { confirm } from '#operations/squad/confirm.js';
import { manual } from '#operations/squad/proposals.js';
import { workflowShow } from '#operations/workflows/workflows.js';
import { mass } from '../../mass.js';
import { verifies } from '../../verifies.js';
import { Stage } from '../team/casting-stage.js';
import { furnish, TRIPS, treeOf } from './sample.js';

/** A project with a team, files for clients, a proposal that waits. */
async function staffed(): Promise<Stage> {
  const stage = new Stage();
  stage.settings = { casting: { client_files: true } };
  furnish(stage.folder);
  await stage.call(manual, { archetypes: ['lead-architect', 'docs-writer'] });
  await stage.call(confirm);
  await stage.call(manual, { archetypes: ['qa-engineer'] });
  chmodSync(path.join(stage.folder, '.squad/team.md'), 0o640);
  return stage;
}

/** A failure at the first step of so many; or at each. */
const STRIDE = mass(5, 1);

const apply = (stage: Stage) => stage.call(blueprintApply, { blueprint: TRIPS, intent: 'new' });
const failingAt = (...steps: number[]) => {
  let count = 0;
  return () => {
    if (steps.includes(++count)) throw new Error('The disk says no.');
  };
};

verifies(
  ['blueprint.restore', 'blueprint.apply'],
  'a failure at any step leaves every file as it was, bytes and modes, and no folder more or less',
  async () => {
    const stage = await staffed();
    const before = treeOf(stage.folder);
    let steps = 0;
    for (let at = 1; steps === 0; at += STRIDE) {
      stage.step = failingAt(at);
      const failed = await apply(stage).then(
        () => false,
        (error: Error) => error.message === 'The disk says no.',
      );
      if (failed) expect(treeOf(stage.folder), `failing at step ${at}`).toEqual(before);
      else steps = at - 1;
    }
    // Folder, record, commitment; then each file, twice; then the end.
    expect(steps).toBeGreaterThan(40);
    stage.step = undefined;
    expect(treeOf(stage.folder)).not.toEqual(before);
    expect(await stage.call(workflowShow, { id: 'plan-a-trip' })).toMatchObject({ source: 'project', commands: [] });
  },
);

verifies('blueprint.restore', 'when putting back fails too, whoever comes next carries on with it', async () => {
  const stage = await staffed();
  const before = treeOf(stage.folder);
  for (let at = 5; at < 40; at += 3 * STRIDE) {
    for (const later of [1, 2, 5]) {
      stage.step = failingAt(at, at + later);
      await expect(apply(stage)).rejects.toThrow('The disk says no.');
      stage.step = undefined;
      await (await stage.context().squad()).read();
      expect(treeOf(stage.folder), `failing at ${at} and ${at + later}`).toEqual(before);
    }
  }
});

verifies('blueprint.restore', 'a real obstacle on the way: nothing was changed', async () => {
  const stage = await staffed();
  // A folder where a file shall be is only met once the write is under way.
  let blocked = false;
  stage.step = (name) => {
    if (name !== 'put .squad/casting/history.json' || blocked) return;
    blocked = true;
    throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  };
  const before = treeOf(stage.folder);
  await expect(apply(stage)).rejects.toMatchObject({
    code: 'disk_full',
    message: expect.stringContaining('everything was restored'),
  });
  expect(treeOf(stage.folder)).toEqual(before);
});
