import * as z from 'zod/mini';
import { DRIFTS } from '#core/casting/drift.js';
import { INTENTS } from '#core/casting/proposal.js';
import { MODEL_PROVIDERS } from '#core/settings/schema.js';
import { DIALECTS, LAYOUTS } from '#core/squad/layout.js';
import type { CastMember } from '#core/squad/team.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { option } from '#operations/fields.js';
import { text } from '#operations/shapes.js';

export const teamSize = z.optional(z.number().check(z.int(), z.gte(1), z.lte(TEAM_LIMITS.teamSizeMost)));

/** Inputs of every operation that may ask a model. */
export const modelInputs = {
  offline: option('Do not ask a model; choose by words and rules', z.optional(z.boolean())),
  provider: option('The provider of the model that chooses', z.optional(z.enum(MODEL_PROVIDERS)), { value: 'NAME' }),
  model: option(
    'The model that chooses',
    z.optional(z.string().check(z.minLength(1), z.maxLength(TEAM_LIMITS.settingCharacters))),
    { value: 'NAME' },
  ),
};

/** Inputs common to all ways of proposing a cast. */
export const proposalInputs = {
  universe: option('The universe of names', text, { value: 'NAME' }),
  seed: option('Seed that selects the universe; default: the project name', text, { value: 'TEXT' }),
  intent: option('The intent: new, augment or recast', text, { value: 'INTENT' }),
};

export const memberShape = z.object({
  name: z.string(),
  slug: z.string(),
  member_id: z.string(),
  archetype_id: z.string(),
  role_title: z.string(),
  status: z.enum(['Active', 'Retired']),
  built_in: z.boolean(),
  charter_path: z.string(),
  default_model: z.optional(z.string()),
  agent_id: z.optional(z.string()),
});

export type ShownMember = z.infer<typeof memberShape>;

/** Converts a member to its output form. */
export function memberAnswer(member: CastMember): ShownMember {
  const { defaultModel, agentId } = member;
  return {
    name: member.name,
    slug: member.slug,
    member_id: member.memberId,
    archetype_id: member.archetypeId,
    role_title: member.roleTitle,
    status: member.status,
    built_in: member.builtIn,
    charter_path: member.charterPath,
    ...(defaultModel === undefined ? {} : { default_model: defaultModel }),
    ...(agentId === undefined ? {} : { agent_id: agentId }),
  };
}

/** A problem that did not undo the operation. */
export const warningShape = z.object({ code: z.string(), message: z.string() });

const names = z.readonly(z.array(z.string()));

const confirmedShape = z.object({
  proposal_id: z.string(),
  snapshot_id: z.string(),
  intent: z.enum(INTENTS),
  universe: z.string(),
  leader: z.string(),
  added: names,
  retired: names,
  members: z.readonly(z.array(memberShape)),
  outside: names,
});

/** Result of a confirmation, with the released tasks of members who left. */
export const confirmedWithTasksShape = z.extend(confirmedShape, { tasks: names });

export const memberName = z.string();

export const changedMembersShape = z.object({
  member: memberShape,
  changed: z.boolean(),
  leader: z.string(),
  previous_name: z.optional(z.string()),
  outside: z.readonly(z.array(z.string())),
});

/** Result of a member change, with the tasks it affected. */
export const withTasksShape = z.object({ ...changedMembersShape.shape, tasks: z.readonly(z.array(z.string())) });

export const layoutShape = z.enum(LAYOUTS);
export const dialectShape = z.nullable(z.enum(DIALECTS));
export const driftShape = z.object({ kind: z.enum(DRIFTS), file: z.string(), message: z.string() });
export const paths = z.readonly(z.array(z.string()));
