import path from 'node:path';
import { FORMATIONS } from '#core/formations/formation.js';
import type { FormationRecord } from '#core/formations/record.js';
import type { GraphView } from '#core/graph/view.js';
import type { Lane, RoleRegistry } from '#core/lanes/lane.js';
import { mintRow } from '#core/lanes/lane-edit.js';
import { readRoles } from '#core/lanes/registry.js';
import { laneFile, logFile } from '#core/lanes/role-paths.js';
import { endRun, type RowOutcome, withLogEntry } from '#core/lanes/run-end.js';
import type { LaneWriter } from '#core/lanes/writers.js';
import type { Context } from '#operations/operation.js';

/** What the lane of a formation is told of its runs. */
export interface LaneRecord {
  /** The line-up is accepted: new seats get rows, and what was cut is counted. */
  accept(context: Context, record: FormationRecord): Promise<void>;
  /** The run is over: its entry in the log, and what it counts for its rows. Telling it twice counts once. */
  keep(context: Context, view: GraphView, record: FormationRecord): Promise<void>;
}

/** The roles there are; a repository without any has none, and nothing is made by looking. */
export async function rolesOf(context: Context): Promise<RoleRegistry> {
  const { texts, problems } = await (await context.roleFiles()).read();
  return readRoles(texts, problems);
}

/** A row for each new seat, and a count for each that was cut. The folder is made only where there is something to write. */
export async function acceptSeats<L extends Lane>(
  context: Context,
  writer: LaneWriter<L>,
  record: FormationRecord,
  cut: readonly RowOutcome[],
): Promise<void> {
  const { lane } = FORMATIONS[record.formation];
  const file = laneFile(lane);
  await (await context.roleFiles()).write(writer, (texts) => {
    let text = texts.get(file);
    for (const { name, charter, core, tools } of record.seats.filter(({ minted }) => minted === true)) {
      const fields = {
        ...(core === undefined ? {} : { role: core }),
        ...(tools === undefined ? {} : { tools }),
        ...(lane === 'crew' && charter !== undefined ? { owns: charter } : {}),
      };
      text = mintRow(lane, text, { name, charter: charter ?? name, fields }).text;
    }
    if (cut.length > 0 && text !== undefined)
      text = endRun(lane, text, { run: `${record.run}-cut`, date: record.at.slice(0, 10), rows: cut }).text;
    const changed = text !== undefined && text !== texts.get(file);
    return { texts: new Map(changed ? [[file, text as string]] : []), result: undefined };
  });
}

/** What a run counts for the rows of its lane, and its entry at the end of the log. */
export async function keepOutcomes<L extends Lane>(
  context: Context,
  writer: LaneWriter<L>,
  record: FormationRecord,
  rows: readonly RowOutcome[],
  entry: (log: string, repository: string) => string,
): Promise<void> {
  const { lane } = FORMATIONS[record.formation];
  const [file, log] = [laneFile(lane), logFile(lane)];
  await (await context.roleFiles()).write(writer, (texts) => {
    const [source, logged] = [texts.get(file), texts.get(log)];
    const ended =
      source === undefined
        ? undefined
        : endRun(lane, source, { run: record.run, date: record.at.slice(0, 10), rows }).text;
    // An entry of this run that stands there is not written again, also where something else followed it since.
    const told = logged?.includes(`## ${record.run} `) === true;
    const next = told ? undefined : withLogEntry(logged, entry(logged ?? '', path.basename(context.projectFolder)));
    return {
      texts: new Map([
        ...(ended === undefined || ended === source ? [] : [[file, ended] as const]),
        ...(next === undefined || next === logged ? [] : [[log, next] as const]),
      ]),
      result: undefined,
    };
  });
}
