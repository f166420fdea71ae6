import { type Briefing, briefingOf } from '#core/team/briefing.js';
import { slugsOf } from '#core/team/memory-renames.js';
import { LIMITS } from '#kernel/limits.js';
import type { Context } from '#operations/operation.js';
import { formerNames } from './memories.js';
import { sharedMemory } from './shared-memory.js';

/** What of the memory is told to whoever works as the member with this slug; without one, as nobody in particular. */
export async function briefingFor(context: Context, slug: string | undefined): Promise<Briefing> {
  const memory = await sharedMemory(context);
  const [learnings, decisions] = await Promise.all([
    slug === undefined
      ? []
      : memory.memories({
          agents: slugsOf(await formerNames(context), slug),
          types: ['learning'],
          limit: LIMITS.memories,
        }),
    memory.decisions({ status: 'active', limit: LIMITS.decisionsActive }),
  ]);
  return briefingOf(learnings, decisions);
}
