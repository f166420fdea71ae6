import type { RunFact } from '#core/coordinator/snapshot.js';
import type { Task } from '#core/graph/task.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';

/** That the check of a task failed: which command, how it ended, and the last lines it printed. Undefined when it did not. */
export function checkFailure({ exit, result }: RunFact, task: Task | undefined): string | undefined {
  const checked = exit?.check ? { code: exit.code, ms: 0, ...exit.check } : result?.check;
  if (!checked || checked.code === 0) return undefined;
  const command = cut(inert(task?.verify_cmd ?? ''), LIMITS.checkShownCharacters);
  const late = checked.ms >= LIMITS.verifyMs;
  const how = late ? `took longer than ${LIMITS.verifyMs / 1_000} s` : `exited with code ${checked.code}`;
  const lines = checked.lastLines.split('\n').filter((line) => line.trim() !== '');
  return `The check \`${command}\` ${how}${lines.length === 0 ? ' and printed nothing' : `: ${lines.join(' | ')}`}`;
}
