import * as z from 'zod/mini';
import {
  leaderOf,
  MEMBER_STATUSES,
  POSITIONS,
  TEAM_STATUSES,
  type Team,
  type TeamMember,
  type TeamSummary,
} from '#core/teams/team.js';
import { TEAM_EVENT_KINDS, type TeamEvent } from '#core/teams/team-events.js';
import { timestamp } from '#kernel/clock.js';

const teamMemberShape = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  position: z.enum(POSITIONS),
  status: z.enum(MEMBER_STATUSES),
  agent: z.nullable(z.string()),
  person: z.nullable(z.string()),
  joined_at: z.string(),
  left_at: z.nullable(z.string()),
});

const common = {
  id: z.string(),
  name: z.string(),
  /** Whether the name is a placeholder. */
  name_auto: z.boolean(),
  description: z.string(),
  status: z.enum(TEAM_STATUSES),
  mesh: z.boolean(),
  cast: z.boolean(),
  created_at: z.string(),
  ended_at: z.nullable(z.string()),
  /** Null if the team has no leader. */
  leader: z.nullable(z.string()),
};

export const storedTeamShape = z.object({ ...common, members: z.readonly(z.array(teamMemberShape)) });
export const teamSummaryShape = z.object({ ...common, size: z.number() });
export const changedTeamShape = z.object({ changed: z.boolean(), team: storedTeamShape });
export const changedMemberShape = z.object({ ...changedTeamShape.shape, member: teamMemberShape });
export const eventShape = z.object({
  seq: z.number(),
  kind: z.enum(TEAM_EVENT_KINDS),
  at: z.string(),
  by: z.nullable(z.string()),
  payload: z.record(z.string(), z.unknown()),
});

export function teamRow({ members, ...team }: Team): z.infer<typeof storedTeamShape> {
  return { ...commonOf({ ...team, leader: leaderOf({ members })?.name ?? null }), members: members.map(memberRow) };
}

export function summaryRow(summary: TeamSummary): z.infer<typeof teamSummaryShape> {
  return { ...commonOf(summary), size: summary.size };
}

export function memberRow({ joinedAt, leftAt, ...member }: TeamMember): z.infer<typeof teamMemberShape> {
  return { ...member, joined_at: timestamp(joinedAt), left_at: leftAt === null ? null : timestamp(leftAt) };
}

export function eventRow({ seq, kind, at, by, payload }: TeamEvent): z.infer<typeof eventShape> {
  return { seq, kind, at: timestamp(at), by, payload: { ...payload } };
}

function commonOf(team: Omit<TeamSummary, 'size'>) {
  const { id, name, nameAuto, description, status, mesh, cast, createdAt, endedAt, leader } = team;
  return {
    id,
    name,
    name_auto: nameAuto,
    description,
    status,
    mesh,
    cast,
    leader,
    created_at: timestamp(createdAt),
    ended_at: endedAt === null ? null : timestamp(endedAt),
  };
}
