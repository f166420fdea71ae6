import type { FormationKind } from '#core/playbooks/formation.js';
import type { LaneRecord } from './lane-record.js';

/** Lane of each formation, loaded from its own file with its own writer. */
const LANE_RECORDS: Readonly<Record<FormationKind, () => Promise<LaneRecord>>> = {
  crew: () => import('./crew-lane.js').then((module) => module.CREW_LANE),
  panel: () => import('./panel-lane.js').then((module) => module.PANEL_LANE),
  sweep: () => import('./sweep-lane.js').then((module) => module.SWEEP_LANE),
};

export async function laneOf(kind: FormationKind): Promise<LaneRecord> {
  return await LANE_RECORDS[kind]();
}
