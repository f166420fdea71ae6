import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { sha256 } from '#kernel/hash.js';

/** A command that a task would run: to do it, or to check it. */
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
  for (const node of view.nodes()) {
    if (!isTask(node) || !canStillRun(node)) continue;
    for (const command of [node.exec, node.verify_cmd]) {
      if (command !== undefined) found.push({ id: node.id, command, environment: node['environment'] ?? {} });
    }
  }
  return found.sort((left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0));
}

function canStillRun(task: Task): boolean {
  return task.status !== 'done' && task.status !== 'abandoned';
}

/** SHA-256 over tasks and commands: the same only when all of them are the same. */
export function commandsFingerprint(tasks: readonly CommandTask[]): string {
  return sha256(JSON.stringify(tasks.map(({ id, command, environment }) => [id, command, environment])));
}
