import type { Agency } from '#core/agency/agency.js';
import type { Entity, Role, Tradeoff } from '#core/agency/entities.js';
import { type Maker, newAgent } from '#core/agency/entity-edits.js';
import { agentText, idOf } from '#core/agency/entity-text.js';
import { pairOf } from '#core/agency/pairing.js';
import { GENERIC } from '#core/agency/starters.js';
import { linkedRole } from '#core/roles/agency-link.js';
import type { CoreRole, LaneRow } from '#core/roles/lane.js';
import { type Occupant, occupantOf } from '#core/roles/seat.js';
import { readableTeam } from '#operations/agency/assignee.js';
import { changeAgency } from '#operations/agency/open.js';
import { agencyEvent, makerOf } from '#operations/agency/shapes.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { loadSettings } from '#operations/load-settings.js';

/** Occupant of a seat's task: an agent by id, a member by name, or neither. */
export interface SeatAssignment {
  readonly agent?: string;
  readonly member?: string;
}

/**
 * Fills seats: core roles unknown to the agency are added as roles, and each seat's agent is found or created.
 * Idempotent. A pair that was retired gets no new agent.
 */
export async function fillSeats(
  context: WorkContext & MachineContext,
  seats: readonly { readonly row: LaneRow | undefined; readonly core: CoreRole | undefined }[],
): Promise<SeatAssignment[]> {
  const [team, maker] = [await readableTeam(context), await makerOf(context)];
  const { executor } = (await loadSettings(context)).settings.coordinator;
  const { result } = await changeAgency({ ...context, request: {} }, (before) => {
    let agency: Agency = before;
    const entities: Entity[] = [];
    const add = (...made: readonly Entity[]) => {
      entities.push(...made);
      agency = agency.with(made);
    };
    const filled = seats.map(({ row, core }) => {
      const linked = core && linkedRole(agency, core, maker);
      if (linked?.made) add(linked.role);
      const occupant = occupantOf(row, core, { agency, team });
      if (occupant.by !== 'default' || !linked) return assignmentOf(occupant);
      if (isOutOfUse(agency, linked.role, occupant.tradeoff)) return {};
      const agent = pairWith(agency, linked.role, occupant, { executor, maker });
      add(agent);
      return { agent: agent.id };
    });
    return { entities, events: entities.map((entity) => agencyEvent(context, 'agency_add', entity)), result: filled };
  });
  return result;
}

function assignmentOf(occupant: Occupant): SeatAssignment {
  if ('agent' in occupant) return { agent: occupant.agent.id };
  return 'member' in occupant ? { member: occupant.member.name } : {};
}

/** Whether the role or this pair was retired: then no agent is created automatically. */
function isOutOfUse(agency: Agency, role: Role, tradeoff: Tradeoff): boolean {
  return role.retired === true || agency.agent(idOf(agentText(role.id, tradeoff.id))) !== undefined;
}

/** A new agent of the seat's role and trade-off, with the project's client. */
function pairWith(
  agency: Agency,
  role: Role,
  { tradeoff }: Extract<Occupant, { by: 'default' }>,
  { executor, maker }: { executor: string; maker: Maker },
) {
  const own = executor === 'shell' ? GENERIC : { ...GENERIC, executor };
  return newAgent(agency, { ...own, ...pairOf(agency, role, tradeoff) }, false, maker);
}
