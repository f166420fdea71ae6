import { type Plan, withFieldPatch } from '#core/graph/event.js';
import type { LogEntry, Task } from '#core/graph/task.js';
import { timestamp } from '#kernel/clock.js';

/** Prefix of the log entry: other programs read the task log as text. */
const BEGINS = 'Last words: ';

/** Returns the plan with the last message of a run added to the task log, before the plan's own entries. */
export function withLastWords<Result>(
  plan: Plan<Result>,
  task: Task,
  run: string,
  words: string | undefined,
  now: number,
): Plan<Result> {
  if (words === undefined || words.trim() === '') return plan;
  const entry: LogEntry = { timestamp: timestamp(now), actor: run, message: `${BEGINS}${words.trim()}` };
  return withFieldPatch(plan, task.id, (patch) => ({
    ...patch,
    log_at: patch.log_at ?? task.log?.length ?? 0,
    log: [entry, ...(patch.log ?? [])],
  }));
}

/** Last message of the latest run that left one. Foreign text. */
export function lastWordsOf({ log }: Pick<Task, 'log'>): string | undefined {
  return log?.findLast(isLastWords)?.message.slice(BEGINS.length);
}

export function isLastWords({ message }: LogEntry): boolean {
  return message.startsWith(BEGINS);
}
