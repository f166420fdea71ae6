import * as z from 'zod/mini';
import { approveTask } from '#core/graph/review.js';
import { operation } from '#operations/operation.js';
import { commitMove, movedShape, moveOptions, text } from './shapes.js';

export const approve = operation({
  name: 'task.approve',
  input: z.strictObject({ id: z.string(), reason: text, actor: text }),
  output: movedShape,
  run: (context, input) => commitMove(context, (view) => approveTask(view, input.id, moveOptions(context, input))),
});
