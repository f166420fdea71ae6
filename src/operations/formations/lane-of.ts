import type { FormationKind } from '#core/formations/formation.js';
import type { LaneRecord } from './lane-record.js';

/** Each by its own writer, in a file of its own. */
const LANE_RECORDS: Readonly<Record<FormationKind, () => Promise<LaneRecord>>> = {
  crew: () => import('./crew-lane.js').then((module) => module.CREW_LANE),
  panel: async () => NO_LANE,
  sweep: async () => NO_LANE,
};

/** Of runs that nobody counts. */
const NO_LANE: LaneRecord = { accept: async () => undefined, keep: async () => undefined };

export async function laneOf(kind: FormationKind): Promise<LaneRecord> {
  return await LANE_RECORDS[kind]();
}
