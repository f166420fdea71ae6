import { LIMITS } from '#kernel/limits.js';

/** A task that a person holds, and what was done so far to tell them. Times in milliseconds. */
export interface Notification {
  readonly claimedAt: number;
  /** How many notices were handed over: the first one, then reminders. */
  readonly sent: number;
  /** When the last of them was handed over; undefined before the first. */
  readonly lastSentAt?: number | undefined;
  /** How many tries in a row did not work, and when the last of those was. */
  readonly failures: number;
  readonly lastFailedAt?: number | undefined;
}

/** What is to be done about a person now. `number` counts notices: 0 is the first, 1 the first reminder. */
export type PersonStep =
  | { readonly do: 'notify'; readonly number: number }
  /** Nothing before this moment; undefined: nothing any more, the person knows. */
  | { readonly do: 'wait'; readonly until?: number }
  | { readonly do: 'release'; readonly note: string };

/**
 * A person is told at once, and reminded three times, a day apart; after that the task stays with them. Who cannot be
 * reached, three tries in a row, does not keep it.
 */
export function personStep(told: Notification, now: number): PersonStep {
  if (told.failures >= LIMITS.notifyFailures) {
    return { do: 'release', note: `Released: ${told.failures} notices in a row could not be sent` };
  }
  if (told.sent > LIMITS.reminders) return { do: 'wait' };
  const due = told.sent === 0 ? told.claimedAt : (told.lastSentAt ?? told.claimedAt) + LIMITS.reminderMs;
  const again = told.failures === 0 ? due : (told.lastFailedAt ?? due) + LIMITS.notifyRetryMs;
  const at = Math.max(due, again);
  return at <= now ? { do: 'notify', number: told.sent } : { do: 'wait', until: at };
}

/** `told` after a notice was handed over, or not. */
export function afterSend(told: Notification, worked: boolean, now: number): Notification {
  const { lastFailedAt: _before, ...others } = told;
  return worked
    ? { ...others, sent: told.sent + 1, lastSentAt: now, failures: 0 }
    : { ...told, failures: told.failures + 1, lastFailedAt: now };
}
