import type { Task } from '#core/graph/task.js';
import { formatDuration } from '#kernel/duration.js';
import { LIMITS } from '#kernel/limits.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';

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
export function personStep(notification: Notification, now: number): PersonStep {
  if (notification.failures >= LIMITS.notifyFailures) {
    return { do: 'release', note: `Released: ${notification.failures} notices in a row could not be sent` };
  }
  if (notification.sent > LIMITS.reminders) return { do: 'wait' };
  const due =
    notification.sent === 0
      ? notification.claimedAt
      : (notification.lastSentAt ?? notification.claimedAt) + LIMITS.reminderMs;
  const again = notification.failures === 0 ? due : (notification.lastFailedAt ?? due) + LIMITS.notifyRetryMs;
  const at = Math.max(due, again);
  return at <= now ? { do: 'notify', number: notification.sent } : { do: 'wait', until: at };
}

/** The notification after a notice was handed over, or not. */
export function afterSend(notification: Notification, worked: boolean, now: number): Notification {
  const { lastFailedAt: _before, ...others } = notification;
  return worked
    ? { ...others, sent: notification.sent + 1, lastSentAt: now, failures: 0 }
    : { ...notification, failures: notification.failures + 1, lastFailedAt: now };
}

const DESCRIPTION_CHARACTERS = 4_000;

/** Who is told what, before a channel carries it. */
export interface TaskNotice {
  readonly id: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * What a person is told of a task that is theirs now. The id is that of the run and of its claim: other projects count their
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
      : `Reminder ${number} of ${LIMITS.reminders}: ${title} has been yours for ${since}.`,
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
    subject: cut(redact(`[${where}] ${kind}${title}`), LIMITS.notifySubjectCharacters),
    text: redact(lines.join('\n')), // it leaves this machine
  };
}

function section(title: string, text: string | undefined): string[] {
  return text ? ['', `${title}:`, cut(inert(text, true), DESCRIPTION_CHARACTERS)] : [];
}
