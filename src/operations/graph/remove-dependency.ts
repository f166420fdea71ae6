import * as z from 'zod/mini';
import { editTask } from '#core/graph/edit.js';
import { operation } from '#operations/operation.js';
import { commitMove, movedShape, moverOf } from '#operations/shapes.js';

/** TASK no longer comes after DEP. */
export const removeDependency = operation({
  name: 'task.rm-dep',
  input: z.strictObject({ id: z.string(), dependency: z.string() }),
  output: movedShape,
  run: (context, { id, dependency }) =>
    commitMove(context, (view) => editTask(view, id, { remove_after: [dependency] }, { by: moverOf(context) })),
});
