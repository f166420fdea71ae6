import * as z from 'zod/mini';
import { failTask } from '#core/graph/moves.js';
import { operation } from '#operations/operation.js';
import { commitMove, flag, movedShape, moveOptions, text } from '#operations/shapes.js';

export const fail = operation({
  name: 'task.fail',
  input: z.strictObject({ id: z.string(), reason: text, eval_reject: flag, actor: text }),
  output: movedShape,
  run: (context, input) =>
    commitMove(context, (view) =>
      failTask(view, input.id, { ...moveOptions(context, input), rejected: input.eval_reject }),
    ),
});
