import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { LocalGit } from '#adapters/git/local-git.js';
import { findPlace } from '#adapters/worktrees/place.js';
import { isMovedTree, isOwnTree, registeredPaths } from '#adapters/worktrees/pointers.js';
import { verifies } from '../../verifies.js';
import { place, worktreesOf } from './place.js';

/** More steps than a look takes from its beginning to its end. */
const STEPS = 60;

verifies(
  'tree.merge',
  'a worktree may go at any step of a look at it, as when another process has merged it',
  async () => {
    const world = place();
    const folder = realpathSync(world.folder);
    const { path: tree } = await worktreesOf(folder).create({ task: 'a', attempt: 1 });
    const from = await findPlace(new LocalGit(process.env), folder, '.workgraph/worktrees');
    const own = readFileSync(path.join(tree, '.git'), 'utf8')
      .replace(/^gitdir: /, '')
      .trim();
    const pointer = path.join(own, 'gitdir');
    const text = readFileSync(pointer, 'utf8');
    const looks = [() => registeredPaths(from), () => isOwnTree(from, tree), () => isMovedTree(from, tree, () => true)];
    for (const look of looks)
      for (let step = 0; step < STEPS; step++) {
        const looked = look().then(
          () => 'answered',
          (error: Error) => error.message,
        );
        for (let turn = 0; turn < step; turn++) await new Promise((resolve) => setImmediate(resolve));
        rmSync(own, { recursive: true });
        expect(await looked).toBe('answered');
        mkdirSync(own);
        writeFileSync(pointer, text);
      }
  },
);
