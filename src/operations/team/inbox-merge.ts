import * as z from 'zod/mini';
import { operation } from '#operations/operation.js';
import { rowNumber, settledShape, shownDecision, shownEntry, shownMemory } from './memory-shapes.js';
import { callerName } from './memory-words.js';
import { changeMemory } from './shared-memory.js';

/** Agrees to an entry: it becomes a decision, or a memory of who proposed it. */
export const inboxMerge = operation({
  name: 'inbox.merge',
  input: z.strictObject({ number: rowNumber }),
  output: settledShape,
  async run(context, { number }) {
    const settlement = { status: 'merged', by: callerName(context), at: context.clock.now() } as const;
    const { entry, decision, memory } = await changeMemory(context, (team) => team.settle(number, settlement));
    return {
      entry: shownEntry(entry),
      ...(decision === undefined ? {} : { decision: shownDecision(decision) }),
      ...(memory === undefined ? {} : { memory: shownMemory(memory) }),
    };
  },
});
