import type { EventDraft } from '#core/graph/event.js';
import { isTask, type NodeFields, type Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import type { GraphView } from '#core/graph/view.js';
import { sha256 } from '#kernel/hash.js';
import { byId } from '#kernel/order.js';

export const ENVIRONMENT = taskField('environment', anything);

/** A command that a task would run, either as its work or as its check. */
export interface CommandTask {
  readonly id: string;
  readonly command: string;
  /** Environment variables for the command; they can change what it does. */
  readonly environment: unknown;
}

/**
 * Returns the commands that tasks of a graph can still run, by id. Failed tasks are included because a retry runs them
 * again. Walks the whole graph.
 */
export function commandTasks(view: GraphView): CommandTask[] {
  const tasks: CommandTask[] = [];
  for (const node of view.nodes()) {
    if (!isTask(node) || !canStillRun(node)) continue;
    for (const command of [node.exec, node.verify_cmd]) {
      if (command !== undefined) tasks.push({ id: node.id, command, environment: ENVIRONMENT.of(node) ?? {} });
    }
  }
  return tasks.sort(byId);
}

function canStillRun(task: Task): boolean {
  return task.status !== 'done' && task.status !== 'abandoned';
}

/** SHA-256 over tasks and commands: equal only if all of them are equal. */
export function commandsFingerprint(tasks: readonly CommandTask[]): string {
  return sha256(JSON.stringify(tasks.map(({ id, command, environment }) => [id, command, environment])));
}

/** Commands that the person on this machine has agreed to, by hash. */
export interface CommandTrust {
  trusts(hash: string): boolean;
}

/** For graphs whose commands never run: simulations, and graphs that are only displayed. */
export const EVERY_COMMAND: CommandTrust = { trusts: () => true };

/** Hash of what a person agrees to: a command with its environment, independent of the task. */
export function commandHash(command: string, environment: unknown): string {
  return sha256(JSON.stringify([command, environment ?? {}]));
}

const hashes = new WeakMap<Task, readonly string[]>();

/** Hashes of the commands that a task would run, as its work and as its check. Cached per task object. */
export function commandHashes(task: Task): readonly string[] {
  if (task.exec === undefined && task.verify_cmd === undefined) return NONE;
  const cached = hashes.get(task);
  if (cached !== undefined) return cached;
  const result = COMMANDS.flatMap((field) => {
    const command = task[field];
    return command === undefined ? [] : [commandHash(command, ENVIRONMENT.of(task))];
  });
  hashes.set(task, result);
  return result;
}

const NONE: readonly string[] = [];
const COMMANDS = ['exec', 'verify_cmd'] as const;

/** Whether the task would run a command that has not been agreed to on this machine. */
export function waitsForTrust(task: Task, trust: CommandTrust): boolean {
  return trust !== EVERY_COMMAND && commandHashes(task).some((hash) => !trust.trusts(hash));
}

/** Events with tasks from files: their commands were agreed to when they were first added, or never. */
const FROM_FILES: ReadonlySet<string> = new Set(['archive_restore', 'runs_restore', 'accept_edit', 'import']);

/**
 * Returns the hashes of the untrusted commands that a commit introduces: each command that an event sets, and each
 * already agreed command whose environment changes. Changes to other fields introduce none.
 */
export function commitCommandHashes(
  before: (id: string) => NodeFields | undefined,
  events: readonly EventDraft[],
  trust: CommandTrust,
): string[] {
  const agreedHashes = new Set<string>();
  const states = new Map<string, NodeFields>();
  for (const { op, patch } of events) {
    for (const part of patch) {
      if ('del' in part) continue;
      const old = states.get(part.id) ?? before(part.id) ?? {};
      const next = 'put' in part ? part.put : { ...old, ...part.set };
      states.set(part.id, next);
      if (FROM_FILES.has(op)) continue;
      for (const field of COMMANDS) {
        const command = next[field];
        if (typeof command !== 'string') continue;
        const hash = commandHash(command, next['environment']);
        const isSet = 'put' in part ? old[field] !== command : part.set?.[field] !== undefined;
        if (isSet || wasAgreedTo(old, field, command, trust, agreedHashes)) agreedHashes.add(hash);
      }
    }
  }
  return [...agreedHashes].filter((hash) => !trust.trusts(hash));
}

function wasAgreedTo(
  old: NodeFields,
  field: string,
  command: string,
  trust: CommandTrust,
  agreedHashes: ReadonlySet<string>,
): boolean {
  if (old[field] !== command) return false;
  const hash = commandHash(command, old['environment']);
  return trust.trusts(hash) || agreedHashes.has(hash);
}
