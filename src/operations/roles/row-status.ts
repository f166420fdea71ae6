import type { Lane, RowStatus } from '#core/roles/lane.js';
import { editRows } from '#core/roles/lane-edit.js';
import { parseLane, usableRow } from '#core/roles/lane-file.js';
import { REVIVED } from '#core/roles/lane-life.js';
import { laneFile } from '#core/roles/role-paths.js';
import { countsText } from '#core/roles/run-counts.js';
import { CREW_WRITER, type LaneWriter, PANEL_WRITER, RESEARCH_WRITER } from '#core/roles/writers.js';
import type { RoleTexts } from '#ports/role-files.js';

/** New status for a row of a lane. */
export interface StatusEdit {
  readonly what: 'retire' | 'revive';
  readonly lane: Lane;
  readonly role: string;
}

const WRITERS: { readonly [L in Lane]: LaneWriter<L> } = {
  crew: CREW_WRITER,
  panel: PANEL_WRITER,
  research: RESEARCH_WRITER,
};

export const rowWriter = (lane: Lane): LaneWriter<Lane> => WRITERS[lane];

/**
 * The file with a new status of a row: only the bytes of the status and its counts change. Errors: `role_not_found`,
 * `bad_role_file`.
 */
export function statusEdited(texts: RoleTexts, { what, lane, role }: StatusEdit) {
  const before = texts.get(laneFile(lane)) ?? '';
  const from = statusIn(lane, before, role);
  if ((what === 'retire') === (from === 'retired')) return undefined;
  const after = editRows(lane, before, [{ name: role, fields: FIELDS[what] }]);
  if (after === before) return undefined;
  const detail = { lane, role, from, to: statusIn(lane, after, role) };
  return { texts: new Map([[laneFile(lane), after]]), detail };
}

/** Status of a row in its file. Errors: `role_not_found`, `bad_role_file`. */
export const statusOfRow = (texts: RoleTexts, lane: Lane, name: string): RowStatus =>
  statusIn(lane, texts.get(laneFile(lane)) ?? '', name);

const statusIn = (lane: Lane, text: string, name: string): RowStatus =>
  usableRow(lane, parseLane(lane, text), name).row.status;

const FIELDS: Readonly<Record<StatusEdit['what'], Readonly<Record<string, string>>>> = {
  retire: { status: 'retired' },
  revive: { status: REVIVED.status, runs: countsText(REVIVED.runs) },
};
