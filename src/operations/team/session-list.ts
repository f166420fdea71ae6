import * as z from 'zod/mini';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { fitting, limit, sessionShape, shownSession } from './memory-shapes.js';
import { sharedMemory } from './shared-memory.js';

/** What the team worked on, the latest last. */
export const sessionList = operation({
  name: 'teamsession.list',
  input: z.strictObject({ limit }),
  output: z.object({ sessions: z.array(sessionShape) }),
  async run(context, { limit: most }) {
    const rows = await (await sharedMemory(context)).sessions(most ?? LIMITS.memoryRowsListed);
    return { sessions: fitting(rows.map(shownSession)) };
  },
});
