import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { sha256 } from '#kernel/hash.js';

/** A task that would run a command. */
export interface CommandTask {
  readonly id: string;
  readonly command: string;
  /** What the command is handed as environment; it can change what the command does. */
  readonly environment: unknown;
}

/**
 * The tasks of a graph that can still run a command, by id. A failed one is among them: it runs again when somebody
 * retries it. Walks the whole graph.
 */
export function commandTasks(view: GraphView): CommandTask[] {
  const found: CommandTask[] = [];
  for (const node of view.nodes()) if (isTask(node) && canStillRun(node)) found.push(commandOf(node));
  return found.sort((left, right) => (left.id < right.id ? -1 : 1));
}

function canStillRun(task: Task): task is Task & { exec: string } {
  return task.exec !== undefined && task.status !== 'done' && task.status !== 'abandoned';
}

function commandOf(task: Task & { exec: string }): CommandTask {
  return { id: task.id, command: task.exec, environment: task['environment'] ?? {} };
}

/** SHA-256 over tasks and commands: the same only when all of them are the same. */
export function commandsFingerprint(tasks: readonly CommandTask[]): string {
  return sha256(JSON.stringify(tasks.map(({ id, command, environment }) => [id, command, environment])));
}
