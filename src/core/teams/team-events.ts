import type { MemberPosition, MemberStatus, Team, TeamMember } from './team.js';
import { presentMembers } from './team.js';

/** Events of the team's tasks, taken from the graph's log. */
export const TASK_EVENT_KINDS = [
  'task-created',
  'task-started',
  'task-submitted',
  'review-requested',
  'task-rejected',
  'task-completed',
  'task-failed',
  'task-cancelled',
  'task-reopened',
] as const;
export type TaskEventKind = (typeof TASK_EVENT_KINDS)[number];
export const TEAM_EVENT_KINDS = [
  'team-created',
  'team-renamed',
  'team-disbanded',
  'team-archived',
  'member-joined',
  'member-changed',
  'member-left',
  'strata-planning',
  'strata-minted',
  'strata-skipped',
  'strata-failed',
  'session-opened',
  'session-turn',
  'session-concluded',
  'session-deadlocked',
  'session-cancelled',
  'artifact-added',
  ...TASK_EVENT_KINDS,
] as const;
export type TeamEventKind = (typeof TEAM_EVENT_KINDS)[number];

/** Changed fields of a member who stays on the team, with their new values. */
export interface MemberChanges {
  readonly name?: string;
  readonly position?: MemberPosition;
  readonly status?: MemberStatus;
  readonly agent?: string | null;
  readonly person?: string | null;
}

/** A change of a team before it is stored. `by`: author of the change; null if it follows from the cast. */
export type NewTeamEvent = {
  readonly teamId: string;
  readonly at: number;
  readonly by: string | null;
} & (
  | { readonly kind: 'team-created'; readonly payload: { readonly name: string } }
  | { readonly kind: 'team-renamed'; readonly payload: { readonly from: string; readonly to: string } }
  | { readonly kind: 'team-disbanded' | 'team-archived'; readonly payload: Readonly<Record<string, never>> }
  | {
      readonly kind: 'member-joined';
      readonly payload: { readonly member_id: string; readonly name: string; readonly position: MemberPosition };
    }
  | {
      readonly kind: 'member-changed';
      readonly payload: { readonly member_id: string; readonly name: string; readonly changes: MemberChanges };
    }
  | { readonly kind: 'member-left'; readonly payload: { readonly member_id: string; readonly name: string } }
  | { readonly kind: 'strata-planning'; readonly payload: { readonly version: number; readonly tries: number } }
  | {
      readonly kind: `strata-${'minted' | 'skipped' | 'failed'}`;
      readonly payload: { readonly version: number; readonly tries: number; readonly sha256: string | null };
    }
  | {
      readonly kind: `session-${'opened' | 'turn' | 'concluded' | 'deadlocked' | 'cancelled'}`;
      readonly payload: { readonly session_id: string; readonly turn: number };
    }
  | {
      readonly kind: 'artifact-added';
      readonly payload: { readonly artifact: string; readonly name: string; readonly sha256: string };
    }
  | { readonly kind: TaskEventKind; readonly payload: { readonly task_id: string } & Readonly<Record<string, unknown>> }
);

/** A stored event. Its payload is untrusted data of its author. */
export interface TeamEvent {
  /** Counts all events of the project's teams. */
  readonly seq: number;
  readonly teamId: string;
  readonly kind: TeamEventKind;
  readonly at: number;
  readonly by: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * Returns the events for the difference between two states of a team. Because events derive from the difference only,
 * no change is missed, and a change retried after an unknown outcome is reported once.
 */
export function eventsBetween(
  before: Team | undefined,
  after: Team,
  { by, at }: { readonly by: string | null; readonly at: number },
): NewTeamEvent[] {
  const common = { teamId: after.id, at, by };
  const events: NewTeamEvent[] = [];
  if (!before) events.push({ ...common, kind: 'team-created', payload: { name: after.name } });
  else if (before.name !== after.name)
    events.push({ ...common, kind: 'team-renamed', payload: { from: before.name, to: after.name } });
  const were = new Map((before ? presentMembers(before) : []).map((member) => [member.id, member]));
  for (const member of after.members) {
    const was = were.get(member.id);
    const { id: member_id, name, position, status } = member;
    if (status === 'removed') {
      if (was) events.push({ ...common, kind: 'member-left', payload: { member_id, name } });
    } else if (was) {
      const changes = changesOf(was, member);
      if (Object.keys(changes).length > 0)
        events.push({ ...common, kind: 'member-changed', payload: { member_id, name: was.name, changes } });
    } else events.push({ ...common, kind: 'member-joined', payload: { member_id, name, position } });
  }
  if (before?.status !== after.status && after.status !== 'active')
    events.push({ ...common, kind: `team-${after.status}`, payload: {} });
  return events;
}

function changesOf(before: TeamMember, after: TeamMember): MemberChanges {
  const fields = ['name', 'position', 'status', 'agent', 'person'] as const;
  return Object.fromEntries(
    fields.filter((field) => before[field] !== after[field]).map((field) => [field, after[field]]),
  );
}
