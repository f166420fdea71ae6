import { type Plan, withFields } from '#core/graph/event.js';
import type { Task } from '#core/graph/task.js';
import { record, taskField } from '#core/graph/task-field.js';
import { timeOf } from '#core/graph/time.js';
import { timestamp } from '#kernel/clock.js';
import { isJsonObject } from '#kernel/json.js';

export const NOTIFIED_FIELD = taskField('told', record);

/** Adds to a claim the time at which the facts of its prompt were gathered, slightly before the claim. */
export function withPromptTime(plan: Plan<{ readonly fence: number }>, task: string, at: number): Plan<unknown> {
  return withFields(plan, task, { told: { fence: plan.result.fence, at: timestamp(at) } });
}

/** Time at which the current or last claimant got its prompt, in milliseconds. Later entries are unknown to it. */
export function promptTime(task: Task): number {
  const prompt = NOTIFIED_FIELD.of(task);
  const counts = isJsonObject(prompt) && prompt['fence'] === task.fence && typeof prompt['at'] === 'string';
  return timeOf(counts ? String(prompt['at']) : task.started_at);
}
