import { expect, test } from 'vitest';
import type { Task } from '#core/graph/task.js';
import { LIMITS } from '#kernel/limits.js';
import { verify } from '#operations/graph/done.js';
import type { Context } from '#operations/operation.js';
import type { ProgramOutcome } from '#ports/programs.js';
import { world } from '../../e2e/world.js';

/** Checks a task by a command that ends like this. */
async function checked(outcome: Pick<ProgramOutcome, 'code' | 'end'>) {
  const { context, store, add } = world();
  await add('a', { verify_cmd: 'make check' });
  const programs = {
    run: () => Promise.reject(new Error('a check is a command')),
    command: async () => ({ ...outcome, output: 'words', durationMs: 7 }),
  };
  const own: Context = { ...context, programs: async () => programs };
  return await verify(own, (await store.view()).task('a') as Task, 'make check', undefined);
}

test('a check counts when it ended by itself and well; otherwise it says how it ended', async () => {
  expect(await checked({ code: 0, end: 'exited' })).toEqual({ command: 'make check', exit: 0, ms: 7 });
  const refused = (what: string) =>
    expect.objectContaining({ code: 'verify_failed', message: expect.stringContaining(what) });
  await expect(checked({ code: 1, end: 'exited' })).rejects.toEqual(refused('ended with 1'));
  await expect(checked({ code: 0, end: 'stopped' })).rejects.toEqual(refused('ended with 0'));
  await expect(checked({ code: null, end: 'missing' })).rejects.toEqual(refused('ended with missing'));
  await expect(checked({ code: null, end: 'timed-out' })).rejects.toEqual(
    refused(`took longer than ${LIMITS.verifyMs / 1_000} s`),
  );
});
