import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, shellWord } from '#kernel/text.js';
import type { Task } from './task.js';

/** Whether the run of a task waits for input from a person. */
export function asksPerson(task: Task): boolean {
  const conditions = Array.isArray(task.wait_condition?.conditions) ? task.wait_condition.conditions : [];
  return task.status === 'waiting' && conditions.some(({ type, seen }) => type === 'human-input' && seen !== true);
}

/** Its question in one line; undefined if it left no text. */
export function questionOf(task: Task): string | undefined {
  const words = cut((task.checkpoint ?? '').replace(/\s+/g, ' ').trim(), TEAM_LIMITS.executorReasonCharacters);
  return words === '' ? undefined : words;
}

/** Command that answers the question, with an answer that fits any question. */
export function answerCommand(task: Task): string {
  return `troupe answer ${shellWord(task.id)} "Decide yourself, and report how it ends."`;
}

/** Command with which a person takes a ready task; a question in a conversation is answered instead. */
export function takeCommand(id: string, conversation: string | undefined): string {
  return conversation === undefined ? `troupe claim ${shellWord(id)}` : `troupe answer ${shellWord(id)} "…"`;
}
