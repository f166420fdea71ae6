import { expect } from 'vitest';
import { approve } from '#operations/graph/approve.js';
import { reject } from '#operations/graph/moves.js';
import type { Context } from '#operations/operation.js';
import type { PublishedWork } from '#ports/attempt-trees.js';
import type { TakeRequest } from '#ports/integration.js';
import { commitIn, integrationOf, joined, place, portsOf } from '../adapters/worktrees/place.js';
import { bothPorts } from '../both-ports.js';
import { world } from '../e2e/world.js';
import { NO_RUNS } from '../no-runs.js';
import { git, write } from '../repository.js';
import { verifies } from '../verifies.js';

/** Git's worktrees with a door before the merge, at which somebody else may come in between. */
function watched(folder: string) {
  const { trees, integration } = portsOf(folder);
  const meanwhile: (() => Promise<void>)[] = [];
  const take = async (work: PublishedWork, request: TakeRequest) => {
    await meanwhile.shift()?.();
    return await integration.take(work, request);
  };
  return Object.assign(joined({ trees, integration: Object.assign(Object.create(integration), { take }) }), {
    meanwhile,
  });
}

/** Work of one attempt in its worktree, which waits for a review. */
async function submitted() {
  const own = world(Date.now());
  const { folder } = place();
  const worktrees = watched(folder);
  await own.add('a', { status: 'pending-validation', fence: 1, assigned: 'agent-1', verify: 'read it' });
  const tree = await worktrees.create({ task: 'a', attempt: 1 });
  commitIn(tree.path, { 'a.txt': 'by a\n' });
  const context: Context = {
    ...own.context,
    projectFolder: folder,
    ...bothPorts(async () => worktrees),
    settings: async () => ({ name: 'config.toml', read: async () => ({}), set: async () => ({ kept: true }) }),
    runs: async () => ({
      ...NO_RUNS,
      identity: async () => ({ taskId: 'a', fence: 1, tree: { branch: tree.branch, folder: tree.folder } }) as never,
    }),
  };
  const merged = () => git(folder, 'ls-tree', '--name-only', integrationOf(folder)).includes('a.txt');
  return {
    ...own,
    context,
    worktrees,
    folder,
    tree,
    merged,
    status: async () => (await own.store.view()).task('a')?.status,
  };
}

const rejecting = (context: Context) => reject.run(context, { id: 'a', reason: 'not like this' });

verifies(
  ['tree.merge', 'graph.move.approve'],
  'a rejection that comes while an approval merges is too late: nothing that was rejected is ever merged',
  async () => {
    const { context, worktrees, merged, status } = await submitted();
    let late: unknown;
    worktrees.meanwhile.push(async () => {
      late = await rejecting(context).catch((error) => error);
    });
    expect(await approve.run(context, { id: 'a' })).toMatchObject({ status: 'done' });
    expect(late).toMatchObject({ code: 'wrong_status', message: expect.stringContaining('has approved it') });
    expect([await status(), merged()]).toEqual(['done', true]);
  },
);

verifies('tree.merge', 'whichever of both comes first, work is merged exactly when it is done', async () => {
  for (let round = 0; round < 8; round++) {
    const { context, merged, status } = await submitted();
    const both = [approve.run(context, { id: 'a' }), rejecting(context)];
    if (round % 2 === 1) both.unshift(rejecting(context));
    const ends = await Promise.allSettled(both);
    expect(ends.filter((end) => end.status === 'fulfilled')).toHaveLength(1);
    expect(merged()).toBe((await status()) === 'done');
  }
});

verifies(
  'tree.merge',
  'an approval that was killed while it merged is gone on with; until then nothing is rejected',
  async () => {
    const { context, worktrees, merged, status } = await submitted();
    // It gets as far as the merge, and is never heard of again.
    await new Promise<void>((reached) => {
      worktrees.meanwhile.push(() => {
        reached();
        return new Promise(() => undefined);
      });
      void approve.run(context, { id: 'a' });
    });
    expect([await status(), merged()]).toEqual(['pending-validation', false]);
    await expect(rejecting(context)).rejects.toMatchObject({ code: 'wrong_status' });
    expect(await approve.run(context, { id: 'a' })).toMatchObject({ status: 'done' });
    expect(merged()).toBe(true);
  },
);

verifies('tree.conflict', 'what does not fit after all can be rejected again', async () => {
  const { context, folder, worktrees, merged } = await submitted();
  worktrees.meanwhile.push(async () => {
    const other = await worktrees.create({ task: 'b', attempt: 1 });
    write(other.path, { 'a.txt': 'by b\n' });
    await worktrees.mergeBack({ task: 'b', attempt: 1, how: 'merge' });
  });
  await expect(approve.run(context, { id: 'a' })).rejects.toMatchObject({ code: 'merge_conflict' });
  expect(git(folder, 'show', 'wg/integration:a.txt')).toBe('by b\n');
  expect(await rejecting(context)).toMatchObject({ status: 'open' });
  expect(merged()).toBe(true); // the other one's
});
