import { cut, inert, inSentence } from '#kernel/text.js';

/** The attempt named in a commit message. */
export interface AttemptLabel {
  readonly task: string;
  readonly attempt: number;
  /** Title of the task. */
  readonly title?: string;
}

const SUBJECT_CHARACTERS = 72;
const FILES_NAMED = 20;
const HEAD_KEY = 'Troupe-Head';
const TASK_KEY = 'Troupe-Task';

/** Placeholders for `git log`: the task id and attempt commit in a merge; empty for other commits. */
export const TASK_FIELD = `%(trailers:key=${TASK_KEY},valueonly,separator=%x20)`;
export const HEAD_FIELD = `%(trailers:key=${HEAD_KEY},valueonly,separator=%x20)`;

/** Message of the commit that merges an attempt into the integration branch. Its trailers identify the attempt. */
export function takeOverMessage(attempted: AttemptLabel, head: string): string {
  const { task, attempt, title } = attempted;
  const subject = title === undefined ? `Merge ${oneLine(task)}` : `${oneLine(task)}: ${oneLine(title)}`;
  return `${cut(subject, SUBJECT_CHARACTERS)}\n\n${TASK_KEY}: ${oneLine(task)}\nTroupe-Attempt: ${attempt}\n${HEAD_KEY}: ${head}\n`;
}

/** Message of the commit for files that an attempt left uncommitted. */
export function leftoverMessage({ task, attempt }: AttemptLabel): string {
  const subject = cut(`Commit what ${oneLine(task)} left uncommitted`, SUBJECT_CHARACTERS);
  return `${subject}\n\nAttempt ${attempt} had changed these files when it ended.\n`;
}

/** Reason why a task waits for a person: `merge conflict: a.txt, b.txt`. */
export function conflictReason(files: readonly string[]): string {
  const more = files.length > FILES_NAMED ? ` and ${files.length - FILES_NAMED} more` : '';
  const named = files.slice(0, FILES_NAMED).map((file) => inSentence(file));
  return `merge conflict: ${named.join(', ')}${more}`;
}

function oneLine(text: string): string {
  return cut(inert(text).trim(), 200);
}
