import * as z from 'zod/mini';
import { retryTask } from '#core/graph/moves.js';
import { operation } from '#operations/operation.js';
import { commitMove, flag, movedShape, moveOptions, text } from '#operations/shapes.js';

export const retry = operation({
  name: 'task.retry',
  input: z.strictObject({ id: z.string(), reason: text, actor: text, fresh: flag }),
  output: movedShape,
  run: (context, input) =>
    commitMove(context, (view) => retryTask(view, input.id, { ...moveOptions(context, input), fresh: input.fresh })),
});
