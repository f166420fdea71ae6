import { expect } from 'vitest';
import { TroupeError } from '#kernel/errors.js';

/** The coded error that `work` throws. Fails the test if there is none; rethrows any other error. */
export function refusalOf(work: () => unknown): TroupeError {
  try {
    work();
  } catch (error) {
    if (error instanceof TroupeError) return error;
    throw error;
  }
  return expect.unreachable();
}
