import { expect } from 'vitest';
import type { ErrorCode } from '#kernel/error-codes.js';
import { TroupeError } from '#kernel/errors.js';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import { retryTransient } from '#operations/workers/insisting.js';
import { verifies } from '../../verifies.js';

verifies(
  'fleet.faults',
  'a worker does again what a remote or a database is away for, as long as there is time and it is not told to end',
  async () => {
    const tried = async (code: ErrorCode, { fails, isOver }: { readonly fails: number; readonly isOver?: true }) => {
      let [now, tries] = [0, 0];
      const wait = async (milliseconds: number) => {
        now += milliseconds;
      };
      const pace = { now: () => now, wait };
      const work = async () => {
        if (tries++ < fails) throw new TroupeError(code);
        return 'made';
      };
      const parts = { pace, isOver: () => isOver === true };
      return [await retryTransient(work, parts).catch(({ code }: TroupeError) => code), tries];
    };
    expect(await tried('remote_unreachable', { fails: 3 })).toEqual(['made', 4]);
    expect(await tried('database_away', { fails: 1 })).toEqual(['made', 2]);
    expect(await tried('remote_unreachable', { fails: 999 })).toEqual([
      'remote_unreachable',
      WORKER_LIMITS.publishMs / WORKER_LIMITS.againMs + 1,
    ]);
    expect(await tried('remote_unreachable', { fails: 1, isOver: true })).toEqual(['remote_unreachable', 1]);
    expect(await tried('git_failed', { fails: 1 })).toEqual(['git_failed', 1]);
  },
);
