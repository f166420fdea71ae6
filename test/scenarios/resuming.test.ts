import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { fileAt, integrationOf } from '../adapters/worktrees/place.js';
import { verifies } from '../verifies.js';
import { clientPid, inRun, runProgramPid, say } from './client-world.js';
import { asked, childrenOf, textOf, until, untilStatus } from './program.js';
import { addPlay, hasBranch, logOf, repositoryProject, serveClients } from './repository-world.js';

const SESSION = '11111111-2222-4333-8444-555555555555';

verifies(
  'hold.resume',
  'after a wait, and after a death, an attempt goes on in the same worktree and with its session',
  async () => {
    const cwd = await repositoryProject();
    const tree = (name: string) => path.join(cwd, '.workgraph/worktrees', name);
    const folderOf = (run: string) => textOf(inRun(cwd, run, 'seen-folder')).trim();
    const resumed = (run: string) => textOf(inRun(cwd, run, 'seen-args')).includes(`--resume\0${SESSION}\0`);
    // A word that comes before the service has settled the run is for that run still.
    const parked = (run: string) =>
      until(`${run} to be settled`, () => logOf(cwd).some(({ op, actor }) => op === 'park' && actor === run));
    await addPlay(cwd, 'a', 'parks', '--verify', 'look at it');
    await serveClients(cwd);
    await untilStatus(cwd, 'a', 'waiting');
    await parked('agent-1');
    await asked(['resume', 'a'], { cwd });
    const client = await clientPid(cwd, 'agent-2');
    expect([folderOf('agent-1'), folderOf('agent-2'), resumed('agent-2')]).toEqual([tree('a-1'), tree('a-1'), true]);
    process.kill(runProgramPid(cwd, 'agent-2', childrenOf), 'SIGKILL');
    process.kill(client, 'SIGKILL');
    await clientPid(cwd, 'agent-3');
    expect([folderOf('agent-3'), resumed('agent-3')]).toEqual([tree('a-1'), true]);
    say(cwd, 'agent-3', 'go');
    await untilStatus(cwd, 'a', 'pending-validation');
    await asked(['approve', 'a'], { cwd });
    expect(fileAt(cwd, integrationOf(cwd), 'a.draft')).toBe('line\n'.repeat(3));
    await until('its worktree to go', () => !existsSync(tree('a-1')) && !hasBranch(cwd, 'wg/a'));
    // What git cannot make sense of any more is no place to go on in.
    await addPlay(cwd, 'b', 'parks');
    await untilStatus(cwd, 'b', 'waiting');
    await parked('agent-4');
    rmSync(path.join(tree('b-1'), '.git'));
    await asked(['resume', 'b'], { cwd });
    await until('the next attempt', () => textOf(inRun(cwd, 'agent-5', 'seen-folder')) !== '');
    expect([folderOf('agent-5'), resumed('agent-5')]).toEqual([tree('b-2'), false]);
  },
);
