import * as z from 'zod/mini';
import { reopenTask } from '#core/graph/moves.js';
import { operation } from '#operations/operation.js';
import { commitMove, movedShape, moveOptions, text } from '#operations/shapes.js';

export const reopen = operation({
  name: 'task.reopen',
  input: z.strictObject({ id: z.string(), reason: text, actor: text }),
  output: movedShape,
  run: (context, input) => commitMove(context, (view) => reopenTask(view, input.id, moveOptions(context, input))),
});
