import * as z from 'zod/mini';
import { publishTask } from '#core/graph/pause.js';
import { operation } from '#operations/operation.js';
import { commitMove, flag, movedShape, moveOptions, text } from '#operations/shapes.js';

export const publish = operation({
  name: 'task.publish',
  input: z.strictObject({ id: z.string(), only: flag, reason: text, actor: text }),
  output: z.extend(movedShape, { resumed: z.readonly(z.array(z.string())) }),
  run: (context, input) =>
    commitMove(context, (view) => publishTask(view, input.id, { ...moveOptions(context, input), only: input.only })),
});
