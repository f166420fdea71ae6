import * as z from 'zod/mini';
import { type MemberOfTask, memberRecord } from '#core/casting/track-record.js';
import type { CastMember } from '#core/squad/team.js';
import { graphIfAny } from '#operations/graph-if-any.js';
import { loadAgency } from '#operations/load-agency.js';
import type { Context } from '#operations/operation.js';
import { memberAnswer, memberShape } from './team-shapes.js';

/** A member with the mean score of its tasks (null without scores) and the number of scores. */
export const scoredMemberShape = z.extend(memberShape, { score: z.nullable(z.number()), count: z.number() });

export type ScoredMember = z.infer<typeof scoredMemberShape>;

/**
 * Adds scores to members, as every surface shows them. `team`: all members that may share an agent with one of them.
 */
export async function scoredMembers(
  context: Context,
  members: readonly CastMember[],
  team: readonly CastMember[],
): Promise<ScoredMember[]> {
  const agency = await loadAgency(context);
  const hasScores = members.some(({ agentId }) => (agency.agent(agentId ?? '')?.performance.task_count ?? 0) > 0);
  const view = hasScores ? await (await graphIfAny(context))?.view() : undefined;
  const doer: MemberOfTask = (id) => {
    const task = view?.task(id);
    return task && (task.member ?? null);
  };
  return members.map((member) => ({ ...memberAnswer(member), ...memberRecord(agency, member, team, doer) }));
}
