import * as z from 'zod/mini';
import { skillParts } from '#core/agency/entity-text.js';
import { type MemberOfTask, memberRecord } from '#core/casting/track-record.js';
import { CONTEXT_SCOPES, EXEC_MODES } from '#core/graph/task.js';
import type { CastMember } from '#core/squad/team.js';
import { graphIfAny } from '#operations/graph-if-any.js';
import { loadAgency } from '#operations/load-agency.js';
import type { Context } from '#operations/operation.js';
import { text } from '#operations/shapes.js';
import { memberAnswer, memberShape } from './team-shapes.js';

/** A member with the mean score of its tasks (null without scores) and the number of scores. */
export const scoredMemberShape = z.extend(memberShape, { score: z.nullable(z.number()), count: z.number() });

export type ScoredMember = z.infer<typeof scoredMemberShape>;

/**
 * Adds scores to members, as every surface shows them. `team`: all members that may share an agent with one of them.
 */
export async function scoredMembers(
  context: Pick<Context, 'graph' | 'agency'>,
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

/** The way in which a member works: its agent, as role and trade-off. */
export const workingWayShape = z.object({
  agent: z.string(),
  role: z.nullable(z.string()),
  tradeoff: z.nullable(z.string()),
  skills: z.array(z.string()),
  /** Tools of its attempts, and how much context they get, unless a task says otherwise. */
  exec_mode: z.enum(EXEC_MODES),
  context_scope: z.optional(z.enum(CONTEXT_SCOPES)),
  executor: z.string(),
  model: text,
});

/** Null for a member that has no agent yet. */
export async function workingWayOf(
  context: Pick<Context, 'graph' | 'agency'>,
  { agentId }: Pick<CastMember, 'agentId'>,
): Promise<z.infer<typeof workingWayShape> | null> {
  const agency = agentId === undefined ? undefined : await loadAgency(context);
  const agent = agency?.agent(agentId ?? '');
  if (agency === undefined || agent === undefined) return null;
  const role = agency.role(agent.role_id);
  return {
    agent: agent.name,
    role: role?.name ?? null,
    tradeoff: agency.tradeoff(agent.tradeoff_id)?.name ?? null,
    skills: (role?.skills ?? []).map((skill) => skillParts(skill).text),
    exec_mode: role?.default_exec_mode ?? 'full',
    ...(role?.default_context_scope === undefined ? {} : { context_scope: role.default_context_scope }),
    executor: agent.executor,
    ...(agent.preferred_model === undefined ? {} : { model: agent.preferred_model }),
  };
}
