import { expect } from 'vitest';
import { git } from '../repository.js';
import { verifies } from '../verifies.js';
import { asked, troupe, until, untilStatus } from './program.js';
import { addPlay, repositoryProject, serveClients, shownTask } from './repository-world.js';

verifies(
  'tree.names',
  'a worktree that git refuses is one problem with its remedy at once, and costs no attempt',
  async () => {
    const cwd = await repositoryProject();
    git(cwd, 'branch', 'wg');
    await addPlay(cwd, 'one', 'edits');
    await serveClients(cwd);
    const problems = async () => (await troupe(['problems'], { cwd })).stdout;
    await until('the remedy is named', async () => (await problems()).includes('git branch -m wg'));
    expect(await shownTask(cwd, 'one')).toMatchObject({ status: 'open' });
    expect((await shownTask(cwd, 'one'))['fence'] ?? 0).toBe(0);
    git(cwd, 'branch', '-m', 'wg', 'mine');
    await asked(['spawn', 'one'], { cwd });
    await untilStatus(cwd, 'one', 'done', 60_000);
    expect(await shownTask(cwd, 'one')).toMatchObject({ fence: 1 });
    expect(git(cwd, 'show', 'wg/integration:f.txt')).toBe('by one\n');
  },
);
