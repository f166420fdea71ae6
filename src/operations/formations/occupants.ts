import { FORMATIONS } from '#core/playbooks/formation.js';
import { coreOf } from '#core/playbooks/line-up.js';
import type { FormationRecord } from '#core/playbooks/record.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { fillSeats, type SeatAssignment } from '#operations/roles/fill-seat.js';
import { loadRoles } from '#operations/roles/load-roles.js';

/**
 * Occupants of a run's seats, by seat name. If no seat has a core role and no row pins an occupant, the agency is not
 * read: a formation works without one.
 */
export async function occupantsOf(
  context: WorkContext & MachineContext,
  { formation, seats }: FormationRecord,
): Promise<ReadonlyMap<string, SeatAssignment>> {
  const registry = await loadRoles(context);
  const rows = registry.rows[FORMATIONS[formation].lane];
  const asked = seats.flatMap(({ name }) => {
    const row = rows.find((one) => one.name === name);
    const core = row && coreOf(registry, row);
    const named = row?.fields.has('agent') === true || row?.fields.has('member') === true;
    return core !== undefined || named ? [{ name, row, core }] : [];
  });
  if (asked.length === 0) return new Map();
  const filled = await fillSeats(context, asked);
  return new Map(asked.map(({ name }, index) => [name, filled[index] ?? {}]));
}
