// Chooses the occupant of a seat: pinned by its row, a member of the team, an agent with good scores, or a new pair.
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
  /** Active team; undefined if none was cast. */
  readonly team: CastTeam | undefined;
}

/** Occupant of a seat, with the reason. */
export type Occupant =
  | { readonly by: 'pin' | 'score'; readonly agent: Agent }
  | { readonly by: 'pin' | 'archetype'; readonly member: CastMember }
  /** None yet: an agent of the core role and this trade-off has to be created. */
  | { readonly by: 'default'; readonly tradeoff: Tradeoff }
  /** A row without a core role, or an agency without trade-offs: the client of the settings runs without an agent. */
  | { readonly by: 'nobody' };

/**
 * Chooses the agent or member that the row pins; else a team member whose archetype has the name of the core role; else
 * the agent of that role with the best score; else the role with the balanced trade-off. Ties go to the smallest id. A
 * pin that matches nothing is ignored.
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

/** Model of a seat, from its row. */
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

/** Active members by id, which makes the first match the one with the smallest id. */
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
