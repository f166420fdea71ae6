import * as z from 'zod/mini';
import { blockTask } from '#core/graph/moves.js';
import { operation } from '#operations/operation.js';
import { commitMove, movedShape, moveOptions, text } from '#operations/shapes.js';

export const block = operation({
  name: 'task.block',
  input: z.strictObject({ id: z.string(), reason: text, actor: text }),
  output: movedShape,
  run: (context, input) => commitMove(context, (view) => blockTask(view, input.id, moveOptions(context, input))),
});
