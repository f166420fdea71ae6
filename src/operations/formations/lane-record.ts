import path from 'node:path';
import { FORMATIONS } from '#core/formations/formation.js';
import { newRowOf } from '#core/formations/line-up.js';
import type { FormationRecord } from '#core/formations/record.js';
import { afterScores, workScores } from '#core/formations/scored-work.js';
import type { GraphView } from '#core/graph/view.js';
import type { Lane } from '#core/lanes/lane.js';
import { mintRow } from '#core/lanes/lane-edit.js';
import { laneFile, logFile } from '#core/lanes/role-paths.js';
import { endRun, type RowOutcome, type StatusChange, withLogEntry } from '#core/lanes/run-end.js';
import type { LaneWriter } from '#core/lanes/writers.js';
import { tell } from '#operations/lanes/role-events.js';
import type { Context } from '#operations/operation.js';

/** What the lane of a formation is told of its runs. */
export interface LaneRecord {
  /** The line-up is accepted: new seats get rows, and what was cut is counted. */
  accept(context: Context, record: FormationRecord): Promise<void>;
  /** The run is over: its entry in the log, and what it counts for its rows. Telling it twice counts once. */
  keep(context: Context, view: GraphView, record: FormationRecord): Promise<void>;
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
  const run = `${record.run}-cut`;
  const news = await (await context.roleFiles()).write(writer, (texts) => {
    let text = texts.get(file);
    const minted: string[] = [];
    for (const seat of record.seats.filter((one) => one.minted === true)) {
      const row = mintRow(lane, text, newRowOf(lane, seat));
      text = row.text;
      if (row.minted) minted.push(seat.name);
    }
    const ended =
      cut.length > 0 && text !== undefined
        ? endRun(lane, text, { run, date: record.at.slice(0, 10), rows: cut })
        : undefined;
    text = ended?.text ?? text;
    const changed = text !== undefined && text !== texts.get(file);
    return {
      texts: new Map(changed ? [[file, text as string]] : []),
      result: { minted, changes: ended?.news.changes },
    };
  });
  if (news.minted.length > 0) await tell(context, 'roles_mint', { lane, run: record.run, roles: news.minted });
  if (news.changes)
    await tell(context, 'roles_run', runDetail(lane, run, cut, news.changes), `roles-run:${lane}:${run}`);
}

/** What the log of the graph keeps of a run that rows counted. */
const runDetail = (lane: Lane, run: string, rows: readonly RowOutcome[], changes: readonly StatusChange[]) => ({
  ...{ lane, run, changes: changes.map(({ name, from, to, why }) => ({ name, from, to, why })) },
  results: rows.map(({ name, result }) => ({ name, result })),
});

/** What a run counts for the rows of its lane, with what its work was scored, and its entry at the end of the log. */
export async function keepOutcomes<L extends Lane>(
  context: Context,
  writer: LaneWriter<L>,
  record: FormationRecord,
  outcomes: readonly RowOutcome[],
  entry: (log: string, repository: string, rows: readonly RowOutcome[]) => string,
): Promise<void> {
  const view = await (await context.graph()).view();
  const { records } = await (await context.traceFiles()).evaluations();
  const rows = afterScores(view, record, outcomes, workScores(records, view));
  const { lane } = FORMATIONS[record.formation];
  const [file, log] = [laneFile(lane), logFile(lane)];
  const changes = await (await context.roleFiles()).write(writer, (texts) => {
    const [source, logged] = [texts.get(file), texts.get(log)];
    const ended =
      source === undefined ? undefined : endRun(lane, source, { run: record.run, date: record.at.slice(0, 10), rows });
    // An entry of this run that stands there is not written again, also where something else followed it since.
    const told = logged?.includes(`## ${record.run} `) === true;
    const next = told
      ? undefined
      : withLogEntry(logged, entry(logged ?? '', path.basename(context.projectFolder), rows));
    return {
      texts: new Map([
        ...(ended === undefined || ended.text === source ? [] : [[file, ended.text] as const]),
        ...(next === undefined || next === logged ? [] : [[log, next] as const]),
      ]),
      result: ended?.news.changes ?? [],
    };
  });
  // Told once, also where it is kept again after a crash.
  await tell(context, 'roles_run', runDetail(lane, record.run, rows, changes), `roles-run:${lane}:${record.run}`);
}
