import { lastRunOf } from '#core/graph/attempts.js';
import type { Plan } from '#core/graph/event.js';
import { type Moved, type MoveOptions, move, moved } from '#core/graph/lib/move.js';
import { checkFence } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut } from '#kernel/text.js';

const ASKED_TO_REPORT = taskField('asked_to_report', anything);

/** Whether the last attempt was asked for a report that is still missing. The mark is removed when the task ends. */
export function awaitsReport(task: Task): boolean {
  return ASKED_TO_REPORT.of(task) !== undefined;
}

/** In-progress → open: the session of the last attempt is resumed with a question, once. */
export function askToReport(view: GraphView, id: string, options: MoveOptions): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(view, task, options.by);
  const set = { status: 'open', asked_to_report: task.fence ?? 0 };
  const event = move(task, 'unclaim', options, set, ['assigned', 'started_at', 'wait_condition'], ASKED);
  return { events: [event], result: moved(id, 'open') };
}

/** In-progress → pending-validation, after its runs, asked or not, reported neither success nor failure. */
export function reviewUnreported(
  view: GraphView,
  id: string,
  options: MoveOptions & { readonly words: string | undefined },
): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(view, task, options.by);
  const { words } = options;
  const set = {
    status: 'pending-validation',
    failure_reason: unreported(words),
    ...(task.assigned === undefined ? { assigned: options.by.name } : {}),
  };
  const detail = { ...options.detail, reason: UNREPORTED };
  const event = move(task, 'submit', { ...options, detail }, set, ['wait_condition'], UNREPORTED);
  return { events: [event], result: moved(id, 'pending-validation', [UNREPORTED]) };
}

/** Reason for a run that ended without a report, with its last words. */
export function unreported(words: string | undefined): string {
  const text = cut((words ?? '').replace(/\s+/g, ' ').trim(), TEAM_LIMITS.executorReasonCharacters);
  return text === '' ? UNREPORTED : `${UNREPORTED} Its last words: ${text}`;
}

/** Whether the task only delivers team messages to a member. The member's next turns depend on it. */
export function isTurn(task: Task): boolean {
  return task.team !== undefined && task.id.startsWith('.turn-');
}

/** Whether this is a member's turn in a team session, which continues with the member's answer. */
export function isSessionTurn(task: Task): boolean {
  return task.team !== undefined && task.id.startsWith('.session-');
}

/** Whether its last run ended without a report, so a person has to decide. */
export function isUnreported(task: Task): boolean {
  return task.status === 'pending-validation' && String(task.failure_reason ?? '').startsWith(UNREPORTED);
}

/**
 * Pending-validation → open, because a person answered the last run's question: its session continues in its worktree.
 * Not a rejection, and no attempt is counted. Changes nothing for a task that is waiting, in progress or open, where
 * the message itself is enough. Errors: `wrong_status` for a task that has ended or awaits a verdict.
 */
export function answerTask(view: GraphView, id: string, options: MoveOptions): Plan<Moved> {
  const task = taskOf(view, id);
  if (task.status === 'waiting' || task.status === 'in-progress' || task.status === 'open')
    return { events: [], result: moved(id, task.status) };
  const last = lastRunOf(task);
  if (!isUnreported(task) || last === undefined) {
    throw new TroupeError('wrong_status', {
      what: `${id} is ${task.status} and asks nothing.`,
      hint: `Run \`troupe show ${id}\` to see what it needs.`,
      details: { id, status: task.status },
    });
  }
  const { run, iteration } = last;
  const set = { status: 'open', last_run: { run, iteration, goes_on: task.fence ?? 0 } };
  const unset = ['assigned', 'started_at', 'failure_reason', 'wait_condition'];
  return { events: [move(task, 'reopen', options, set, unset, ANSWERED)], result: moved(id, 'open') };
}

const ANSWERED = 'Answered: the session of its last run goes on';
const ASKED = 'Released: its run ended without a report, and is asked for one';
export const UNREPORTED = 'Its run ended without reporting done, fail or wait.';

/** Empty plan: the answer has ended the question, and no task of a run waits for it. */
export function answeredTask(view: GraphView, id: string): Plan<Moved> {
  return { events: [], result: moved(id, taskOf(view, id).status) };
}
