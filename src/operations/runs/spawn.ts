import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';
import { personsOnly } from '#operations/worktrees/held.js';
import { spawnRequest } from './agent-rows.js';

const text = z.optional(z.string());

/** A run of one task at once, by the same claim as any other. */
export const spawnRun = operation({
  name: 'agent.spawn',
  input: z.strictObject({ id: z.string(), executor: text, model: text, timeout: text }),
  output: z.object({ agent_id: z.string(), pid: z.nullable(z.number()) }),
  async run(context, { id, ...wishes }) {
    personsOnly(context, 'start another run');
    const coordinator = context.coordinator?.();
    if (!coordinator) throw new TroupeError('service_not_running');
    const { agent_id, pid } = await coordinator.spawn(spawnRequest({ task_id: id, ...wishes }));
    return { agent_id, pid: pid ?? null };
  },
});
