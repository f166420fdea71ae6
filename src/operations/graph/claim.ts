import * as z from 'zod/mini';
import { claimTask } from '#core/graph/moves.js';
import { operation } from '#operations/operation.js';
import { movedShape, moverOf, personForces, text } from './shapes.js';

export const claim = operation({
  name: 'task.claim',
  input: z.strictObject({ id: z.string(), actor: text, force: z.optional(z.boolean()) }),
  output: z.extend(movedShape, { fence: z.number() }),
  async run(context, input) {
    const store = await context.graph();
    const options = {
      now: context.clock.now(),
      by: moverOf(context, input.actor),
      force: personForces(context, input.force),
    };
    const commit = await store.commit((view) => claimTask(view, input.id, options), context.request);
    return { ...commit.result, seq: commit.seq };
  },
});
