import * as z from 'zod/mini';
import { acceptEdit, discardEdit } from '#core/graph/unverified-moves.js';
import type { GraphContext } from '#operations/contexts.js';
import { operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { commitMove, movedShape, moveOptions } from '#operations/shapes.js';

export const accept = operation({
  name: 'task.accept-edit',
  command: 'accept-edit',
  group: 'Review',
  kind: 'write',
  summary: 'Apply what graph.jsonl was changed to while runs were active',
  examples: ['troupe accept-edit write-the-parser', 'troupe accept-edit write-the-parser --json'],
  input: z.strictObject({ id: TASK_ID }),
  output: movedShape,
  run: (context: GraphContext, { id }) => commitMove(context, (view) => acceptEdit(view, id, moveOptions(context, {}))),
});

export const discard = operation({
  name: 'task.discard-edit',
  command: 'discard-edit',
  group: 'Review',
  kind: 'write',
  instead: 'accept-edit --discard',
  summary: 'Discard what graph.jsonl was changed to while runs were active',
  examples: ['troupe accept-edit write-the-parser --discard', 'troupe accept-edit write-the-parser --discard --json'],
  input: z.strictObject({ id: TASK_ID }),
  output: movedShape,
  run: (context: GraphContext, { id }) =>
    commitMove(context, (view) => discardEdit(view, id, moveOptions(context, {}))),
});
