import type { Compiled } from '#core/playbooks/formation.js';
import { editedNames, type LineUpEdit } from '#core/playbooks/line-up.js';
import { compilePanel, PANEL_STYLES, seatsNamed } from '#core/playbooks/panel.js';
import type { FormationRecord } from '#core/playbooks/record.js';
import { compileSweep, namedSweep } from '#core/playbooks/sweep.js';
import { partitionIn, partitionText } from '#core/playbooks/sweep-steps.js';
import type { MachineContext, TeamContext } from '#operations/contexts.js';
import { loadRoles } from '#operations/roles/load-roles.js';
import { seatRecordOf } from './panel.js';
import { withNextStage } from './stages.js';
import { tiersInUse } from './tiers-in-use.js';

/** A panel or sweep with an edited line-up, before it is accepted. */
export async function editedLine(
  context: TeamContext & MachineContext,
  before: FormationRecord,
  edit: LineUpEdit,
): Promise<{ readonly record: FormationRecord; readonly compiled: Compiled }> {
  const registry = await loadRoles(context);
  const names = editedNames(before.seats, edit);
  const { run, goal, options } = before;
  const tiers = await tiersInUse(context);
  if (before.formation === 'sweep') {
    const { seats, partition } = namedSweep(registry, names, partitionIn(before));
    const kept = { ...before.kept, partition: partitionText(partition) };
    const record = { ...before, kept, seats: seats.map((seat) => seatRecordOf(seat, tiers[0])) };
    return { record, compiled: withNextStage(compileSweep(goal, seats, { run, partition, tiers }), record) };
  }
  const seats = seatsNamed(registry, names);
  const style = PANEL_STYLES.find((one) => one === options['style']) ?? 'swarm';
  const record = { ...before, seats: seats.map((seat) => seatRecordOf(seat, tiers[0])) };
  const compiled = compilePanel(goal, seats, { run, style, rounds: Number(options['rounds'] ?? '1'), tiers });
  return { record, compiled: withNextStage(compiled, record) };
}
