import { castMembers, type Registry, type RegistryRecord } from './registry.js';
import { alumniCharterPath, charterPath } from './squad-paths.js';
import type { CastHistory } from './team-history.js';
import { latestSnapshot } from './team-history.js';

export interface CastMember {
  readonly name: string;
  readonly slug: string;
  readonly memberId: string;
  /** Empty if another tool wrote the record without one. */
  readonly archetypeId: string;
  readonly roleTitle: string;
  readonly status: 'Active' | 'Retired';
  readonly builtIn: boolean;
  /** Relative to the project. */
  readonly charterPath: string;
  readonly defaultModel?: string;
  /** Id of its agent in the agency. */
  readonly agentId?: string;
}

export interface CastTeam {
  readonly project: string;
  readonly universe: string;
  /** Name of the active member that leads. */
  readonly leader: string;
  /** Cast members first, then built-in ones, then retired ones. */
  readonly members: readonly CastMember[];
}

/** Leader of a team in which no cast member leads. */
export const COORDINATOR = 'Coordinator';

/** Returns the team according to its events; undefined if no member was cast. */
export function teamOf(project: string, registry: Registry, history: CastHistory): CastTeam | undefined {
  if (castMembers(registry).length === 0) return undefined;
  const members = inTeamOrder(registry.records).map(castMember);
  return { project, universe: teamUniverse(registry, history) ?? '', leader: castLeader(registry, history), members };
}

/** Returns the universe of the team: that of the latest cast, else of its first member. */
export function teamUniverse(registry: Registry, history: CastHistory): string | undefined {
  return latestSnapshot(history)?.universe ?? castMembers(registry)[0]?.universe;
}

export function castLeader(registry: Registry, history: CastHistory): string {
  const named = latestSnapshot(history)?.leader?.toLowerCase();
  const leader = registry.records.find((record) => record.status === 'Active' && record.name.toLowerCase() === named);
  return leader?.name ?? COORDINATOR;
}

export function inTeamOrder(records: readonly RegistryRecord[]): RegistryRecord[] {
  const place = (record: RegistryRecord) => (record.status === 'Retired' ? 2 : record.builtIn === true ? 1 : 0);
  return [...records].sort((left, right) => place(left) - place(right));
}

export function castMember(record: RegistryRecord): CastMember {
  const own = charterPath(record.slug);
  // Another tool may have capitalised the folder of a member.
  const active = record.charterPath?.toLowerCase() === own ? record.charterPath : own;
  const path = record.status === 'Active' ? active : alumniCharterPath(record.slug);
  return {
    name: record.name,
    slug: record.slug,
    memberId: record.memberId,
    archetypeId: record.archetypeId ?? '',
    roleTitle: record.roleTitle ?? '',
    status: record.status,
    builtIn: record.builtIn === true,
    charterPath: path,
    ...(record.defaultModel === undefined ? {} : { defaultModel: record.defaultModel }),
    ...(record.agentId === undefined ? {} : { agentId: record.agentId }),
  };
}
