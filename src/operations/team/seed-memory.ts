import type { ConfirmResult } from '#core/team/confirm.js';
import type { NewMemory, NewWorkSession } from '#core/team/memory.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import type { Context } from '#operations/operation.js';
import { callerName } from './memories.js';
import { changeMemory } from './shared-memory.js';
import { type MemberAnswer, memberAnswer } from './team-shapes.js';

export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** What was confirmed as it is answered. */
type Seeded<Confirmed> = Omit<Confirmed, 'members'> & {
  readonly members: readonly MemberAnswer[];
  readonly warnings: readonly Warning[];
};

/**
 * What a cast leaves in the memory: for each new member its charter, once for each text of it, and a session if none is open.
 * The team stands already: what goes wrong here is said with the answer and undoes nothing.
 */
export async function withSeeds<Confirmed extends ConfirmResult>(
  context: Context,
  confirmed: Confirmed,
): Promise<Seeded<Confirmed>> {
  const answer = { ...confirmed, members: confirmed.members.map(memberAnswer) };
  try {
    const memories = await charterMemories(context, confirmed);
    await changeMemory(context, (memory) => memory.seed(memories, firstSession(context, confirmed)));
    return { ...answer, warnings: [] };
  } catch (error) {
    const reason = error instanceof TroupeError ? error.message : 'Something inside Troupe went wrong.';
    const message = `The team was cast, but its memory could not be created: ${reason}`;
    return { ...answer, warnings: [{ code: 'memory_not_seeded', message }] };
  }
}

async function charterMemories(context: Context, { added, members }: ConfirmResult): Promise<NewMemory[]> {
  const squad = await context.squad();
  const names = new Set(added);
  const memories: NewMemory[] = [];
  for (const member of members) {
    if (member.builtIn || !names.has(member.name)) continue;
    const charter = await squad.charter(member.name);
    if (charter === undefined) continue;
    memories.push({
      ...{ source: `charter:${member.slug}:${sha256(charter)}`, agent: member.slug },
      ...{ type: 'core_context', importance: 'high', content: charter.trim() },
      ...{ created_by: callerName(context), created_at: context.clock.now() },
    });
  }
  return memories;
}

/** Its source is the proposal: confirming again does not begin what was ended since. */
function firstSession(context: Context, { proposal_id }: ConfirmResult): NewWorkSession {
  const origin = { started_by: callerName(context), started_at: context.clock.now() };
  return { source: `cast:${proposal_id}`, focus: 'The team has just been cast', context: '', ...origin };
}
