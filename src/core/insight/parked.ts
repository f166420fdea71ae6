import type { Task, WaitCondition } from '#core/graph/task.js';
import { formatDuration } from '#kernel/duration.js';
import { momentOf } from './brief.js';

export interface Parked {
  readonly text: string;
  readonly until: string | undefined;
  readonly refs: readonly string[];
}

/** What a parked task waits for, in words without a full stop. */
export function parkedBecause(task: Task, now: number): Parked {
  const conditions: readonly WaitCondition[] = Array.isArray(task.wait_condition?.conditions)
    ? task.wait_condition.conditions
    : [];
  if (conditions.length === 0) return { text: 'It is parked', until: undefined, refs: [] };
  const join = task.wait_condition?.mode === 'any' ? ' or ' : ' and ';
  const timer = conditions.find((condition) => condition.type === 'timer');
  return {
    text: `It is parked until ${conditions.map((condition) => said(condition, now)).join(join)}`,
    until: timer?.resume_after,
    refs: conditions.flatMap((condition) => (condition.type === 'task-status' ? [condition.task_id] : [])),
  };
}

function said(condition: WaitCondition, now: number): string {
  switch (condition.type) {
    case 'human-input':
      return 'a person answers';
    case 'message':
      return 'a message comes';
    case 'task-status':
      return `${condition.task_id} is ${condition.status}`;
    case 'timer':
      return `${formatDuration(Math.max(0, (momentOf(condition.resume_after) ?? now) - now))} have passed`;
    case 'file-changed':
      return `${condition.path} changes`;
    default:
      return 'something happens that this version does not know';
  }
}
