import type { Team, TeamMember, TeamReference } from '#core/teams/team.js';
import { slugOf } from '#kernel/slug.js';
import { memberIdOf, type Registry, type RegistryRecord } from './registry.js';
import { castLeader, inTeamOrder } from './team.js';
import { type CastHistory, firstSnapshot } from './team-history.js';

/** Slug of the cast team among the teams of `teams.db`. */
export const CAST_SLUG = 'squad';
export const CAST_TEAM = memberIdOf(CAST_SLUG);

/**
 * Returns the cast team as a stored team. It is derived from the events alone and can be recreated with the same ids.
 * Undefined if no member was ever cast.
 */
export function castTeamOf(project: string, registry: Registry, history: CastHistory): Team | undefined {
  if (registry.records.length === 0) return undefined;
  const leader = castLeader(registry, history);
  const members = new Map<string, TeamMember>();
  for (const record of inTeamOrder(registry.records)) {
    // A renamed member has two records with one id: the active record comes first.
    if (members.has(record.memberId)) continue;
    members.set(record.memberId, memberOf(record, leader));
  }
  const first = firstSnapshot(history)?.createdAt ?? registry.records[0]?.createdAt;
  return {
    id: CAST_TEAM,
    name: project,
    nameAuto: false,
    description: '',
    status: 'active',
    mesh: false,
    cast: true,
    createdAt: moment(first) ?? 0,
    endedAt: null,
    members: [...members.values()],
  };
}

/**
 * Returns the cast team as stored in `teams.db` after a change of its events. Data that the events lack is kept: paused
 * members, and members removed by checking out an older commit, to whom messages and work still refer. If another team
 * has the name, a number is appended.
 */
export function storedCastTeam(
  before: Team | undefined,
  cast: Team,
  { labels, now }: { readonly labels: readonly TeamReference[]; readonly now: number },
): Team {
  const were = new Map(before?.members.map((member) => [member.id, member]));
  const isPaused = ({ id, status }: TeamMember) => status === 'active' && were.get(id)?.status === 'paused';
  const members = cast.members.map((member) => (isPaused(member) ? { ...member, status: 'paused' as const } : member));
  const present = new Set(members.map(({ id }) => id));
  const gone = (before?.members ?? []).filter(({ id }) => !present.has(id));
  const left = gone.map((member) => ({ ...member, status: 'removed' as const, leftAt: member.leftAt ?? now }));
  const { description, mesh } = before ?? cast;
  return { ...cast, name: freeName(cast, labels), description, mesh, members: [...members, ...left] };
}

function freeName({ id, name }: Team, labels: readonly TeamReference[]): string {
  const others = labels.filter((label) => label.status === 'active' && label.id !== id);
  const taken = new Set(others.map((label) => slugOf(label.name)));
  let free = name;
  for (let number = 2; taken.has(slugOf(free)); number++) free = `${name} ${number}`;
  return free;
}

function memberOf(record: RegistryRecord, leader: string): TeamMember {
  const active = record.status === 'Active';
  const watches = record.builtIn === true && record.archetypeId === 'work-monitor';
  const joinedAt = moment(record.createdAt) ?? moment(record.at) ?? 0;
  return {
    id: record.memberId,
    name: record.name,
    slug: record.slug,
    position: active && record.name === leader ? 'leader' : watches ? 'observer' : 'member',
    status: active ? 'active' : 'removed',
    agent: record.agentId ?? null,
    person: null,
    joinedAt,
    leftAt: active ? null : (moment(record.retiredAt) ?? moment(record.at) ?? joinedAt),
  };
}

function moment(time = ''): number | undefined {
  const parsed = Date.parse(time);
  return Number.isNaN(parsed) ? undefined : parsed;
}
