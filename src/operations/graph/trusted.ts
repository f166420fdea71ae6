import { commandTasks } from '#core/graph/commands.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/**
 * Refuses with `untrusted_graph` when the graph holds commands and nobody on this machine made it or trusted it: whoever
 * clones a repository has not agreed to what its tasks would run.
 */
export async function refuseUntrusted(context: Pick<Context, 'trust' | 'graph' | 'projectFolder'>): Promise<void> {
  if ((await (await context.trust()).read()) !== undefined) return;
  const tasks = commandTasks(await (await context.graph()).view());
  if (tasks.length === 0) return;
  const held = tasks.length === 1 ? '1 of its tasks holds a command' : `${tasks.length} of its tasks hold commands`;
  throw new TroupeError('untrusted_graph', {
    what: `The task graph of ${context.projectFolder} was not made on this machine, and ${held}.`,
    details: { tasks: tasks.length, first: tasks.slice(0, 5).map(({ id, command }) => ({ id, command })) },
  });
}
