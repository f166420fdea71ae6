import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';

/** Clock of the caller, in milliseconds. */
export interface WaitClock {
  now(): number;
  wait(milliseconds: number): Promise<unknown>;
}

/** Waits until a service listens. Errors: `service_not_running` if none does in time. */
export async function waitForListener(appeared: () => boolean, until: number, { now, wait }: WaitClock): Promise<void> {
  while (!appeared()) {
    if (now() >= until)
      throw new TroupeError('service_not_running', {
        what: 'Nobody answers this run: nothing was changed.',
        hint: 'Try again when the service is back.',
      });
    await wait(WORK_LIMITS.doorLookMs);
  }
}
