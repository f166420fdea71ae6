import * as z from 'zod/mini';
import { acceptEdit, discardEdit } from '#core/graph/unverified-moves.js';
import { operation } from '#operations/operation.js';
import { commitMove, movedShape, moveOptions } from '#operations/shapes.js';

export const accept = operation({
  name: 'task.accept-edit',
  input: z.strictObject({ id: z.string() }),
  output: movedShape,
  run: (context, { id }) => commitMove(context, (view) => acceptEdit(view, id, moveOptions(context, {}))),
});

export const discard = operation({
  name: 'task.discard-edit',
  input: z.strictObject({ id: z.string() }),
  output: movedShape,
  run: (context, { id }) => commitMove(context, (view) => discardEdit(view, id, moveOptions(context, {}))),
});
