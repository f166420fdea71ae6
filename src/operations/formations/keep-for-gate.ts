import { gateRecordText } from '#core/formations/gate-record.js';
import type { FormationRecord } from '#core/formations/record.js';
import type { Context } from '#operations/operation.js';
import { tiersInUse } from './tiers-in-use.js';

/** What the gate of a crew has to know of it, where the graph is not read. Derived: whoever is killed before it leaves the usual line. */
export async function keepForGate(context: Context, record: FormationRecord): Promise<void> {
  if (record.formation !== 'crew') return;
  await (await context.formationFiles()).keepGateRecord(record.run, gateRecordText(record, await tiersInUse(context)));
}
