import type { GraphView } from '#core/graph/view.js';
import { forgeBookIn, tasksWithPull } from '#core/imports/forge-state.js';
import { timestamp } from '#kernel/clock.js';
import { FORGE_LIMITS } from '#kernel/limits/forge.js';
import { inSentence, shellWord } from '#kernel/text.js';
import type { Problem } from './problem.js';

/** An exchange of issues that fails, and pull requests that only a person can bring further. */
export function forgeProblems(view: GraphView): Problem[] {
  const problems: Problem[] = [];
  const { trouble } = forgeBookIn(view);
  if (trouble !== undefined) {
    const text = `Issues of ${trouble.forge} cannot be exchanged: ${inSentence(trouble.text)}`;
    const since = timestamp(trouble.since);
    problems.push({ kind: 'sync', task: null, title: null, text, since, command: `troupe sync ${trouble.forge}` });
  }
  for (const { task, pull } of tasksWithPull(view)) {
    const isStuck = pull.state === 'open' && pull.checks === 'failed' && pull.reopened >= FORGE_LIMITS.reopenings;
    const isRefused = pull.state === 'closed' && task.status === 'done';
    if (!isStuck && !isRefused) continue;
    const what = isRefused
      ? 'was closed without being merged'
      : `fails its checks after ${pull.reopened} more attempts`;
    const text = `Pull request #${pull.number} ${what}`;
    const command = `troupe reopen ${shellWord(task.id)}`;
    problems.push({ kind: 'sync', task: task.id, title: task.title, text, since: null, command });
  }
  return problems;
}
