import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import { LocalGit } from '#adapters/git/local-git.js';
import { ONE_REPOSITORY } from '#adapters/git/one-repository.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { GitAttemptTrees } from '#adapters/worktrees/git-attempt-trees.js';
import { DEFAULT_LAYOUT } from '#core/settings/layout.js';
import { git, write } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { place } from './place.js';

const KEY = { task: 't', attempt: 1 };

/** Runs `before` ahead of the call of this number: as when a work is merged while its changes are read. */
class InterruptedGit extends LocalGit {
  calls = 0;
  private readonly at: number;
  private readonly before: () => void;

  constructor(at: number, before: () => void) {
    super(process.env);
    [this.at, this.before] = [at, before];
  }

  override async run(...call: Parameters<LocalGit['run']>): ReturnType<LocalGit['run']> {
    if (++this.calls === this.at) this.before();
    return await super.run(...call);
  }
}

async function attempted() {
  const { folder, worktrees } = place();
  const { path } = await worktrees.create(KEY);
  write(path, { 'f.txt': 'two\n' });
  git(path, 'commit', '-qam', 'Two');
  const interruptedBy = (at: number, before: () => void) => {
    const interrupted = new InterruptedGit(at, before);
    const trees = new GitAttemptTrees({
      projectFolder: folder,
      git: interrupted,
      processes: new ProcessTable(),
      layout: async () => DEFAULT_LAYOUT,
      exchange: () => ONE_REPOSITORY,
    });
    return { trees, interrupted };
  };
  const dropTree = () => {
    rmSync(path, { recursive: true });
    git(folder, 'worktree', 'prune');
  };
  const drop = () => {
    dropTree();
    git(folder, 'branch', '-D', 'wg/t/1');
  };
  return { interruptedBy, dropTree, drop };
}

const READERS: Readonly<Record<string, (trees: GitAttemptTrees) => Promise<unknown>>> = {
  changes: (trees) => trees.changes(KEY),
  patch: (trees) => trees.patch(KEY, 10_000),
  changedPaths: (trees) => trees.changedPaths(KEY),
  stateOf: (trees) => trees.stateOf(KEY),
  list: (trees) => trees.list(),
};

for (const [name, read] of Object.entries(READERS)) {
  verifies('web.review', `${name}: a worktree or attempt that goes at any moment is read as it is then`, async () => {
    // Each attempt has a repository and commits of its own.
    const told = (answer: unknown) => (JSON.stringify(answer) ?? '').replaceAll(/"\/[^"]*"|\b[0-9a-f]{40}\b/g, '…');
    const outcome = async (trees: GitAttemptTrees) => await read(trees).catch((error) => [String(error)]);
    for (const act of ['dropTree', 'drop'] as const) {
      const quiet = await attempted();
      const { trees, interrupted } = quiet.interruptedBy(0, () => undefined);
      const whole = told(await outcome(trees));
      const calls = interrupted.calls;
      quiet[act]();
      const gone = told(await outcome(trees));
      for (let at = 1; at <= calls; at++) {
        const one = await attempted();
        expect([whole, gone], `${act} before call ${at}`).toContain(
          told(await outcome(one.interruptedBy(at, one[act]).trees)),
        );
      }
    }
  });
}
