import type { Task } from '#core/graph/task.js';
import { formatDuration } from '#kernel/duration.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';

/** Notification state of a task that a person holds. Times in milliseconds. */
export interface Notification {
  readonly claimedAt: number;
  /** Notices delivered: the first one, then reminders. */
  readonly sent: number;
  /** Time of the latest delivery; undefined before the first. */
  readonly lastSentAt?: number | undefined;
  /** Consecutive failed deliveries, followed by the time of the latest one. */
  readonly failures: number;
  readonly lastFailedAt?: number | undefined;
}

/** Next step for a person. `number` counts notices: 0 is the first, 1 the first reminder. */
export type PersonStep =
  | { readonly do: 'notify'; readonly number: number }
  /** No step before this moment; undefined: all reminders were sent. */
  | { readonly do: 'wait'; readonly until?: number }
  | { readonly do: 'release'; readonly note: string };

/**
 * Notifies the person at once and sends three reminders, a day apart; after that the task stays with them. Three
 * consecutive failed deliveries release the task.
 */
export function personStep(notification: Notification, now: number): PersonStep {
  if (notification.failures >= TEAM_LIMITS.notifyFailures) {
    return { do: 'release', note: `Released: ${notification.failures} notices in a row could not be sent` };
  }
  if (notification.sent > TEAM_LIMITS.reminders) return { do: 'wait' };
  const due =
    notification.sent === 0
      ? notification.claimedAt
      : (notification.lastSentAt ?? notification.claimedAt) + TEAM_LIMITS.reminderMs;
  const again = notification.failures === 0 ? due : (notification.lastFailedAt ?? due) + TEAM_LIMITS.notifyRetryMs;
  const at = Math.max(due, again);
  return at <= now ? { do: 'notify', number: notification.sent } : { do: 'wait', until: at };
}

/** Notification state after a successful or failed delivery. */
export function afterSend(notification: Notification, worked: boolean, now: number): Notification {
  const { lastFailedAt: _before, ...others } = notification;
  return worked
    ? { ...others, sent: notification.sent + 1, lastSentAt: now, failures: 0 }
    : { ...notification, failures: notification.failures + 1, lastFailedAt: now };
}

const DESCRIPTION_CHARACTERS = 4_000;

/** A notice before a channel delivers it. */
export interface TaskNotice {
  readonly id: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * Notice about a task that a person holds. Its id consists of the run and its claim, since other projects count their
 * runs from 1 as well. `room`: answers are read from the channel itself.
 */
export function taskNotice(
  task: Task,
  options: {
    readonly run: string;
    readonly claimedAt: number;
    readonly number: number;
    readonly now: number;
    readonly project: string;
    readonly room: boolean;
  },
): TaskNotice {
  const { run, number, claimedAt, now, project } = options;
  const title = inert(task.title);
  const [id, where] = [inert(task.id), inert(project)];
  const since = formatDuration(now - claimedAt);
  const lines = [
    number === 0
      ? `${where} has a task for you: ${title}`
      : `Reminder ${number} of ${TEAM_LIMITS.reminders}: ${title} has been yours for ${since}.`,
    '',
    `Task: ${id}`,
    ...section('Description', task.description),
    ...section('Review criterion', task.verify),
    ...section('Checkpoint of the last attempt', task.checkpoint),
    ...(task.deliverables?.length ? [`Deliverables: ${inert(task.deliverables.join(', '))}`] : []),
    '',
    ...(options.room
      ? [`When it is done, write:  !done ${id}`, `When it cannot be done:  !fail ${id} WHY`]
      : [`When it is done, run:    troupe done ${id}`, `When it cannot be done:  troupe fail ${id} --reason "…"`]),
  ];
  const kind = number === 0 ? '' : 'Reminder: ';
  return {
    id: `${run}.${claimedAt.toString(36)}${number === 0 ? '' : `.${number}`}`,
    subject: cut(redact(`[${where}] ${kind}${title}`), TEAM_LIMITS.notifySubjectCharacters),
    text: redact(lines.join('\n')), // it leaves this machine
  };
}

function section(title: string, text: string | undefined): string[] {
  return text ? ['', `${title}:`, cut(inert(text, true), DESCRIPTION_CHARACTERS)] : [];
}
