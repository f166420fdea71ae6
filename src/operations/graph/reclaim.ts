import * as z from 'zod/mini';
import { reclaimTask } from '#core/graph/hand-over.js';
import { operation } from '#operations/operation.js';
import { commitMove, movedShape, moveOptions, text } from '#operations/shapes.js';

export const reclaim = operation({
  name: 'task.reclaim',
  input: z.strictObject({ id: z.string(), from: z.string(), to: z.string(), reason: text }),
  output: z.extend(movedShape, { fence: z.number() }),
  run: (context, input) =>
    commitMove(context, (view) =>
      reclaimTask(view, input.id, { ...moveOptions(context, input), from: input.from, to: input.to }),
    ),
});
