import { HUMAN } from '#core/graph/assignee.js';
import type { Task } from '#core/graph/task.js';
import { isFreeWork } from '#core/graph/team-work.js';

/** Reason, as sentences, why a client cannot be started, and the command that helps. */
export interface AbsentClient {
  readonly text: string;
  readonly command: string;
}

export const DOERS = ['command', 'client', 'person'] as const;
export type DoerKind = (typeof DOERS)[number];

/**
 * Returns the doer of a task. Tasks with a command run it; tasks for a person go to a person; all others go to the
 * client, even while it cannot be started. Only if no client is configured at all do people take these too.
 */
export function doerOf(
  task: Task,
  { executor, missing }: { readonly executor?: string | undefined; readonly missing?: AbsentClient | undefined },
): DoerKind {
  if (task.exec !== undefined) return 'command';
  if (HUMAN.of(task) === true || isFreeWork(task) || task.exec_mode === 'shell') return 'person';
  return executor === undefined && missing === undefined ? 'person' : 'client';
}
