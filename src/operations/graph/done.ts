import * as z from 'zod/mini';
import { doneTask } from '#core/graph/moves.js';
import { operation } from '#operations/operation.js';
import { movedShape, moverOf, personForces, text } from './shapes.js';

export const done = operation({
  name: 'task.done',
  input: z.strictObject({ id: z.string(), reason: text, actor: text, force: z.optional(z.boolean()) }),
  output: movedShape,
  async run(context, input) {
    const store = await context.graph();
    const options = {
      now: context.clock.now(),
      by: moverOf(context, input.actor),
      reason: input.reason,
      force: personForces(context, input.force),
    };
    const commit = await store.commit((view) => doneTask(view, input.id, options), context.request);
    return { ...commit.result, seq: commit.seq };
  },
});
