import * as z from 'zod/mini';
import type { Task } from '#core/graph/task.js';
import { isTask } from '#core/graph/task.js';
import { timeOf } from '#core/graph/time.js';
import { formatDuration } from '#kernel/duration.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import type { RunFolders } from '#ports/run-folders.js';

/** Tasks in progress that no run is at work on and that no person has touched for long, each with the reason. */
export const orphans = operation({
  name: 'agent.orphans',
  input: z.strictObject({}),
  output: z.object({
    orphans: z.array(z.object({ id: z.string(), title: z.string(), holder: z.string(), reason: z.string() })),
  }),
  async run(context) {
    const view = await (await context.graph()).view();
    const runs = await context.runs();
    const found: { id: string; title: string; holder: string; reason: string }[] = [];
    for (const node of view.nodes()) {
      if (!isTask(node) || node.status !== 'in-progress') continue;
      const reason = await stalledBecause(node, runs, context.clock.now());
      if (reason !== undefined) found.push({ id: node.id, title: node.title, holder: node.assigned ?? '', reason });
    }
    return { orphans: found };
  },
});

/** Why nobody can be at work on a task in progress; undefined when somebody may be. */
export async function stalledBecause(task: Task, runs: RunFolders, now: number): Promise<string | undefined> {
  const { assigned } = task;
  if (assigned === undefined) return 'nobody holds it';
  if (/^agent-\d{1,9}$/.test(assigned)) {
    const state = await runs.state(assigned);
    if (state === 'at-work') return undefined;
    return state === 'ended' ? `${assigned} has ended, and nobody has settled it` : `${assigned} is not at work`;
  }
  const heard = lastHeard(task);
  if (heard === undefined || now - heard <= LIMITS.personLeaseMs) return undefined;
  return `${assigned} has not been heard of for ${formatDuration(now - heard)}`;
}

/** A person's claim is renewed by whatever they do to the task. */
function lastHeard(task: Task): number | undefined {
  const times = [task.started_at, ...(task.log ?? []).slice(-1).map(({ timestamp }) => timestamp)];
  const known = times.map((time) => (typeof time === 'string' ? timeOf(time) : Number.NaN)).filter((time) => time > 0);
  return known.length === 0 ? undefined : Math.max(...known);
}
