import { type CommandTask, commandHash, commandTasks, waitsForTrust } from '#core/graph/commands.js';
import type { Task } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import type { GraphContext, MachineContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';

/** Commands that can still run and are not agreed to on this machine, by task. */
export async function waitingCommands(context: Pick<Context, 'graph' | 'trustedCommands'>): Promise<CommandTask[]> {
  const trusted = await context.trustedCommands();
  const tasks = commandTasks(await (await context.graph()).view());
  return tasks.filter(({ command, environment }) => !trusted.trusts(commandHash(command, environment)));
}

/**
 * Refuses a graph with commands not agreed to that was neither created nor trusted on this machine: cloning a
 * repository does not imply agreement to its commands. In a trusted graph each such command waits on its own. Errors:
 * `untrusted_graph`.
 */
export async function refuseUntrusted(context: GraphContext & MachineContext): Promise<void> {
  const trust = await context.trust();
  if (await trust.isOfAnother()) (await context.trustedCommands()).clear(); // agreed to for another graph at this path
  if ((await trust.read()) !== undefined) return;
  const tasks = await waitingCommands(context);
  if (tasks.length === 0) return;
  const count = tasks.length === 1 ? '1 of its tasks has a command' : `${tasks.length} of its tasks have commands`;
  throw new TroupeError('untrusted_graph', {
    what: `The task graph of ${context.projectFolder} was not made on this machine, and ${count}.`,
    details: { tasks: tasks.length, first: tasks.slice(0, 5).map(({ id, command }) => ({ id, command })) },
  });
}

/**
 * Refuses a command that was not agreed to on this machine, just before it would run. Errors: `untrusted_graph`,
 * `untrusted_command`.
 */
export async function refuseUntrustedCommand(context: GraphContext & MachineContext, task: Task): Promise<void> {
  await refuseUntrusted(context);
  const trusted = await context.trustedCommands();
  trusted.look();
  if (waitsForTrust(task, trusted)) throw new TroupeError('untrusted_command', { details: { id: task.id } });
}
