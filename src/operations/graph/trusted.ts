import { type CommandTask, commandHash, commandTasks, waitsForTrust } from '#core/graph/commands.js';
import type { Task } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

type TrustContext = Pick<Context, 'trust' | 'trustedCommands' | 'graph' | 'projectFolder'>;

/** Commands of tasks that can still run and that nobody on this machine has agreed to, by task. */
export async function waitingCommands(
  context: Pick<TrustContext, 'trustedCommands' | 'graph'>,
): Promise<CommandTask[]> {
  const trusted = await context.trustedCommands();
  const tasks = commandTasks(await (await context.graph()).view());
  return tasks.filter(({ command, environment }) => !trusted.trusts(commandHash(command, environment)));
}

/**
 * Refuses with `untrusted_graph` when the graph holds commands that nobody agreed to and nobody on this machine made or trusted
 * it: whoever clones a repository has not agreed to what its tasks would run. In a trusted one each such command waits.
 */
export async function refuseUntrusted(context: TrustContext): Promise<void> {
  const trust = await context.trust();
  if (await trust.isOfAnother()) (await context.trustedCommands()).clear(); // what was agreed to lay there before
  if ((await trust.read()) !== undefined) return;
  const tasks = await waitingCommands(context);
  if (tasks.length === 0) return;
  const count = tasks.length === 1 ? '1 of its tasks has a command' : `${tasks.length} of its tasks have commands`;
  throw new TroupeError('untrusted_graph', {
    what: `The task graph of ${context.projectFolder} was not made on this machine, and ${count}.`,
    details: { tasks: tasks.length, first: tasks.slice(0, 5).map(({ id, command }) => ({ id, command })) },
  });
}

/** Refuses with `untrusted_command` a command of a task that came from elsewhere, at the moment it would run. */
export async function refuseUntrustedCommand(context: TrustContext, task: Task): Promise<void> {
  await refuseUntrusted(context);
  const trusted = await context.trustedCommands();
  trusted.look();
  if (waitsForTrust(task, trusted)) throw new TroupeError('untrusted_command', { details: { id: task.id } });
}
