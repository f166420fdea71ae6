import { isRefusal } from '#kernel/errors.js';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import { isUnreachable } from '#kernel/out-of-reach.js';
import type { Pace } from './worker-parts.js';

/** Retries an operation that fails temporarily, for some minutes at most, until `isOver` returns true. */
export async function retryTransient<Answer>(
  work: () => Promise<Answer>,
  { pace, isOver }: { readonly pace: Pick<Pace, 'now' | 'wait'>; isOver(): boolean },
): Promise<Answer> {
  const until = pace.now() + WORKER_LIMITS.publishMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(isUnreachable(error) || isRefusal(error, 'locked')) || isOver() || pace.now() >= until) throw error;
    }
    await pace.wait(WORKER_LIMITS.againMs);
  }
}
