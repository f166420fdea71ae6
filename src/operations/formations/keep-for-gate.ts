import { gateRecordText } from '#core/playbooks/gate-record.js';
import type { FormationRecord } from '#core/playbooks/record.js';
import type { GraphContext, MachineContext } from '#operations/contexts.js';
import { tiersInUse } from './tiers-in-use.js';

/**
 * Writes the gate record of a crew, for places without access to the graph. It is derived: after a crash before the
 * write, the gate assumes the default line.
 */
export async function keepForGate(context: GraphContext & MachineContext, record: FormationRecord): Promise<void> {
  if (record.formation !== 'crew') return;
  await (await context.formationFiles()).keepGateRecord(record.run, gateRecordText(record, await tiersInUse(context)));
}
