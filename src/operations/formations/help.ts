import { type Help, type Stuck, withSeat } from '#core/formations/climb.js';
import { rungFor } from '#core/formations/ladder.js';
import type { StumbleReport } from '#core/formations/record.js';
import { crewTalent } from '#core/formations/talent.js';
import { loadRoles } from '#operations/lanes/load-roles.js';
import type { Context } from '#operations/operation.js';
import { mintTakenSeats } from './crew-lane.js';
import { occupantsOf } from './occupants.js';

/**
 * The rung for a phase that is stuck, by the roles of the repository. A role that takes over has its row and its agent before the
 * rung is taken, so that the next prompt has them; made twice, they are there once.
 */
export async function findHelp(
  context: Context,
  { record, phase, report }: Stuck & { readonly report: StumbleReport },
  tiers: readonly string[],
): Promise<Help> {
  const talent = crewTalent(await loadRoles(context));
  const climb = rungFor(record, phase, report, { talent, tiers });
  if (climb.rung !== 're-role') return { climb, relief: {} };
  const { owner, seat } = climb;
  await mintTakenSeats(context, withSeat(record, phase, seat));
  const occupants = await occupantsOf(context, { ...record, seats: [seat] });
  return { climb, relief: occupants.get(owner) ?? {} };
}
