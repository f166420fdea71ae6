import type { Task } from './task.js';
import { record, taskField } from './task-field.js';

/** Changes that the last review asked for; part of the next attempt's prompt. */
export interface Feedback {
  /** Empty if the reviewer gave no text. */
  readonly text: string;
  readonly by: string;
  /** Ordinal of the rejection. */
  readonly number: number;
}

const FEEDBACK = taskField('review_feedback', record);

export function feedbackOf(task: Task): Feedback | undefined {
  const { text, by, number } = FEEDBACK.of(task) ?? {};
  if (typeof text !== 'string' || typeof by !== 'string' || typeof number !== 'number') return undefined;
  return { text, by, number };
}
