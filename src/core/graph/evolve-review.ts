// Tasks in which a person decides about a proposed change of a role or a trade-off.
import { HUMAN } from './assignee.js';
import type { Task } from './task.js';

const PREFIX = 'evolve-review-';
export const EVOLUTION_TAG = 'evolution';

/** Id of the review task of a proposal. */
export function proposalTask(proposal: string): string {
  return `${PREFIX}${proposal}`;
}

/** The proposal that a review task decides about; undefined for any other task. */
export function decidedProposal(task: Task): string | undefined {
  const isReview = task.id.startsWith(PREFIX) && HUMAN.of(task) === true && task.tags?.includes(EVOLUTION_TAG) === true;
  return isReview ? task.id.slice(PREFIX.length) : undefined;
}
