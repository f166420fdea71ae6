import * as z from 'zod/mini';
import { pauseTask } from '#core/graph/pause.js';
import { operation } from '#operations/operation.js';
import { commitMove, movedShape, moveOptions, text } from '#operations/shapes.js';

export const pause = operation({
  name: 'task.pause',
  input: z.strictObject({ id: z.string(), reason: text, actor: text }),
  output: movedShape,
  run: (context, input) => commitMove(context, (view) => pauseTask(view, input.id, moveOptions(context, input))),
});
