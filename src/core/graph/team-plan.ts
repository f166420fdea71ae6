// A plan that has to be approved first is a task of its own: what it is for comes after it, and it is reviewed as all work of a team is.
import { TroupeError } from '#kernel/errors.js';
import { feedbackOf } from './feedback.js';
import type { Task } from './task.js';
import { flagField, taskField, textField } from './task-field.js';
import type { GraphView } from './view.js';

/** Nothing is handed in for it before its plan is approved. */
const PLAN_REQUIRED = taskField('plan_required', flagField);
/** Of the task in which a plan is made: the work it is for. */
export const PLAN_OF = taskField('plan_of', textField);

/** The task in which the plan for this work is made; undefined where none is asked for. */
export function planTaskOf(view: GraphView, { id, after_success }: Task): Task | undefined {
  for (const before of after_success ?? []) {
    const task = view.task(before);
    if (PLAN_OF.of(task) === id) return task;
  }
  return undefined;
}

/** Asked wherever such work would count as done. Errors: `plan_required`. */
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

/** Where a plan stands. `rejected`: it was sent back, and another is awaited. */
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
