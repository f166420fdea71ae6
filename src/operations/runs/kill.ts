import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';
import { personsOnly } from '#operations/worktrees/held.js';

/** Tells a run to end: by the coordinator where there is one, else by its folder, so that the next one knows why. */
export const kill = operation({
  name: 'agent.kill',
  input: z.strictObject({ run: z.string(), force: z.optional(z.boolean()) }),
  output: z.object({ run: z.string(), task: z.string(), signal: z.enum(['TERM', 'TERM, then KILL']) }),
  async run(context, { run: named, force = false }) {
    personsOnly(context, 'end another run');
    const signal = force ? ('TERM, then KILL' as const) : ('TERM' as const);
    const runs = await context.runs();
    const coordinator = context.coordinator?.();
    const pid = /^\d{1,10}$/.test(named) ? Number(named) : undefined;
    if (coordinator) {
      const ended = coordinator.kill(pid ?? named);
      if (force) runs.end(ended.run, true).catch(() => undefined); // nobody waits ten seconds for an answer
      return { ...ended, signal };
    }
    const found = (await runs.listed()).find((row) => row.id === named || (pid !== undefined && row.pid === pid));
    if (!found || !(await runs.end(found.id, force)))
      throw new TroupeError('not_found', {
        what: `No run ${named.slice(0, 60)} is at work.`,
        hint: 'Run `troupe agents`.',
      });
    return { run: found.id, task: found.task_id, signal };
  },
});
