import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { markOf } from '#core/workflows/outcome.js';
import { TroupeError } from '#kernel/errors.js';

export interface WorkflowRun {
  readonly run: string;
  readonly workflow: string;
  readonly tasks: readonly Task[];
}

/** Every run of a workflow in the graph, by one look at all tasks, in the order in which they were begun. */
export function workflowRuns(view: GraphView): WorkflowRun[] {
  const runs = new Map<string, { run: string; workflow: string; tasks: Task[] }>();
  for (const node of view.nodes()) {
    const mark = isTask(node) ? markOf(node) : undefined;
    if (!isTask(node) || !mark) continue;
    const run = runs.get(mark.run) ?? { run: mark.run, workflow: mark.id, tasks: [] };
    run.tasks.push(node);
    runs.set(mark.run, run);
  }
  return [...runs.values()];
}

/** The run of this name; errors: `not_found`. */
export function workflowRunNamed(view: GraphView, name: string): WorkflowRun {
  const found = workflowRuns(view).find(({ run }) => run === name);
  if (found) return found;
  throw new TroupeError('not_found', {
    what: `There is no run ${JSON.stringify(name.slice(0, 60))} of a workflow.`,
    hint: 'Run `troupe workflow status` to see them.',
  });
}
