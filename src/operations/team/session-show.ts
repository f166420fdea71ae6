import * as z from 'zod/mini';
import { operation } from '#operations/operation.js';
import { sessionShape, shownSession } from './memory-shapes.js';
import { sharedMemory } from './shared-memory.js';

/** What the team is working on at present. */
export const sessionShow = operation({
  name: 'teamsession.show',
  input: z.strictObject({}),
  output: z.object({ session: z.nullable(sessionShape) }),
  async run(context) {
    const open = await (await sharedMemory(context)).currentSession();
    return { session: open === undefined ? null : shownSession(open) };
  },
});
