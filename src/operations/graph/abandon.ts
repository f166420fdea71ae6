import * as z from 'zod/mini';
import { abandonTask } from '#core/graph/moves.js';
import { operation } from '#operations/operation.js';
import { commitMove, movedShape, moveOptions, text, texts } from '#operations/shapes.js';

export const abandon = operation({
  name: 'task.abandon',
  input: z.strictObject({ id: z.string(), reason: text, superseded_by: texts, actor: text }),
  output: movedShape,
  run: (context, input) =>
    commitMove(context, (view) =>
      abandonTask(view, input.id, { ...moveOptions(context, input), superseded_by: input.superseded_by }),
    ),
});
