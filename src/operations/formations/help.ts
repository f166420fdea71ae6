import { type RungHelp, type StuckPhase, withSeat } from '#core/playbooks/climb.js';
import { rungFor } from '#core/playbooks/ladder.js';
import type { StumbleReport } from '#core/playbooks/record.js';
import { crewTalent } from '#core/playbooks/talent.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { loadRoles } from '#operations/roles/load-roles.js';
import { mintTakenSeats } from './crew-lane.js';
import { occupantsOf } from './occupants.js';

/**
 * Chooses the rung for a stuck phase from the roles of the repository. A role that takes over gets its row and agent
 * before the rung is taken, since the next prompt needs them. Idempotent.
 */
export async function findHelp(
  context: WorkContext & MachineContext,
  { record, phase, report }: StuckPhase & { readonly report: StumbleReport },
  tiers: readonly string[],
): Promise<RungHelp> {
  const talent = crewTalent(await loadRoles(context));
  const climb = rungFor(record, phase, report, { talent, tiers });
  if (climb.rung !== 're-role') return { climb, relief: {} };
  const { owner, seat } = climb;
  await mintTakenSeats(context, withSeat(record, phase, seat));
  const occupants = await occupantsOf(context, { ...record, seats: [seat] });
  return { climb, relief: occupants.get(owner) ?? {} };
}
