import type { Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import { isJsonObject } from '#kernel/json.js';

export const FLIP_CHECK = taskField('flip_check', anything);

const STATES = ['low', 'asked', 'confirmed', 'rejected'] as const;

/** A low flip score of a task, and the state of its examination. */
export interface FlipCheck {
  /** The id of the evaluation. */
  readonly evaluation: string;
  readonly score: number;
  /** Fence of the examined attempt: a later attempt is different work. */
  readonly attempt: number;
  /** `low`: not examined yet; `asked`: an internal task examines it. */
  readonly state: (typeof STATES)[number];
}

/** Undefined if there is none or a hand edit made it invalid. */
export function flipCheckOf(task: Readonly<Record<string, unknown>>): FlipCheck | undefined {
  const value = task['flip_check'];
  if (value === undefined || !isJsonObject(value)) return undefined;
  const { evaluation, score, attempt } = value;
  const state = STATES.find((name) => name === value['state']);
  if (typeof evaluation !== 'string' || typeof score !== 'number' || typeof attempt !== 'number' || !state)
    return undefined;
  return { evaluation, score, attempt, state };
}

/** Whether the check concerns the current work of the task, not an earlier attempt. */
export function concernsCurrentAttempt(task: Task, check: FlipCheck): boolean {
  return check.attempt === (task.fence ?? 0) && (task.status === 'done' || task.status === 'pending-validation');
}
