import type { Plan } from '#core/graph/event.js';
import { type Moved, type MoveOptions, move, moved } from '#core/graph/lib/move.js';
import { checkFence } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { LIMITS } from '#kernel/limits.js';
import { cut } from '#kernel/text.js';

const ASKED_TO_REPORT = taskField('asked_to_report', anything);

/** Was the last attempt at it asked for a report that it has not given yet? The mark goes with whatever ends the task. */
export function awaitsReport(task: Task): boolean {
  return ASKED_TO_REPORT.of(task) !== undefined;
}

/** In-progress → open, so that the session of its last attempt is resumed with a question, once. */
export function askToReport(view: GraphView, id: string, options: MoveOptions): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(view, task, options.by);
  const set = { status: 'open', asked_to_report: task.fence ?? 0 };
  const event = move(task, 'unclaim', options, set, ['assigned', 'started_at', 'wait_condition'], ASKED);
  return { events: [event], result: moved(id, 'open') };
}

/** In-progress → pending-validation: asked or not to be asked, its runs said neither that it is done nor why not. */
export function reviewUnreported(
  view: GraphView,
  id: string,
  options: MoveOptions & { readonly words: string | undefined },
): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(view, task, options.by);
  const { words } = options;
  const text = cut((words ?? '').replace(/\s+/g, ' '), LIMITS.executorReasonCharacters);
  const reason = text === '' ? UNREPORTED : `${UNREPORTED} Its last words: ${text}`;
  const set = {
    status: 'pending-validation',
    failure_reason: reason,
    ...(task.assigned === undefined ? { assigned: options.by.name } : {}),
  };
  const detail = { ...options.detail, reason: UNREPORTED };
  const event = move(task, 'submit', { ...options, detail }, set, ['wait_condition'], UNREPORTED);
  return { events: [event], result: moved(id, 'pending-validation', [UNREPORTED]) };
}

const ASKED = 'Released: its run ended without a report, and is asked for one';
const UNREPORTED = 'Its run ended without reporting done, fail or wait.';
