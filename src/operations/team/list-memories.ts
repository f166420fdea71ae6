import * as z from 'zod/mini';
import { slugOf } from '#core/catalog/member-slug.js';
import { MEMORY_TYPES } from '#core/team/memory.js';
import { slugsOf } from '#core/team/memory-renames.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { formerNames } from './memory-names.js';
import { fitting, limit, memoryShape, shownMemory, text } from './memory-shapes.js';
import { sharedMemory } from './shared-memory.js';

/** What the members remember, the latest last. */
export const list = operation({
  name: 'memory.list',
  input: z.strictObject({ agent: text, type: z.optional(z.enum(MEMORY_TYPES)), limit }),
  output: z.object({ memories: z.array(memoryShape) }),
  async run(context, { agent, type, limit: most }) {
    const memory = await sharedMemory(context);
    const before = await formerNames(context);
    const rows = await memory.memories({
      agents: agent === undefined ? undefined : slugsOf(before, slugOf(agent) ?? agent),
      types: type === undefined ? undefined : [type],
      limit: most ?? LIMITS.memoryRowsListed,
    });
    return { memories: fitting(rows.map((row) => shownMemory({ ...row, agent: before.get(row.agent) ?? row.agent }))) };
  },
});
