import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { SETTLED_MS, versionOf } from '#adapters/disk/file-version.js';
import { PATIENCE } from '../../patience.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { commitIn, fileAt, place, worktreesOf } from './place.js';

/** A git that writes down each start of it, but for the one that stays to tell which commit a name stands for. */
function countingGit() {
  const folder = room('git');
  const log = path.join(folder, 'log');
  const real = process.env['PATH']?.split(':').find((at) => existsSync(path.join(at, 'git'))) ?? '/usr/bin';
  const script = `#!/bin/bash\n[[ "$*" == *" cat-file --batch-check"* ]] || echo x >> ${log}\nexec ${real}/git "$@"\n`;
  mkdirSync(path.join(folder, 'bin'));
  writeFileSync(path.join(folder, 'bin/git'), script, { mode: 0o755 });
  return {
    environment: { ...process.env, PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}` },
    /** Starts while something is done. */
    of: async (act: () => Promise<unknown>): Promise<number> => {
      writeFileSync(log, '');
      await act();
      return readFileSync(log, 'utf8').length / 2;
    },
  };
}

verifies('trees.split', 'in one repository the two ports start as many gits as one did', async () => {
  const world = place();
  const git = countingGit();
  // Until then it is read for each call of git, as it may change again unseen.
  const config = path.join(world.folder, '.git/config');
  await vi.waitFor(() => expect(Date.now() - versionOf(config).changedAt).toBeGreaterThan(SETTLED_MS), PATIENCE);
  const worktrees = worktreesOf(world.folder, git.environment);
  const first = { task: 'a', attempt: 1 };
  const second = { task: 'b', attempt: 1 };
  const made = [
    await git.of(() => worktrees.create(first)),
    await git.of(() => worktrees.create(second)),
    await git.of(() => worktrees.create(first)),
    await git.of(() => worktrees.create({ task: 'c', attempt: 1, from: world.own()['main']?.trim() ?? '' })),
  ];
  const [one, other] = [await worktrees.placeOf(first), await worktrees.placeOf(second)];
  commitIn(one.path, { 'a.txt': 'a' });
  write(one.path, { 'b.txt': 'b' });
  commitIn(other.path, { 'c.txt': 'c' });
  const ended = [
    await git.of(() => worktrees.changedPaths(first)),
    await git.of(() => worktrees.publish(first)),
    await git.of(() => worktrees.traces(first)),
    await git.of(() => worktrees.stateOf(first)),
  ];
  const work = await worktrees.publish(first);
  if (work.outcome !== 'published') return expect.unreachable();
  const taken = [
    await git.of(() => worktrees.publishedPaths(work)),
    await git.of(() => worktrees.mergeBack({ ...first, how: 'merge' })),
    await git.of(() => worktrees.mergeBack({ ...first, how: 'merge' })),
    await git.of(() => worktrees.mergeBack({ ...second, how: 'squash' })),
  ];
  const after = [
    await git.of(() => worktrees.create({ task: 'd', attempt: 1 })),
    await git.of(() => worktrees.create({ task: 'd', attempt: 2 })),
    await git.of(() => worktrees.remove(first)),
    await git.of(() => worktrees.remove(second)),
    await git.of(() => worktrees.waiting()),
  ];
  expect({ made, ended, taken, after }).toEqual({
    made: [14, 11, 1, 10],
    ended: [6, 5, 2, 2],
    taken: [2, 13, 5, 15],
    after: [12, 14, 6, 8, 1],
  });
});

verifies('trees.merge-queue', 'work that is handed over at once is merged one after another, each once', async () => {
  const startsOf = async (take: (merges: readonly (() => Promise<unknown>)[]) => Promise<unknown>) => {
    const { folder } = place();
    const git = countingGit();
    const worktrees = worktreesOf(folder, git.environment);
    const works = ['a', 'b', 'c', 'd'].map((task) => ({ task, attempt: 1, how: 'merge' as const }));
    const published = [];
    for (const work of works) {
      await worktrees.create(work);
      const { path: tree } = await worktrees.placeOf(work);
      commitIn(tree, { [`${work.task}.txt`]: work.task });
      const outcome = await worktrees.publish(work);
      if (outcome.outcome !== 'published') return expect.unreachable();
      published.push({ work, outcome });
    }
    const merges = published.map(
      ({ work, outcome }) =>
        () =>
          worktrees.take(outcome, work),
    );
    const starts = await git.of(() => take(merges));
    for (const { task } of works) expect(fileAt(folder, 'wg/integration', `${task}.txt`)).toBe(task);
    return starts;
  };
  const inTurn = await startsOf(async (merges) => {
    for (const merge of merges) await merge();
  });
  expect(await startsOf((merges) => Promise.all(merges.map((merge) => merge())))).toBe(inTurn);
});
