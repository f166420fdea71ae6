import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { git } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { apart, exchangeOver } from './apart.js';
import { portsOf } from './place.js';

/** Both sides of one remote: where results gather, and where an attempt worked and published a file. */
async function published(task = 'build', attempt = 1) {
  const { folder, worker, remote } = apart('bare');
  const here = portsOf(folder, { exchange: exchangeOver(folder, remote) });
  const far = portsOf(worker, { exchange: exchangeOver(worker, remote) });
  const base = await here.integration.base();
  const tree = await far.trees.create({ task, attempt, base });
  writeFileSync(path.join(tree.folder, 'made.txt'), 'made\n');
  const work = await far.trees.publish({ task, attempt });
  if (work.outcome !== 'published') throw new Error('it was not published');
  return { folder, here: here.trees, far: far.trees, work, base };
}

verifies('fleet.code', 'what an attempt published elsewhere becomes its branch here, without a worktree', async () => {
  const { folder, here, work, base } = await published();
  const key = { task: 'build', attempt: 1 };
  expect(await here.branchState(key)).toBeUndefined();
  await here.receive(key, work);
  await here.receive(key, work);
  expect(git(folder, 'rev-parse', 'wg/build/1').trim()).toBe(work.commit);
  expect(await here.stateOf(key)).toBeUndefined();
  expect(await here.branchState(key)).toMatchObject({ head: work.commit, base, ahead: 1, clean: true });
  expect(await here.changedPaths(key)).toEqual(['made.txt']);
  await expect(here.receive({ task: 'other', attempt: 1 }, work)).rejects.toMatchObject({ code: 'not_found' });
});

verifies(
  'fleet.code',
  'a branch that is behind moves on; one that is ahead, even where it is checked out, stays',
  async () => {
    const { folder, here, work, base } = await published();
    const key = { task: 'build', attempt: 1 };
    const tip = () => git(folder, 'rev-parse', 'wg/build/1').trim();
    git(folder, 'branch', 'wg/build/1', base);
    await here.receive(key, work);
    expect(tip()).toBe(work.commit);
    git(folder, 'switch', '--quiet', 'wg/build/1');
    await here.receive(key, work);
    git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'further');
    const further = tip();
    await here.receive(key, work);
    expect(tip()).toBe(further);
  },
);

verifies('fleet.code', 'work does not come into a branch that is in use, or that holds other work', async () => {
  const { folder, here, work } = await published();
  git(folder, 'switch', '--quiet', '--create', 'wg/build/1');
  await expect(here.receive({ task: 'build', attempt: 1 }, work)).rejects.toMatchObject({ code: 'branch_in_use' });
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'another');
  git(folder, 'switch', '--quiet', 'main');
  await expect(here.receive({ task: 'build', attempt: 1 }, work)).rejects.toMatchObject({ code: 'remote_went_back' });
});

verifies(
  'fleet.code',
  'a further attempt starts from what an earlier one published, at whichever machine',
  async () => {
    const { folder, here, base, work } = await published();
    const again = await here.create({ task: 'build', attempt: 2, base });
    expect(again.start).toBe(work.commit);
    expect((await here.create({ task: 'build', attempt: 3, base, fresh: true })).start).toBe(base);
    expect(git(folder, 'status', '--porcelain')).toBe('');
  },
);
