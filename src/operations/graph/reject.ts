import * as z from 'zod/mini';
import { rejectTask } from '#core/graph/review.js';
import { operation } from '#operations/operation.js';
import { commitMove, movedShape, moveOptions, text } from '#operations/shapes.js';

export const reject = operation({
  name: 'task.reject',
  input: z.strictObject({ id: z.string(), reason: z.string(), actor: text }),
  output: movedShape,
  run: (context, input) =>
    commitMove(context, (view) => rejectTask(view, input.id, { ...moveOptions(context, input), reason: input.reason })),
});
