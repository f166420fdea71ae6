import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { git } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { commitIn, integrationOf, place, worktreesOf } from './place.js';

const failureOf = async (promise: Promise<unknown>): Promise<TroupeError> => {
  const error = await promise.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(TroupeError);
  return error as TroupeError;
};

/** An environment whose git refuses one verb with this code and these words, and is the real one in all else. */
function refusing(verb: string, code: number, words: string): NodeJS.ProcessEnv {
  const bin = room('bin');
  const real = `PATH=${JSON.stringify(process.env['PATH'])} exec git "$@"`;
  const script = `#!/bin/sh\nfor word; do [ "$word" = ${verb} ] && { echo ${JSON.stringify(words)} >&2; exit ${code}; }; done\n${real}\n`;
  writeFileSync(path.join(bin, 'git'), script);
  chmodSync(path.join(bin, 'git'), 0o755);
  return { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH']}` };
}

verifies('tree.names', 'what git refuses at creation is one error with what helps against it', async () => {
  const { folder, worktrees } = place();
  git(folder, 'branch', 'wg');
  expect(await failureOf(worktrees.create({ task: 'a', attempt: 1 }))).toMatchObject({
    code: 'branch_in_use',
    hint: expect.stringContaining('`git branch -m wg OTHER-NAME`'),
  });
  git(folder, 'branch', '-m', 'wg', 'mine');
  await worktrees.create({ task: 'a', attempt: 1 });

  // A branch where the folder of ours has to be.
  git(folder, 'branch', 'wg/b');
  const blocked = await failureOf(worktrees.create({ task: 'b', attempt: 1 }));
  expect(blocked).toMatchObject({
    code: 'branch_in_use',
    hint: expect.stringContaining('`git branch -m wg/b OTHER-NAME`'),
  });
  git(folder, 'branch', '-m', 'wg/b', 'other');
  await worktrees.create({ task: 'b', attempt: 1 });

  const lock = path.join(folder, '.git/refs/heads/wg/c/1.lock');
  mkdirSync(path.dirname(lock), { recursive: true });
  writeFileSync(lock, '');
  const locked = await failureOf(worktrees.create({ task: 'c', attempt: 1 }));
  expect(locked.hint).toBe(`If no git is running there, remove ${lock}.`);
  rmSync(lock);
  await worktrees.create({ task: 'c', attempt: 1 });

  const full = worktreesOf(folder, refusing('add', 128, 'error: file write error: No space left on device'));
  expect(await failureOf(full.create({ task: 'd', attempt: 1 }))).toMatchObject({
    code: 'disk_full',
    hint: expect.stringContaining('Free some space'),
  });
  await worktrees.create({ task: 'd', attempt: 1 });
});

test('tree.merge: what git refuses to merge without a conflict is never committed as a merge', async () => {
  const { folder, worktrees } = place();
  const { path: tree } = await worktrees.create({ task: 'a', attempt: 1 });
  const work = commitIn(tree, { 'work.txt': 'work' });
  const before = integrationOf(folder);
  const merge = { task: 'a', attempt: 1, how: 'merge', title: 'A' } as const;
  for (const code of [1, 2, 128]) {
    const refused = worktreesOf(folder, refusing('merge', code, 'error: cannot do this'));
    expect(await failureOf(refused.mergeBack(merge))).toMatchObject({
      code: 'git_failed',
      why: 'error: cannot do this',
    });
    expect(integrationOf(folder)).toBe(before);
  }
  expect(await worktrees.mergeBack(merge)).toMatchObject({ outcome: 'merged' });
  expect(git(folder, 'merge-base', '--is-ancestor', work, integrationOf(folder))).toBe('');
});
