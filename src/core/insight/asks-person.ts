import type { Task } from '#core/graph/task.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, shellWord } from '#kernel/text.js';

/** Does the run of a task wait for a word of a person? */
export function asksPerson(task: Task): boolean {
  const conditions = Array.isArray(task.wait_condition?.conditions) ? task.wait_condition.conditions : [];
  return task.status === 'waiting' && conditions.some(({ type, seen }) => type === 'human-input' && seen !== true);
}

/** What it asks, in one line; undefined where it left no words. */
export function questionOf(task: Task): string | undefined {
  const words = cut((task.checkpoint ?? '').replace(/\s+/g, ' ').trim(), LIMITS.executorReasonCharacters);
  return words === '' ? undefined : words;
}

/** The command that answers it, with an answer that helps whatever was asked. */
export function answerCommand(task: Task): string {
  return `troupe answer ${shellWord(task.id)} "Decide yourself, and report how it ends."`;
}

/** The command by which a person takes a task that is ready for them: a question in a conversation is answered. */
export function takeCommand(id: string, conversation: string | undefined): string {
  return conversation === undefined ? `troupe claim ${shellWord(id)}` : `troupe answer ${shellWord(id)} "…"`;
}
