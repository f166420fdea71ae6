import { HUMAN } from '#core/graph/assignee.js';
import type { Task } from '#core/graph/task.js';
import { isFreeWork } from '#core/graph/team-work.js';

/** Who does a task when its time has come. */
export const DOERS = ['command', 'client', 'person'] as const;
export type DoerKind = (typeof DOERS)[number];

/**
 * A command does what it is there for; what a person was named for is a person's; all else goes to the client, also while that
 * cannot be started. Only where no client is named at all do people take what is left.
 */
export function doerOf(
  task: Task,
  { executor, missing }: { readonly executor?: string | undefined; readonly missing?: string | undefined },
): DoerKind {
  if (task.exec !== undefined) return 'command';
  if (HUMAN.of(task) === true || isFreeWork(task) || task.exec_mode === 'shell') return 'person';
  return executor === undefined && missing === undefined ? 'person' : 'client';
}
