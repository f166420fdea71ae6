import * as z from 'zod/mini';
import { DECISION_STATUSES } from '#core/team/memory.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { decisionShape, fitting, limit, shownDecision } from './memory-shapes.js';
import { sharedMemory } from './shared-memory.js';

/** What the team has agreed on, the latest last. */
export const decisionList = operation({
  name: 'decision.list',
  input: z.strictObject({ status: z.optional(z.enum(DECISION_STATUSES)), limit }),
  output: z.object({ decisions: z.array(decisionShape) }),
  async run(context, { status, limit: most }) {
    const memory = await sharedMemory(context);
    const rows = await memory.decisions({ status, limit: most ?? LIMITS.memoryRowsListed });
    return { decisions: fitting(rows.map(shownDecision)) };
  },
});
