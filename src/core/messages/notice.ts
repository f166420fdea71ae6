import type { Task } from '#core/graph/task.js';
import { formatDuration } from '#kernel/duration.js';
import { LIMITS } from '#kernel/limits.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';

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
    ...section('To be looked at by a reviewer', task.verify),
    ...section('Left by the attempt before', task.checkpoint),
    ...(task.deliverables?.length ? [`To be delivered: ${inert(task.deliverables.join(', '))}`] : []),
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
