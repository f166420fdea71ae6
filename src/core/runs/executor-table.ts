/**
 * Execution of a task: each model client with its arguments and output stream, custom executors, the choice among them,
 * the prompt of an attempt, its sandbox, its worktree and the obstacles to landing its work.
 * @packageDocumentation
 */
import { claude } from './claude.js';
import { codex } from './codex.js';
import { gemini } from './gemini.js';
import { opencode } from './opencode.js';
import { pi } from './pi.js';
import type { Client, Executor } from './plan.js';
import { qwen } from './qwen.js';
import { shell } from './shell.js';

/** Built-in executors by name. A custom executor may not use these names. */
export const EXECUTORS: Readonly<Record<Client | 'shell', Executor>> = {
  claude,
  codex,
  gemini,
  opencode,
  qwen,
  pi,
  shell,
};

export function builtInExecutor(name: string): Executor | undefined {
  return Object.hasOwn(EXECUTORS, name) ? EXECUTORS[name as keyof typeof EXECUTORS] : undefined;
}
