import * as z from 'zod/mini';
import { unclaimTask } from '#core/graph/moves.js';
import { operation } from '#operations/operation.js';
import { movedShape, moverOf, text } from './shapes.js';

export const unclaim = operation({
  name: 'task.unclaim',
  input: z.strictObject({ id: z.string(), reason: text, actor: text }),
  output: movedShape,
  async run(context, input) {
    const store = await context.graph();
    const options = { now: context.clock.now(), by: moverOf(context, input.actor), reason: input.reason };
    const commit = await store.commit((view) => unclaimTask(view, input.id, options), context.request);
    return { ...commit.result, seq: commit.seq };
  },
});
