import { cut, inert } from '#kernel/text.js';

/** Whose work is taken over, for the text of a commit. */
export interface AttemptLabel {
  readonly task: string;
  readonly attempt: number;
  /** What the task is called. */
  readonly title?: string;
}

const SUBJECT_CHARACTERS = 72;
const FILES_NAMED = 20;
const HEAD_KEY = 'Troupe-Head';
const TASK_KEY = 'Troupe-Task';

/** In a format of `git log`: the id of the task a commit took over, and the commit of the attempt; empty for others. */
export const TASK_FIELD = `%(trailers:key=${TASK_KEY},valueonly,separator=%x20)`;
export const HEAD_FIELD = `%(trailers:key=${HEAD_KEY},valueonly,separator=%x20)`;

/** The message of the commit that brings an attempt into the integration branch. Its last lines tell which one, for us. */
export function takeOverMessage(attempted: AttemptLabel, head: string): string {
  const { task, attempt, title } = attempted;
  const subject = title === undefined ? `Merge ${oneLine(task)}` : `${oneLine(task)}: ${oneLine(title)}`;
  return `${cut(subject, SUBJECT_CHARACTERS)}\n\n${TASK_KEY}: ${oneLine(task)}\nTroupe-Attempt: ${attempt}\n${HEAD_KEY}: ${head}\n`;
}

/** The message for what an attempt left in its worktree without committing it. */
export function leftoverMessage({ task, attempt }: AttemptLabel): string {
  const subject = cut(`Commit what ${oneLine(task)} left uncommitted`, SUBJECT_CHARACTERS);
  return `${subject}\n\nAttempt ${attempt} had changed these files when it ended.\n`;
}

/** Why a task waits for a person: `merge conflict: a.txt, b.txt`. */
export function conflictReason(files: readonly string[]): string {
  const more = files.length > FILES_NAMED ? ` and ${files.length - FILES_NAMED} more` : '';
  const named = files.slice(0, FILES_NAMED).map((file) => cut(inert(file), 200));
  return `merge conflict: ${named.join(', ')}${more}`;
}

function oneLine(text: string): string {
  return cut(inert(text).trim(), 200);
}
