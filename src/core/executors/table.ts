import { claude } from '#core/executors/claude.js';
import { codex } from '#core/executors/codex.js';
import { gemini } from '#core/executors/gemini.js';
import { opencode } from '#core/executors/opencode.js';
import { pi } from '#core/executors/pi.js';
import type { Client, Executor } from '#core/executors/plan.js';
import { qwen } from '#core/executors/qwen.js';
import { shell } from '#core/executors/shell.js';

/** The executors that are always there, by name. A custom one may not take such a name. */
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
