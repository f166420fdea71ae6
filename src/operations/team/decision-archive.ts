import * as z from 'zod/mini';
import { operation } from '#operations/operation.js';
import { decisionShape, rowNumber, shownDecision } from './memory-shapes.js';
import { changeMemory } from './shared-memory.js';

/** Puts aside a decision that no longer holds and has no successor. */
export const decisionArchive = operation({
  name: 'decision.archive',
  input: z.strictObject({ number: rowNumber }),
  output: decisionShape,
  async run(context, { number }) {
    return shownDecision(await changeMemory(context, (memory) => memory.archive(number)));
  },
});
