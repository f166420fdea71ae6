import { isTerminal, type Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import type { GraphView } from '#core/graph/view.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { WorkflowMark } from './compiled.js';

const WORKFLOW = taskField('workflow', anything);

export const OUTCOMES = ['passed', 'declined', 'exhausted', 'failed', 'running'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Failure reason of tasks whose run was closed. */
export const CLOSED = 'Its workflow was closed';

/** Workflow metadata of a step; undefined for other tasks and for invalid metadata. */
export function workflowMark(task: Task): WorkflowMark | undefined {
  const mark = WORKFLOW.of(task);
  return isMark(mark) ? mark : undefined;
}

function isMark(mark: unknown): mark is JsonObject & WorkflowMark {
  return isJsonObject(mark) && ['id', 'run', 'node'].every((field) => typeof mark[field] === 'string');
}

/** Outcome of a run, derived from its tasks. */
export function workflowOutcome(view: GraphView, tasks: readonly Task[]): Outcome {
  const gates = tasks.filter((task) => workflowMark(task)?.role === 'gate');
  const closed = (task: Task) => task.status === 'abandoned' && task.failure_reason === CLOSED;
  if (gates.some((task) => task.status === 'abandoned' && !closed(task))) return 'declined';
  const over = gates.find(
    (task) => task.status === 'failed' && view.cyclesOf(task.id).some((cycle) => hasEnded(view, cycle.header)),
  );
  if (over) return 'exhausted';
  if (tasks.every((task) => isTerminal(task.status))) {
    if (tasks.some((task) => task.status === 'failed' && workflowMark(task)?.role !== 'advice')) {
      const ends = tasks.filter((task) => workflowMark(task)?.role === 'end');
      return ends.length > 0 && ends.every((task) => task.status === 'done') ? 'passed' : 'failed';
    }
    return tasks.some(closed) ? 'declined' : 'passed';
  }
  return stuck(view, tasks) ? 'failed' : 'running';
}

function hasEnded(view: GraphView, header: string): boolean {
  return view.task(header)?.cycle_ended !== undefined;
}

/**
 * Whether a run is stuck: no task is at work or can ever start, because each depends on a success that will not happen.
 */
function stuck(view: GraphView, tasks: readonly Task[]): boolean {
  const hopeless = new Set<string>();
  const isLost = (id: string) => {
    const status = view.task(id)?.status;
    return status === 'failed' || status === 'abandoned' || hopeless.has(id);
  };
  const waiting = tasks.filter((task) => !isTerminal(task.status));
  if (waiting.some((task) => task.status !== 'open')) return false;
  for (let grown = true; grown; ) {
    const more = waiting.filter(
      (task) =>
        !hopeless.has(task.id) &&
        ((task.after_success ?? []).some(isLost) || (task.after ?? []).some((id) => hopeless.has(id))),
    );
    for (const task of more) hopeless.add(task.id);
    grown = more.length > 0;
  }
  return waiting.every((task) => hopeless.has(task.id));
}
