import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { sha256 } from '#kernel/hash.js';
import { fileAt, integrationOf } from '../adapters/worktrees/place.js';
import { git, write } from '../repository.js';
import { verifies } from '../verifies.js';
import { inRun, say } from './client-world.js';
import { asked, statuses, textOf, troupe, until, untilStatus } from './program.js';
import { addPlay, hasBranch, logOf, repositoryProject, serveClients, shownTask } from './repository-world.js';

describe('work in worktrees comes together', () => {
  verifies(
    ['tree.conflict', 'tree.keep', 'hold.conflict'],
    'worked example 6: of those that edit one line the first is merged; the others wait for a person, or begin again from what they did not fit',
    async () => {
      const cwd = await repositoryProject();
      for (const id of ['t1', 't2', 't3']) await addPlay(cwd, id, 'edits-late');
      await addPlay(cwd, 'after-t2', 'looks', '--after', 't2');
      await serveClients(cwd);
      const begun = async (id: string) => {
        await until(`${id} to begin`, async () =>
          existsSync(inRun(cwd, String((await shownTask(cwd, id))['assigned']), 'seen-pid')),
        );
        return String((await shownTask(cwd, id))['assigned']);
      };
      const [first, second, third] = [await begun('t1'), await begun('t2'), await begun('t3')];
      say(cwd, first, 'go');
      await untilStatus(cwd, 't1', 'done');
      for (const run of [second, third]) say(cwd, run, 'go');
      for (const id of ['t2', 't3']) await untilStatus(cwd, id, 'pending-validation');
      const t2 = await shownTask(cwd, 't2');
      expect(t2['failure_reason']).toBe('merge conflict: f.txt');
      expect(JSON.stringify(t2['log'])).toContain('merge conflict: f.txt');
      expect(fileAt(cwd, integrationOf(cwd), 'f.txt')).toBe('by t1\n');
      expect(hasBranch(cwd, 'wg/t2/1')).toBe(true);
      expect(fileAt(cwd, 'wg/t2/1', 'f.txt')).toBe('by t2\n');
      expect(await statuses(cwd)).toMatchObject({ 'after-t2': 'open' });
      const refused = await troupe(['approve', 't2'], { cwd });
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(/merge_conflict.*merge conflict: f\.txt/s);
      expect((await troupe(['status'], { cwd })).stdout).toContain('merge conflict: f.txt');
      expect((await troupe(['worktree', 'list'], { cwd })).stdout).toMatch(/t2 +1 .*its task is still in progress/);

      // What `problems` says has one begin again from what it did not fit.
      const { problems } = await asked<{ problems: { task: string; command: string }[] }>(['problems'], { cwd });
      const { command = '' } = problems.find(({ task }) => task === 't3') ?? {};
      expect(command).toMatch(/^troupe reject t3 --reason "[^"]+"$/);
      expect((await troupe(['why', 't3'], { cwd })).stdout).toContain('conflicts with what was merged meanwhile');
      const words = (command.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
      expect((await troupe(words.slice(1), { cwd })).code).toBe(0);
      await until('the next attempt', () => existsSync(inRun(cwd, 'agent-4', 'seen-pid')));
      expect(readFileSync(path.join(cwd, '.workgraph/worktrees/t3-2/f.txt'), 'utf8')).toBe('by t1\n');
      const told = textOf(inRun(cwd, 'agent-4', 'prompt.txt'));
      expect(told).toMatch(/`git cherry-pick wg\/integration\.\.wg\/t3\/1`/);
      expect(told).toMatch(/<<<data-\S+ what did not fit\n[\s\S]*-one\n\+by t3\n[\s\S]*?data-\S+>>>/);
      expect(hasBranch(cwd, 'wg/t3/1')).toBe(true);
      say(cwd, 'agent-4', 'go');
      await untilStatus(cwd, 't3', 'done');
      expect(fileAt(cwd, integrationOf(cwd), 'f.txt')).toBe('by t3\n');
      await until('the second to go', () => !existsSync(path.join(cwd, '.workgraph/worktrees/t3-2')));
      expect(hasBranch(cwd, 'wg/t3/1')).toBe(true);
      expect((await troupe(['worktree', 'list'], { cwd })).stdout).toMatch(
        /t3 +1 .*1 commit of it is in no other branch/,
      );

      // The other is mended by a person where it lies, and approved again.
      const tree = path.join(cwd, '.workgraph/worktrees/t2-1');
      git(tree, 'merge', '--quiet', '--strategy=ours', '--no-edit', 'wg/integration');
      await asked(['approve', 't2'], { cwd });
      expect(fileAt(cwd, integrationOf(cwd), 'f.txt')).toBe('by t2\n');
      await untilStatus(cwd, 'after-t2', 'done');
      expect(existsSync(tree)).toBe(false);
    },
  );

  verifies('tree.keep', 'a retry goes on from work that was not merged; fresh, it does not', async () => {
    const cwd = await repositoryProject();
    await addPlay(cwd, 'a', 'edits-fails');
    await serveClients(cwd);
    await untilStatus(cwd, 'a', 'failed');
    expect(existsSync(path.join(cwd, '.workgraph/worktrees/a-1/part.txt'))).toBe(true);
    await asked(['retry', 'a'], { cwd });
    await untilStatus(cwd, 'a', 'failed');
    expect(existsSync(path.join(cwd, '.workgraph/worktrees/a-2/part.txt'))).toBe(true);
    await asked(['edit', 'a', '--title', 'Do it play=looks'], { cwd });
    await asked(['retry', 'a', '--fresh'], { cwd });
    await untilStatus(cwd, 'a', 'done');
    const run = String((await shownTask(cwd, 'a'))['assigned']);
    expect(textOf(inRun(cwd, run, 'seen-files'))).not.toContain('part.txt');
    expect(hasBranch(cwd, 'wg/a/2')).toBe(true);
  });

  verifies(
    ['tree.merge', 'tree.keep', 'done.receipt'],
    'work is merged before what comes after it begins: an agent that says done itself is done then, and its worktree goes; what a person has to look at waits for that',
    async () => {
      const cwd = await repositoryProject();
      await addPlay(cwd, 'a', 'edits-reports', '--verify-cmd', 'grep -q "by a" f.txt');
      await addPlay(cwd, 'b', 'looks', '--after', 'a');
      await serveClients(cwd);
      await until('it to report', () => textOf(inRun(cwd, 'agent-1', 'said-code')) === '0\n');
      expect(textOf(inRun(cwd, 'agent-1', 'said'))).toContain('has ended and its work is merged');
      expect(await statuses(cwd)).toMatchObject({ a: 'in-progress', b: 'open' });
      say(cwd, 'agent-1', 'go');
      await untilStatus(cwd, 'b', 'done');
      const after = String((await shownTask(cwd, 'b'))['assigned']);
      expect(textOf(inRun(cwd, after, 'seen-f'))).toBe('by a\n');
      expect(textOf(inRun(cwd, after, 'seen-files')).split('\n')).toContain('out.txt');
      expect(fileAt(cwd, integrationOf(cwd), 'out.txt')).toBe('out\n');
      expect(existsSync(path.join(cwd, 'out.txt'))).toBe(false);
      const evidence = {
        verify_cmd: 'grep -q "by a" f.txt',
        exit: 0,
        ms: expect.any(Number),
        commit: expect.stringMatching(/^[0-9a-f]{40}$/),
        clean: true,
        base: expect.stringMatching(/^[0-9a-f]{40}$/),
        artifacts: [{ path: 'out.txt', sha256: sha256('out\n') }],
      };
      const done = logOf(cwd).find((entry) => entry.op === 'done' && entry.task_id === 'a');
      expect(done?.detail).toMatchObject({ merged: expect.stringMatching(/^[0-9a-f]{40}$/) });
      const found = done?.detail?.['evidence'];
      expect(found).toEqual(evidence);
      const { commit, base } = found as { commit: string; base: string };
      expect(commit, 'of the work, not what it began from').not.toBe(base);
      expect((await shownTask(cwd, 'a'))['evidence']).toEqual(found);
      expect((await troupe(['show', 'a'], { cwd })).stdout).toMatch(/artifact +out\.txt +sha256 [0-9a-f]{12}/);
      await until('the worktrees to go', () => !existsSync(path.join(cwd, '.workgraph/worktrees/a-1')));
      await until('its branch to go', () => !hasBranch(cwd, 'wg/a'));
      expect(await asked(['status'], { cwd })).toMatchObject({ to_land: 2 });

      await addPlay(cwd, 'c', 'leaves', '--verify', 'look at it');
      await untilStatus(cwd, 'c', 'pending-validation');
      expect(git(cwd, 'ls-tree', '--name-only', 'wg/integration')).not.toContain('c.txt');
      await asked(['approve', 'c'], { cwd });
      expect(fileAt(cwd, integrationOf(cwd), 'c.txt')).toBe('by c\n');
      expect(hasBranch(cwd, 'wg/c')).toBe(false);
    },
  );

  verifies('tree.merge', 'where it was chosen, a clean branch moves forward by itself; a dirty one waits', async () => {
    const cwd = await repositoryProject('land = "when-clean"', 'merge_back = "squash"');
    await addPlay(cwd, 'a', 'leaves');
    await serveClients(cwd);
    const landed = () =>
      hasBranch(cwd, 'wg/integration') && git(cwd, 'rev-parse', 'main') === git(cwd, 'rev-parse', 'wg/integration');
    await until('it to be landed', () => existsSync(path.join(cwd, 'a.txt')) && landed());
    write(cwd, { 'f.txt': 'mine\n' });
    await addPlay(cwd, 'b', 'leaves');
    await untilStatus(cwd, 'b', 'done');
    await until('its worktree to go', () => !existsSync(path.join(cwd, '.workgraph/worktrees/b-1')));
    expect(existsSync(path.join(cwd, 'b.txt'))).toBe(false);
    expect((await troupe(['status'], { cwd })).stdout).toContain('ready to land');
    expect(readFileSync(path.join(cwd, 'f.txt'), 'utf8')).toBe('mine\n');
  });
});
