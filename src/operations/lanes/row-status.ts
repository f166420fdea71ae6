import * as z from 'zod/mini';
import { LANES, type Lane, type LaneRow, ROW_STATUSES } from '#core/lanes/lane.js';
import { editRows } from '#core/lanes/lane-edit.js';
import { parseLane, usableRow } from '#core/lanes/lane-file.js';
import { REVIVED } from '#core/lanes/lane-life.js';
import { laneFile } from '#core/lanes/role-paths.js';
import { countsText } from '#core/lanes/run-counts.js';
import { CREW_WRITER, type LaneWriter, PANEL_WRITER, RESEARCH_WRITER } from '#core/lanes/writers.js';
import { type Context, operation } from '#operations/operation.js';
import { tell } from './role-events.js';

const WRITERS: { readonly [L in Lane]: LaneWriter<L> } = {
  crew: CREW_WRITER,
  panel: PANEL_WRITER,
  research: RESEARCH_WRITER,
};

const input = z.strictObject({ name: z.string(), lane: z.enum(LANES) });
const output = z.object({
  name: z.string(),
  lane: z.enum(LANES),
  status: z.enum(ROW_STATUSES),
  changed: z.boolean(),
  seq: z.number(),
});

/** Only the bytes of the two fields differ after it. */
async function setStatus(
  context: Context,
  { name, lane }: z.infer<typeof input>,
  op: string,
  fieldsOf: (row: LaneRow) => Readonly<Record<string, string>> | undefined,
) {
  const file = laneFile(lane);
  const result = await (await context.roleFiles()).write(WRITERS[lane], (texts) => {
    const text = texts.get(file) ?? '';
    const { row } = usableRow(lane, parseLane(lane, text), name);
    const fields = fieldsOf(row);
    const edited = fields === undefined ? text : editRows(lane, text, [{ name, fields }]);
    const changed = new Map(fields === undefined ? [] : [[file, edited]]);
    return { texts: changed, result: { from: row.status, changed: edited !== text } };
  });
  const { row } = usableRow(
    lane,
    parseLane(lane, (await (await context.roleFiles()).read()).texts.get(file) ?? ''),
    name,
  );
  const seq = result.changed ? await tell(context, op, { lane, role: name, from: result.from, to: row.status }) : 0;
  return { name, lane, status: row.status, changed: result.changed, seq };
}

export const revive = operation({
  name: 'roles.revive',
  input,
  output,
  run: (context, wish) =>
    setStatus(context, wish, 'roles_revive', ({ status }) =>
      status === 'retired' ? { status: REVIVED.status, runs: countsText(REVIVED.runs) } : undefined,
    ),
});

export const retire = operation({
  name: 'roles.retire',
  input,
  output,
  run: (context, wish) =>
    setStatus(context, wish, 'roles_retire', ({ status }) =>
      status === 'retired' ? undefined : { status: 'retired' },
    ),
});
