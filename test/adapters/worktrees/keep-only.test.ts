import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { git, write } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { commitIn, fileAt, integrationOf, listedBy, place } from './place.js';

const QA = { task: 'run-qa', attempt: 1 } as const;
const FOLDER = '.claude/dev-crew/runs/run';

verifies('gate.sees', 'of whoever judges nothing is merged but what it hands in, committed or not', async () => {
  const { folder, worktrees } = place({ 'f.txt': 'one\n', 'gone.txt': 'g\n', [`${FOLDER}/CHANGES.md`]: 'c\n' });
  const { path: tree } = await worktrees.create(QA);
  commitIn(tree, { 'f.txt': 'patched\n', 'made/x.txt': 'x\n', [`${FOLDER}/QA.md`]: '[PASS] 1\n' });
  write(tree, { 'left.log': 'l\n', [`${FOLDER}/more.txt`]: 'm\n', [`${FOLDER}-else/x`]: 'x\n' });
  rmSync(path.join(tree, 'gone.txt'));
  const files = await worktrees.keepOnly(QA, FOLDER);
  expect([...files].sort()).toEqual([`${FOLDER}-else/x`, 'f.txt', 'gone.txt', 'left.log', 'made/x.txt']);
  expect(existsSync(path.join(tree, 'left.log'))).toBe(false);
  expect(await worktrees.keepOnly(QA, FOLDER), 'a second time').toEqual([]);
  expect(await worktrees.mergeBack({ ...QA, how: 'merge' })).toMatchObject({ outcome: 'merged' });
  const changed = git(folder, 'diff', '--name-only', 'main', 'wg/integration').trim().split('\n');
  expect(changed).toEqual([`${FOLDER}/QA.md`, `${FOLDER}/more.txt`]);
  expect(fileAt(folder, integrationOf(folder), 'f.txt')).toBe('one\n');
  expect(listedBy(folder)).toHaveLength(1);
});

verifies('gate.sees', 'what is in order, is gone, or has a merge under way stays as it is', async () => {
  const { worktrees } = place({ 'f.txt': 'one\n' });
  const { path: tree } = await worktrees.create(QA);
  commitIn(tree, { [`${FOLDER}/QA.md`]: 'x\n' });
  const head = git(tree, 'rev-parse', 'HEAD');
  expect(await worktrees.keepOnly(QA, FOLDER)).toEqual([]);
  expect(git(tree, 'rev-parse', 'HEAD')).toBe(head);
  expect(await worktrees.keepOnly({ task: 'none', attempt: 1 }, FOLDER)).toEqual([]);
  git(tree, 'switch', '--quiet', '-c', 'wg/run-qa/2', 'HEAD~1');
  commitIn(tree, { [`${FOLDER}/QA.md`]: 'y\n' });
  git(tree, 'switch', '--quiet', 'wg/run-qa/1');
  expect(() => git(tree, 'merge', '--quiet', 'wg/run-qa/2')).toThrow();
  expect(await worktrees.keepOnly(QA, FOLDER)).toEqual([]);
});
