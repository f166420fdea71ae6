import { type Plan, withFieldPatch } from '#core/graph/event.js';
import type { LogEntry, Task } from '#core/graph/task.js';
import { timestamp } from '#kernel/clock.js';

/** How such an entry begins: the log of a task is text that other programs read too. */
const BEGINS = 'Last words: ';

/** The plan with the last message of a run in the log of its task, before what the plan itself says there. */
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

/** What the latest run at a task that said anything said last. Foreign text. */
export function lastWordsOf({ log }: Pick<Task, 'log'>): string | undefined {
  return log?.findLast(isLastWords)?.message.slice(BEGINS.length);
}

export function isLastWords({ message }: LogEntry): boolean {
  return message.startsWith(BEGINS);
}
