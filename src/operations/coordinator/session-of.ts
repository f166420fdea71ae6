import { lastRunOf } from '#core/graph/attempts.js';
import type { Task } from '#core/graph/task.js';
import type { Context } from '#operations/operation.js';
import type { RunSession } from '#ports/run-folders.js';

/** Clients that find a session from anywhere, by its id alone. */
const FOUND_ANYWHERE: readonly string[] = ['codex'];

/**
 * The session in which the last attempt at a task worked, when the next one can go on with it: the same client, a place where
 * it finds it, the same pass of a cycle, and something was done in it. One that took up a session and did nothing is no
 * reason to try that again.
 */
export async function sessionOf(
  context: Context,
  task: Task,
  { executor, folder }: { readonly executor: string; readonly folder: string },
): Promise<RunSession | undefined> {
  const last = lastRunOf(task);
  if (last === undefined || last.iteration !== (task.loop_iteration ?? 0)) return undefined;
  const session = await (await context.runs()).session(last.run);
  if (session?.executor !== executor || !session.progressed) return undefined;
  return session.folder === folder || FOUND_ANYWHERE.includes(executor) ? session : undefined;
}
