import * as z from 'zod/mini';
import { claimTask } from '#core/graph/moves.js';
import { operation } from '#operations/operation.js';
import { commitMove, flag, movedShape, moveOptions, personForces, text } from '#operations/shapes.js';

export const claim = operation({
  name: 'task.claim',
  input: z.strictObject({ id: z.string(), actor: text, force: flag }),
  output: z.extend(movedShape, { fence: z.number() }),
  run: (context, input) =>
    commitMove(context, (view) =>
      claimTask(view, input.id, { ...moveOptions(context, input), force: personForces(context, input.force) }),
    ),
});
