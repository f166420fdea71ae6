import * as z from 'zod/mini';
import { editTask } from '#core/graph/edit.js';
import { operation } from '#operations/operation.js';
import { commitMove, flag, movedShape, moverOf, unknownPolicy } from '#operations/shapes.js';

/** TASK comes after DEP from now on. */
export const addDependency = operation({
  name: 'task.add-dep',
  input: z.strictObject({ id: z.string(), dependency: z.string(), success: flag, strict: flag, allow_unknown: flag }),
  output: movedShape,
  run: (context, { id, dependency, success, ...said }) =>
    commitMove(context, (view) =>
      editTask(view, id, success ? { add_after_success: [dependency] } : { add_after: [dependency] }, {
        by: moverOf(context),
        unknown: unknownPolicy(said),
      }),
    ),
});
