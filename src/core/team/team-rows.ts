import { memberIdOf, type Registry, type RegistryRecord } from './registry.js';
import { inTeamOrder, leaderOf } from './team.js';
import { type CastHistory, firstSnapshot } from './team-history.js';

/** The team that was cast is one among the teams of `teams.db`: this one. */
export const CAST_SLUG = 'squad';

export interface TeamRow {
  readonly id: string;
  readonly name: string;
  readonly castSlug: string;
  /** Milliseconds since 1970, as all times here. */
  readonly createdAt: number;
}

export interface MemberRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly position: 'leader' | 'member' | 'observer';
  readonly status: 'active' | 'removed';
  /** Of the agency. */
  readonly agent: string | null;
  readonly joinedAt: number;
  readonly leftAt: number | null;
}

export interface TeamRows {
  readonly team: TeamRow;
  readonly members: readonly MemberRow[];
}

/**
 * What `teams.db` holds of the team that was cast: it follows from the events alone, so a lost one is made again with the same
 * ids. Undefined when nobody was ever cast.
 */
export function teamRowsOf(project: string, registry: Registry, history: CastHistory): TeamRows | undefined {
  if (registry.records.length === 0) return undefined;
  const leader = leaderOf(registry, history);
  const members = new Map<string, MemberRow>();
  for (const record of inTeamOrder(registry.records)) {
    // Whoever was renamed has two records and one id: the one that is active comes first.
    if (members.has(record.memberId)) continue;
    members.set(record.memberId, rowOf(record, leader));
  }
  const first = firstSnapshot(history)?.createdAt ?? registry.records[0]?.createdAt;
  const team = { id: memberIdOf(CAST_SLUG), name: project, castSlug: CAST_SLUG, createdAt: moment(first) ?? 0 };
  return { team, members: [...members.values()] };
}

function rowOf(record: RegistryRecord, leader: string): MemberRow {
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
    joinedAt,
    leftAt: active ? null : (moment(record.retiredAt) ?? moment(record.at) ?? joinedAt),
  };
}

function moment(time: string | undefined): number | undefined {
  const parsed = Date.parse(time ?? '');
  return Number.isNaN(parsed) ? undefined : parsed;
}
