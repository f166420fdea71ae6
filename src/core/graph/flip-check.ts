import type { Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import { isJsonObject } from '#kernel/json.js';

export const FLIP_CHECK = taskField('flip_check', anything);

const STATES = ['low', 'asked', 'confirmed', 'rejected'] as const;

/** What stands on a task whose output shows badly what it was for: the score, and how far somebody has looked into it. */
export interface FlipCheck {
  /** The id of the evaluation. */
  readonly evaluation: string;
  readonly score: number;
  /** How many claims the task had seen: a later attempt is other work. */
  readonly attempt: number;
  /** `low`: nobody was asked yet; `asked`: a task of our own is to look into it. */
  readonly state: (typeof STATES)[number];
}

/** Undefined where there is none, and for what a hand wrote there that is none. */
export function flipCheckOf(task: Readonly<Record<string, unknown>>): FlipCheck | undefined {
  const value = task['flip_check'];
  if (value === undefined || !isJsonObject(value)) return undefined;
  const { evaluation, score, attempt } = value;
  const state = STATES.find((name) => name === value['state']);
  if (typeof evaluation !== 'string' || typeof score !== 'number' || typeof attempt !== 'number' || !state)
    return undefined;
  return { evaluation, score, attempt, state };
}

/** Is it about the work that the task holds now, and not about an attempt before it? */
export function isOfNow(task: Task, check: FlipCheck): boolean {
  return check.attempt === (task.fence ?? 0) && (task.status === 'done' || task.status === 'pending-validation');
}
