import type { Task } from './task.js';
import { record, taskField } from './task-field.js';

/** What the last review of the work asked for: whoever does it next is told so. */
export interface Feedback {
  /** Empty where whoever rejected it said nothing. */
  readonly text: string;
  readonly by: string;
  /** Which rejection it was. */
  readonly number: number;
}

const FEEDBACK = taskField('review_feedback', record);

export function feedbackOf(task: Task): Feedback | undefined {
  const { text, by, number } = FEEDBACK.of(task) ?? {};
  if (typeof text !== 'string' || typeof by !== 'string' || typeof number !== 'number') return undefined;
  return { text, by, number };
}
