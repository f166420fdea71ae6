import { expect } from 'vitest';
import { type Tables, writeOnce } from '#adapters/teams-database/tables.js';
import { TroupeError } from '#kernel/errors.js';
import { verifies } from '../../verifies.js';

verifies('fleet.faults', 'a change is tried again only when the answer of its commit was lost', async () => {
  const outcomes = async (...errors: readonly unknown[]) => {
    let tries = 0;
    const write = async () => {
      const error = errors[tries++];
      if (error !== undefined) throw error;
      return 'done';
    };
    const work = function* () {
      yield* [];
      return 'work';
    };
    const result = writeOnce({ write, now: () => 0 } as Partial<Tables> as Tables, { requestId: 'r', input: '' }, work);
    return [await result.catch((error) => error), tries];
  };
  const unsure = new TroupeError('database_unsure');
  expect(await outcomes()).toEqual(['done', 1]);
  expect(await outcomes(unsure)).toEqual(['done', 2]);
  expect(await outcomes(unsure, unsure)).toEqual([unsure, 2]);
  for (const error of [new TroupeError('database_away'), new Error('no'), 'text'])
    expect(await outcomes(error)).toEqual([error, 1]);
});
