import * as z from 'zod/mini';
import { ENTRY_STATUSES } from '#core/team/memory.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { entryShape, fitting, limit, shownEntry } from './memory-shapes.js';

/** What was proposed: what waits to be merged or rejected, or the entries of another status. */
export const inboxList = operation({
  name: 'inbox.list',
  input: z.strictObject({ status: z.optional(z.enum([...ENTRY_STATUSES, 'all'])), limit }),
  output: z.object({ entries: z.array(entryShape) }),
  async run(context, { status = 'pending', limit: most }) {
    const memory = await context.teamMemory();
    const wanted = status === 'all' ? undefined : status;
    const rows = await memory.entries({ status: wanted, limit: most ?? LIMITS.memoryRowsListed });
    return { entries: fitting(rows.map(shownEntry)) };
  },
});
