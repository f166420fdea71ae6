import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { SETTLED_MS, versionOf } from '#adapters/disk/file-version.js';
import { PATIENCE } from '../../patience.js';
import { git as execGit, write } from '../../repository.js';
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

/** Until then the configuration is read for each call of git, as it may change again unseen. */
async function settled(folder: string): Promise<void> {
  const config = path.join(folder, '.git/config');
  await vi.waitFor(() => expect(Date.now() - versionOf(config).changedAt).toBeGreaterThan(SETTLED_MS), PATIENCE);
}

verifies('trees.split', 'in one repository the two ports start as many gits as one did', async () => {
  const world = place();
  const git = countingGit();
  await settled(world.folder);
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

test('what is shown again starts git only for what may have changed, and tells each change at once', async () => {
  const { folder } = place();
  const git = countingGit();
  const worktrees = worktreesOf(folder, git.environment);
  const keys = ['a', 'b', 'c', 'd'].map((task) => ({ task, attempt: 1 }));
  for (const key of keys) {
    const { path: tree } = await worktrees.create(key);
    commitIn(tree, { [`${key.task}.txt`]: key.task });
  }
  await settled(folder);
  const states = async () =>
    (await worktrees.list()).map(({ ahead, dirty, removable, text }) => [ahead, dirty, removable, text]);
  const one = [1, 0, false, '1 commit of it is in no other branch'];
  const first = await git.of(async () => expect(await states()).toEqual([one, one, one, one]));
  const again = await git.of(async () => expect(await states()).toEqual([one, one, one, one]));
  const patchBytes = 1_000;
  const shown = async () => {
    const { ahead, untracked, patch = '' } = await worktrees.changes({ task: 'b', attempt: 1 }, { patchBytes });
    return [ahead, untracked, /^\+.*$/m.exec(patch.replaceAll('+++', ''))?.[0], await worktrees.waiting()];
  };
  const oneShown = await git.of(async () => expect(await shown()).toEqual([1, [], '+b', 0]));
  await worktrees.mergeBack({ task: 'a', attempt: 1, how: 'merge' });
  commitIn((await worktrees.placeOf({ task: 'b', attempt: 1 })).path, { 'b.txt': 'bee' });
  write((await worktrees.placeOf({ task: 'c', attempt: 1 })).path, { 'new.txt': 'new' });
  const dirty = [1, 1, false, expect.stringContaining('new.txt')];
  const changed = [
    [0, 0, true, 'its work is in wg/integration'],
    [2, 0, false, '2 commits of it are in no other branch'],
  ];
  const moved = await git.of(async () => expect(await states()).toEqual([...changed, dirty, one]));
  const later = await git.of(async () => expect(await states()).toEqual([...changed, dirty, one]));
  const shownThen = await git.of(async () => expect(await shown()).toEqual([2, [], '+bee', 2]));
  commitIn(folder, { 'f.txt': 'four' });
  const main = commitIn(folder, { 'own.txt': 'own' });
  execGit(folder, 'merge', '--quiet', '--no-edit', 'wg/d/1');
  expect((await states())[3]).toEqual([1, 0, true, 'its work is in main']);
  execGit(folder, 'reset', '--quiet', '--hard', main);
  expect((await states())[3], 'what a branch held once does not count').toEqual(one);
  expect({ first, again, oneShown, moved, later, shownThen }).toEqual({
    ...{ first: 18, again: 6, oneShown: 3, moved: 18, later: 6, shownThen: 4 },
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
