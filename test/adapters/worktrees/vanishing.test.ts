import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import { LocalGit } from '#adapters/git/local-git.js';
import { ONE_REPOSITORY } from '#adapters/git/one-repository.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { GitAttemptTrees } from '#adapters/worktrees/git-attempt-trees.js';
import { DEFAULT_LAYOUT } from '#core/worktrees/layout.js';
import { git, write } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { place } from './place.js';

const KEY = { task: 't', attempt: 1 };

/** Runs `before` once, ahead of the first comparison: as when a work is merged while its changes are read. */
class InterruptedGit extends LocalGit {
  private before: (() => void) | undefined;

  constructor(before: () => void) {
    super(process.env);
    this.before = before;
  }

  override async run(...call: Parameters<LocalGit['run']>): ReturnType<LocalGit['run']> {
    const [, [verb]] = call;
    if (verb === 'diff') {
      this.before?.();
      this.before = undefined;
    }
    return await super.run(...call);
  }
}

async function attempted() {
  const { folder, worktrees } = place();
  const { path } = await worktrees.create(KEY);
  write(path, { 'f.txt': 'two\n' });
  git(path, 'commit', '-qam', 'Two');
  const reading = (before: () => void) =>
    new GitAttemptTrees({
      projectFolder: folder,
      git: new InterruptedGit(before),
      processes: new ProcessTable(),
      layout: async () => DEFAULT_LAYOUT,
      exchange: () => ONE_REPOSITORY,
    });
  const dropTree = () => {
    rmSync(path, { recursive: true });
    git(folder, 'worktree', 'prune');
  };
  return { folder, reading, dropTree };
}

verifies('web.review', 'a worktree that goes while its changes are read: the branch has them', async () => {
  const { reading, dropTree } = await attempted();
  expect(await reading(dropTree).changes(KEY)).toMatchObject({ ahead: 1, changes: { total: 1 } });
});

verifies('web.review', 'an attempt that is merged and removed while it is read has nothing left', async () => {
  const { folder, reading, dropTree } = await attempted();
  const drop = () => {
    dropTree();
    git(folder, 'branch', '-D', 'wg/t/1');
  };
  await expect(reading(drop).changes(KEY)).rejects.toMatchObject({ code: 'not_found' });
});

verifies('web.review', 'a patch is that of the branch if the worktree goes while it is read', async () => {
  const { reading, dropTree } = await attempted();
  expect(await reading(dropTree).patch(KEY, 10_000)).toContain('-one');
});
