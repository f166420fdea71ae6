import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';

/**
 * Wrong secrets by address: bearer tokens and codes of links. Past a number within a time, no further one is looked at,
 * so that guessing stays slow. Sessions of browsers are not affected: a program of this machine could lock its person
 * out.
 */
export class FailedTries {
  private readonly clock: Clock;
  private readonly counts = new Map<string, { readonly since: number; readonly count: number }>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Errors: `too_many_tries`. */
  refuse(address: string): void {
    if (this.presentOf(address).count >= SURFACE_LIMITS.failedTries) throw new TroupeError('too_many_tries');
  }

  count(address: string): void {
    const { since, count } = this.presentOf(address);
    this.counts.delete(address);
    this.counts.set(address, { since, count: count + 1 });
    for (const oldest of this.counts.keys()) {
      if (this.counts.size <= SURFACE_LIMITS.failedAddresses) break;
      this.counts.delete(oldest);
    }
  }

  private presentOf(address: string): { readonly since: number; readonly count: number } {
    const now = this.clock.now();
    const before = this.counts.get(address);
    return before !== undefined && now - before.since < SURFACE_LIMITS.failedTriesMs
      ? before
      : { since: now, count: 0 };
  }
}
