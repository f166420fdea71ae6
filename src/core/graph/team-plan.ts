// Plans that require approval. A plan is a task of its own: the work depends on it, and it is reviewed like other team
// work.
import { TroupeError } from '#kernel/errors.js';
import { feedbackOf } from './feedback.js';
import type { Task } from './task.js';
import { flagField, taskField, textField } from './task-field.js';
import type { GraphView } from './view.js';

/** Nothing can be submitted for the task before its plan is approved. */
const PLAN_REQUIRED = taskField('plan_required', flagField);
/** On a planning task: id of the work it plans. */
export const PLAN_OF = taskField('plan_of', textField);

/** Returns the task that plans this work; undefined if none is required. */
export function planTaskOf(view: GraphView, { id, after_success }: Task): Task | undefined {
  for (const before of after_success ?? []) {
    const task = view.task(before);
    if (PLAN_OF.of(task) === id) return task;
  }
  return undefined;
}

/** Refuses to count work as done before its plan is approved. Errors: `plan_required`. */
export function refusePlanless(view: GraphView, task: Task): void {
  if (PLAN_REQUIRED.of(task) !== true) return;
  const plan = planTaskOf(view, task);
  if (plan?.status === 'done') return;
  const { id } = task;
  throw new TroupeError('plan_required', {
    what: `${id} needs an approved plan${plan ? `: ${plan.id} is ${plan.status}` : ''}.`,
    hint: `Submit the plan: \`troupe team plan submit ${id} --file FILE\`.`,
    details: { id, plan: plan?.id ?? null },
  });
}

export const PLAN_STATES = ['awaited', 'submitted', 'approved', 'rejected', 'ended'] as const;
export type PlanState = (typeof PLAN_STATES)[number];

/** State of a plan. `rejected`: it was sent back, and another is awaited. */
export function planState(plan: Task): PlanState {
  switch (plan.status) {
    case 'done':
      return 'approved';
    case 'pending-validation':
      return 'submitted';
    case 'failed':
    case 'abandoned':
      return 'ended';
    default:
      return feedbackOf(plan) ? 'rejected' : 'awaited';
  }
}
