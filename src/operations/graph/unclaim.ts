import * as z from 'zod/mini';
import { unclaimTask } from '#core/graph/moves.js';
import { operation } from '#operations/operation.js';
import { commitMove, movedShape, moveOptions, text } from '#operations/shapes.js';

export const unclaim = operation({
  name: 'task.unclaim',
  input: z.strictObject({ id: z.string(), reason: text, actor: text }),
  output: movedShape,
  run: (context, input) => commitMove(context, (view) => unclaimTask(view, input.id, moveOptions(context, input))),
});
