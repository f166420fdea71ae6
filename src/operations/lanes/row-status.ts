import type { Lane, RowStatus } from '#core/lanes/lane.js';
import { editRows } from '#core/lanes/lane-edit.js';
import { parseLane, usableRow } from '#core/lanes/lane-file.js';
import { REVIVED } from '#core/lanes/lane-life.js';
import { laneFile } from '#core/lanes/role-paths.js';
import { countsText } from '#core/lanes/run-counts.js';
import { CREW_WRITER, type LaneWriter, PANEL_WRITER, RESEARCH_WRITER } from '#core/lanes/writers.js';
import type { RoleFiles, RoleTexts } from '#ports/role-files.js';
import type { RoleEdit } from '#ports/role-records.js';

type StatusEdit = Extract<RoleEdit, { what: 'retire' | 'revive' }>;

const WRITERS: { readonly [L in Lane]: LaneWriter<L> } = {
  crew: CREW_WRITER,
  panel: PANEL_WRITER,
  research: RESEARCH_WRITER,
};

/** The file with another status of a row: only the bytes of that and of its counts differ. `role_not_found`, `bad_role_file` */
export function withRowStatus(texts: RoleTexts, { what, lane, role: name }: StatusEdit) {
  const text = texts.get(laneFile(lane)) ?? '';
  const from = statusIn(lane, text, name);
  const fields = FIELDS[what];
  const isThere = (what === 'retire') === (from === 'retired');
  const edited = isThere ? text : editRows(lane, text, [{ name, fields }]);
  return { text: edited, from, to: statusIn(lane, edited, name), changed: edited !== text };
}

const statusIn = (lane: Lane, text: string, name: string): RowStatus =>
  usableRow(lane, parseLane(lane, text), name).row.status;

const FIELDS: Readonly<Record<StatusEdit['what'], Readonly<Record<string, string>>>> = {
  retire: { status: 'retired' },
  revive: { status: REVIVED.status, runs: countsText(REVIVED.runs) },
};

export async function writeRowStatus(files: RoleFiles, edit: StatusEdit): Promise<void> {
  await files.write(WRITERS[edit.lane], (texts) => {
    const { text, changed } = withRowStatus(texts, edit);
    return { texts: new Map(changed ? [[laneFile(edit.lane), text]] : []), result: undefined };
  });
}
