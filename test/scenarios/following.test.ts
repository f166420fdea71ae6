import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { fileAt, integrationOf } from '../adapters/worktrees/place.js';
import { git } from '../repository.js';
import { verifies } from '../verifies.js';
import { inRun, ownSettings } from './client-world.js';
import { asked, textOf, until, untilStatus } from './program.js';
import { addPlay, hasBranch, repositoryProject, serveClients, shownTask } from './repository-world.js';

verifies(
  'hold.tree.follow',
  'what comes after merged work runs on files that have it; the person’s branch stays where it is',
  async () => {
    const cwd = await repositoryProject();
    const head = git(cwd, 'rev-parse', 'main');
    const command = (id: string, exec: string, ...more: string[]) =>
      asked(['add', id, '--id', id, '--exec', exec, ...more], { cwd, env: ownSettings() });
    await addPlay(cwd, 'build', 'leaves');
    await command('nothing', 'true', '--after', 'build');
    await command(
      'tests',
      'cat build.txt > tested.txt; pwd',
      '--after',
      'nothing',
      '--verify-cmd',
      'test -s build.txt',
    );
    await addPlay(cwd, 'reads', 'leaves', '--exec-mode', 'light', '--after', 'tests');
    await command('here', 'pwd; test ! -e build.txt', '--after', 'tests', '--in', 'project');
    await serveClients(cwd);
    for (const id of ['reads', 'here']) await untilStatus(cwd, id, 'done');
    const tree = (name: string) => path.join(cwd, '.workgraph/worktrees', name);
    const seen = async (id: string, file: string) =>
      textOf(inRun(cwd, String((await shownTask(cwd, id))['assigned']), file)).trim();
    expect(await seen('tests', 'output.log')).toBe(`${tree('tests-1')}\n--- check`);
    expect(fileAt(cwd, integrationOf(cwd), 'tested.txt')).toBe('by build\n');
    expect((await shownTask(cwd, 'tests'))['evidence']).toMatchObject({ verify_cmd: 'test -s build.txt', exit: 0 });
    expect(await seen('here', 'output.log')).toBe(cwd);
    // Who was to read changed something: that is said, and goes.
    expect(await seen('reads', 'seen-folder')).toBe(tree('reads-1'));
    await until('its worktree to go', () => !existsSync(tree('reads-1')) && !hasBranch(cwd, 'wg/reads'));
    expect(JSON.stringify((await shownTask(cwd, 'reads'))['log'])).toContain('its changes were discarded: reads.txt');
    expect(git(cwd, 'ls-tree', '--name-only', 'wg/integration').split('\n')).not.toContain('reads.txt');
    await until('the others to go', () => !existsSync(tree('tests-1')) && !existsSync(tree('nothing-1')));
    // Where the project says so, nobody follows.
    await asked(['config', 'set', 'coordinator.follow', 'project'], { cwd });
    await command('all-here', 'pwd', '--after', 'tests');
    await untilStatus(cwd, 'all-here', 'done');
    expect(await seen('all-here', 'output.log')).toBe(cwd);
    await command('again', 'pwd', '--after', 'tests', '--in', 'integration');
    await untilStatus(cwd, 'again', 'done');
    expect(await seen('again', 'output.log')).toBe(tree('again-1'));
    expect(git(cwd, 'rev-parse', 'main')).toBe(head);
    expect(git(cwd, 'status', '--porcelain', '--', '.', ':!.workgraph')).toBe('');
  },
);
