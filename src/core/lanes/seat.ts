// Who takes a seat: whoever its row names, a member of the team, an agent that is known to be good, or a new pair.
import type { Agency } from '#core/agency/agency.js';
import type { Agent, Tradeoff } from '#core/agency/entities.js';
import { averageOf } from '#core/agency/match.js';
import { middleOf } from '#core/agency/pairing.js';
import type { CastMember, CastTeam } from '#core/squad/team.js';
import { compareText } from '#kernel/order.js';
import { agencyRoleId } from './agency-link.js';
import type { CoreRole, LaneRow } from './lane.js';

export interface SeatSources {
  readonly agency: Agency;
  /** The active team; undefined where nobody was cast. */
  readonly team: CastTeam | undefined;
}

/** Who sits there, and why. */
export type Occupant =
  | { readonly by: 'pin' | 'score'; readonly agent: Agent }
  | { readonly by: 'pin' | 'archetype'; readonly member: CastMember }
  /** Nobody yet: an agent of the core role and this trade-off. */
  | { readonly by: 'default'; readonly tradeoff: Tradeoff }
  /** A row on its own, or an agency without a trade-off: whoever the settings start. */
  | { readonly by: 'nobody' };

/**
 * Who fills a seat: the agent or member its row names; else a member of the team whose archetype is called like the core role;
 * else the agent with that role and the best score; else the role with the middle trade-off. Of equals the one with the
 * smallest id. A pin that names nobody here counts as none.
 */
export function occupantOf(
  row: LaneRow | undefined,
  core: CoreRole | undefined,
  { agency, team }: SeatSources,
): Occupant {
  return (
    pinned(row, agency, team) ?? byArchetype(core, team) ?? byScore(core, agency) ?? byDefault(core, agency) ?? NOBODY
  );
}

const NOBODY = { by: 'nobody' } as const;

/** The model of a seat: what its row says. */
export function tierOf(row: LaneRow | undefined): string | undefined {
  return said(row, 'model');
}

function said(row: LaneRow | undefined, key: string): string | undefined {
  const value = row?.fields.get(key)?.trim() ?? '';
  return value === '' ? undefined : value;
}

function pinned(row: LaneRow | undefined, agency: Agency, team: CastTeam | undefined): Occupant | undefined {
  const [agentWord, memberWord] = [said(row, 'agent'), said(row, 'member')?.toLowerCase()];
  const agent =
    agentWord === undefined
      ? undefined
      : agency
          .working()
          .find(({ id, name }) => name === agentWord || (agentWord.length >= 8 && id.startsWith(agentWord)));
  if (agent) return { by: 'pin', agent };
  const member = activeMembers(team).find(({ name, slug }) => name.toLowerCase() === memberWord || slug === memberWord);
  return member && { by: 'pin', member };
}

function byArchetype(core: CoreRole | undefined, team: CastTeam | undefined): Occupant | undefined {
  const member = activeMembers(team).find(({ archetypeId }) => archetypeId !== '' && archetypeId === core?.name);
  return member && { by: 'archetype', member };
}

/** By id, so that the first that fits is the one with the smallest. */
function activeMembers(team: CastTeam | undefined): CastMember[] {
  const active = (team?.members ?? []).filter(({ status }) => status === 'Active');
  return active.sort((left, right) => compareText(left.memberId, right.memberId));
}

function byScore(core: CoreRole | undefined, agency: Agency): Occupant | undefined {
  const roleId = core && agencyRoleId(core);
  if (roleId === undefined) return undefined;
  const [first, ...rest] = agency.working().filter(({ role_id }) => role_id === roleId);
  if (!first) return undefined;
  return { by: 'score', agent: rest.reduce((best, one) => (averageOf(one) > averageOf(best) ? one : best), first) };
}

function byDefault(core: CoreRole | undefined, agency: Agency): Occupant | undefined {
  const tradeoff = middleOf(agency.all('tradeoff'));
  return core && tradeoff && agencyRoleId(core) !== undefined ? { by: 'default', tradeoff } : undefined;
}
