import { type CommandTrust, waitsForTrust } from '#core/graph/commands.js';
import type { GraphView } from '#core/graph/view.js';
import { awaitedOutside } from '#core/graph/wait.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';

/**
 * Whether a command could still do any task, and the time at which the next task is due; times in milliseconds. Tasks
 * that wait for a file are due at the next look for it.
 */
export function nextReady(
  view: GraphView,
  trust: CommandTrust,
  now: number,
): { readonly any: boolean; readonly at: number } {
  const { paths, at: timer } = awaitedOutside(view);
  const at = paths.size > 0 ? Math.min(timer, now + WORK_LIMITS.filePollMs) : timer;
  // First task that is or will be ready; tasks that wait for trust are neither.
  const first = (ids: Iterable<string>) => {
    for (const id of ids) {
      const task = view.task(id);
      if (task && !waitsForTrust(task, trust)) return view.readyAt(id) ?? 0;
    }
    return Number.POSITIVE_INFINITY;
  };
  const since = first(view.runnable());
  const next = since > now ? since : first(view.runnable(now));
  return { any: since !== Number.POSITIVE_INFINITY, at: Math.min(at, next) };
}
