import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { JoinedPorts } from '../adapters/worktrees/place.js';
import { commitIn, fileAt, integrationOf } from '../adapters/worktrees/place.js';
import { commitAll, git, write } from '../repository.js';
import { verifies } from '../verifies.js';

export interface WorktreeStage {
  /** The person's project: a repository whose only file is `f.txt`, with the line `one`. */
  readonly folder: string;
  readonly worktrees: JoinedPorts;
  own(): Record<string, string>;
}

/** Contract of the worktrees of attempts and the integration of their results, on one machine or two. */
export function worktreeContract(name: string, make: () => WorktreeStage): void {
  const key = (task: string, attempt = 1) => ({ task, attempt });
  const headOf = (folder: string) => git(folder, 'rev-parse', 'main').trim();

  describe(name, () => {
    verifies(
      'trees.split',
      'work goes from its worktree to the integration, and to the person when they land it',
      async () => {
        const { folder, worktrees, own } = make();
        const before = own();
        const made = await worktrees.create(key('a'));
        expect(made).toMatchObject({ branch: 'wg/a/1', base: headOf(folder), start: headOf(folder), isSetUp: false });
        const head = commitIn(made.path, { 'a.txt': 'a\n' });
        write(made.path, { 'left.txt': 'left\n' });
        const work = await worktrees.publish(key('a'));
        expect(work).toMatchObject({
          outcome: 'published',
          branch: 'wg/a/1',
          base: made.base,
          committed: true,
          leftOut: [],
        });
        if (work.outcome !== 'published') return expect.unreachable();
        expect(git(made.path, 'rev-parse', 'HEAD^', 'HEAD').trim().split('\n')).toEqual([head, work.commit]);
        const taken = await worktrees.take(work, { ...key('a'), how: 'merge', title: 'A' });
        const tip = integrationOf(folder);
        expect(taken).toEqual({ outcome: 'merged', commit: tip, committed: true, leftOut: [] });
        expect(['a.txt', 'left.txt'].map((file) => fileAt(folder, tip, file))).toEqual(['a\n', 'left\n']);
        expect(await worktrees.integratedText('a.txt', 100)).toBe('a\n');
        expect(own()).toEqual(before);
        expect(await worktrees.waiting()).toBe(3);
        const landing = await worktrees.landing();
        expect(landing).toMatchObject({ relation: 'ahead', to: tip, tasks: ['a'] });
        await worktrees.land(tip);
        expect(headOf(folder)).toBe(tip);
        expect(git(folder, 'status', '--porcelain')).toBe('');
        expect(await worktrees.base(), 'the next attempt begins there').toBe(tip);
      },
    );

    verifies(
      'trees.split',
      'an attempt starts from what was taken before, and follows the person while nothing waits',
      async () => {
        const { folder, worktrees } = make();
        expect(await worktrees.base()).toBe(headOf(folder));
        write(folder, { 'g.txt': 'of the person\n' });
        commitAll(folder, 'second');
        const made = await worktrees.create(key('a'));
        expect([made.base, existsSync(path.join(made.path, 'g.txt'))]).toEqual([headOf(folder), true]);
        commitIn(made.path, { 'a.txt': 'a\n' });
        expect(await worktrees.mergeBack({ ...key('a'), how: 'squash' })).toMatchObject({ outcome: 'merged' });
        const next = await worktrees.create(key('b'));
        expect(next.base).toBe(integrationOf(folder));
        expect(existsSync(path.join(next.path, 'a.txt'))).toBe(true);
        expect(await worktrees.changedPaths(key('b'))).toEqual([]);
      },
    );

    verifies('trees.split', 'work handed over twice and taken twice is there once', async () => {
      const { folder, worktrees } = make();
      const made = await worktrees.create(key('a'));
      commitIn(made.path, { 'a.txt': 'a\n' });
      for (const how of ['merge', 'squash'] as const) {
        const first = await worktrees.publish(key('a'));
        expect(await worktrees.publish(key('a'))).toEqual(first);
        if (first.outcome !== 'published') return expect.unreachable();
        const results = [
          await worktrees.take(first, { ...key('a'), how }),
          await worktrees.take(first, { ...key('a'), how }),
        ];
        const tip = integrationOf(folder);
        expect(results).toEqual([
          { outcome: 'merged', commit: tip, committed: false, leftOut: [] },
          { outcome: 'nothing', commit: tip, before: true },
        ]);
        commitIn(made.path, { [`${how}.txt`]: 'more of it\n' });
      }
      expect(git(folder, 'rev-list', '--first-parent', '--count', 'main..wg/integration').trim()).toBe('2');
    });

    verifies('trees.split', 'two attempts are taken at the same time, and neither is lost', async () => {
      const { folder, worktrees } = make();
      const tasks = ['a', 'b', 'c'];
      for (const task of tasks) commitIn((await worktrees.create(key(task))).path, { [`${task}.txt`]: task });
      const taken = await Promise.all(tasks.map((task) => worktrees.mergeBack({ ...key(task), how: 'merge' })));
      expect(taken.map(({ outcome }) => outcome)).toEqual(['merged', 'merged', 'merged']);
      const tip = integrationOf(folder);
      expect(tasks.map((task) => fileAt(folder, tip, `${task}.txt`))).toEqual(tasks);
    });

    verifies(
      'trees.split',
      'a conflict names its files and moves nothing; the work stays where it was made',
      async () => {
        const { folder, worktrees } = make();
        for (const task of ['a', 'b']) commitIn((await worktrees.create(key(task))).path, { 'f.txt': `${task}\n` });
        expect(await worktrees.mergeBack({ ...key('a'), how: 'merge' })).toMatchObject({ outcome: 'merged' });
        const tip = integrationOf(folder);
        expect(await worktrees.mergeBack({ ...key('b'), how: 'merge' })).toMatchObject({
          ...{ outcome: 'conflict', files: ['f.txt'] },
        });
        expect(integrationOf(folder)).toBe(tip);
        expect(await worktrees.remove(key('b'))).toMatchObject({ removed: 'nothing', reason: 'unmerged' });
        const { path: tree } = await worktrees.placeOf(key('b'));
        expect(() => git(tree, 'merge', '--quiet', '--no-edit', tip)).toThrow();
        write(tree, { 'f.txt': 'both\n' });
        expect(await worktrees.publish(key('b'))).toMatchObject({ outcome: 'kept', reason: 'unfinished' });
        git(tree, 'add', 'f.txt');
        expect(await worktrees.mergeBack({ ...key('b'), how: 'merge' })).toMatchObject({ outcome: 'merged' });
        expect(fileAt(folder, integrationOf(folder), 'f.txt')).toBe('both\n');
      },
    );

    verifies(['trees.split', 'tree.keep'], 'a worktree goes when its work was taken, and not before', async () => {
      const { folder, worktrees } = make();
      const made = await worktrees.create(key('a'));
      commitIn(made.path, { 'a.txt': 'a\n' });
      const kept = { removed: 'nothing', reason: 'unmerged' };
      expect(await worktrees.remove(key('a'))).toMatchObject(kept);
      await worktrees.publish(key('a'));
      expect(await worktrees.remove(key('a')), 'handed over is not taken').toMatchObject(kept);
      expect(await worktrees.list()).toMatchObject([{ slug: 'a', ahead: 1, removable: false, reason: 'unmerged' }]);
      await worktrees.mergeBack({ ...key('a'), how: 'merge' });
      const other = await worktrees.create(key('b'));
      commitIn(other.path, { 'b.txt': 'b\n' });
      await worktrees.mergeBack({ ...key('b'), how: 'squash' });
      expect(await worktrees.list()).toMatchObject([
        { slug: 'a', removable: true },
        { slug: 'b', removable: true },
      ]);
      expect(await worktrees.remove(key('a'))).toMatchObject({ removed: 'tree-and-branch' });
      expect(await worktrees.remove(key('b'))).toMatchObject({ removed: 'tree' });
      expect([existsSync(made.path), existsSync(other.path)]).toEqual([false, false]);
      expect(git(folder, 'for-each-ref', '--format=%(refname)', 'refs/heads/wg/a')).toBe('');
    });

    verifies(
      'trees.split',
      'what is kept has its branch with the person; what is read or tried is never handed over',
      async () => {
        const { folder, worktrees } = make();
        const made = await worktrees.create(key('a'));
        const head = commitIn(made.path, { 'a.txt': 'a\n' });
        expect(await worktrees.mergeBack({ ...key('a'), how: 'keep' })).toMatchObject({
          outcome: 'kept',
          reason: 'asked',
        });
        expect(git(folder, 'rev-parse', 'wg/a/1').trim()).toBe(head);
        expect(integrationOf(folder)).toBe(headOf(folder));
        const read = await worktrees.create({ ...key('b'), readOnly: true });
        write(read.path, { 'b.txt': 'b\n' });
        const tried = await worktrees.create({ ...key('c'), from: headOf(folder) });
        commitIn(tried.path, { 'c.txt': 'c\n' });
        for (const task of ['b', 'c'])
          expect(await worktrees.mergeBack({ ...key(task), how: 'merge' })).toMatchObject({ outcome: 'nothing' });
        expect(integrationOf(folder)).toBe(headOf(folder));
        await expect(worktrees.create({ ...key('d'), base: '0'.repeat(40) })).rejects.toMatchObject({
          code: 'not_found',
        });
      },
    );

    verifies('trees.split', 'who judges work that waits gets a worktree of it', async () => {
      const { folder, worktrees } = make();
      commitIn((await worktrees.create(key('a'))).path, { 'a.txt': 'a\n' });
      const work = await worktrees.publish(key('a'));
      if (work.outcome !== 'published') return expect.unreachable();
      const looking = { base: work.commit, publishedAs: work.branch, readOnly: true, trial: true };
      const made = await worktrees.create({ ...key('r'), ...looking });
      expect([made.base, existsSync(path.join(made.path, 'a.txt'))]).toEqual([work.commit, true]);
      expect(await worktrees.mergeBack({ ...key('r'), how: 'merge' })).toMatchObject({ outcome: 'nothing' });
      expect(integrationOf(folder)).toBe(headOf(folder));
    });

    verifies('trees.split', 'work that begins nowhere in the project is not merged', async () => {
      const { folder, worktrees } = make();
      const made = await worktrees.create(key('a'));
      git(made.path, 'checkout', '--quiet', '--orphan', 'apart');
      commitIn(made.path, { 'a.txt': 'a\n' });
      git(made.path, 'branch', '--force', '--quiet', 'wg/a/2');
      git(made.path, 'checkout', '--quiet', 'wg/a/1');
      git(made.path, 'reset', '--quiet', '--hard', 'wg/a/2');
      expect(await worktrees.mergeBack({ ...key('a'), how: 'merge' })).toMatchObject({
        outcome: 'kept',
        reason: 'unrelated',
      });
      expect(integrationOf(folder)).toBe(headOf(folder));
    });
  });
}
