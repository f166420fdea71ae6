import path from 'node:path';
import type { EventDraft } from '#core/graph/event.js';
import type { GraphView } from '#core/graph/view.js';
import { FORMATIONS } from '#core/playbooks/formation.js';
import { newRowOf } from '#core/playbooks/line-up.js';
import type { FormationRecord } from '#core/playbooks/record.js';
import { afterScores, workScores } from '#core/playbooks/scored-work.js';
import type { Lane } from '#core/roles/lane.js';
import { mintRow } from '#core/roles/lane-edit.js';
import { laneFile, logFile } from '#core/roles/role-paths.js';
import { endRun, type RowOutcome, type StatusChange, withLogEntry } from '#core/roles/run-end.js';
import type { LaneWriter } from '#core/roles/writers.js';
import type { WorkContext } from '#operations/contexts.js';
import { changeRoles } from '#operations/roles/change-roles.js';
import { moverOf } from '#operations/shapes.js';

/** Updates of a lane by the runs of its formation. */
export interface LaneRecord {
  /** On acceptance of a line-up: adds rows for new seats, and counts cut ones. */
  accept(context: WorkContext, record: FormationRecord): Promise<void>;
  /** At the end of a run: writes its log entry, and counts it for its rows. Idempotent. */
  keep(context: WorkContext, view: GraphView, record: FormationRecord): Promise<void>;
}

/** Adds a row for each new seat, and counts each cut one. The folder is created only if there is something to write. */
export async function acceptSeats<L extends Lane>(
  context: WorkContext,
  writer: LaneWriter<L>,
  record: FormationRecord,
  cut: readonly RowOutcome[],
): Promise<void> {
  const { lane } = FORMATIONS[record.formation];
  const file = laneFile(lane);
  const run = `${record.run}-cut`;
  const { name: actor } = moverOf(context);
  const request = cut.length > 0 ? { requestId: `roles-run:${lane}:${run}` } : {};
  await changeRoles(context, writer, request, ({ texts }) => {
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
    const mint = { op: 'roles_mint', actor, detail: { lane, run: record.run, roles: minted }, patch: [] };
    return {
      texts: new Map(text === undefined ? [] : [[file, text]]),
      events: [
        ...(minted.length > 0 ? [mint] : []),
        ...(ended === undefined ? [] : [runEvent(actor, { lane, run }, cut, ended.news.changes)]),
      ],
      result: undefined,
    };
  });
}

/** Event for a run counted by rows. */
function runEvent(
  actor: string,
  { lane, run }: { readonly lane: Lane; readonly run: string },
  rows: readonly RowOutcome[],
  changes: readonly StatusChange[],
): EventDraft {
  const detail = {
    lane,
    run,
    changes: changes.map(({ name, from, to, why }) => ({ name, from, to, why })),
    results: rows.map(({ name, result }) => ({ name, result })),
  };
  return { op: 'roles_run', actor, detail, patch: [] };
}

/** Counts a run for the rows of its lane, with the scores of its work, and appends its log entry. */
export async function keepOutcomes<L extends Lane>(
  context: WorkContext,
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
  const { name: actor } = moverOf(context);
  // The request id keeps this idempotent, even if it is repeated after a crash.
  const request = { requestId: `roles-run:${lane}:${record.run}` };
  await changeRoles(context, writer, request, ({ texts }) => {
    const [source, logged] = [texts.get(file), texts.get(log)];
    const ended =
      source === undefined ? undefined : endRun(lane, source, { run: record.run, date: record.at.slice(0, 10), rows });
    // An existing entry of this run is not repeated, even if others follow it.
    const told = logged?.includes(`## ${record.run} `) === true;
    const next = told
      ? undefined
      : withLogEntry(logged, entry(logged ?? '', path.basename(context.projectFolder), rows));
    return {
      texts: new Map([
        ...(ended === undefined ? [] : [[file, ended.text] as const]),
        ...(next === undefined ? [] : [[log, next] as const]),
      ]),
      events: [runEvent(actor, { lane, run: record.run }, rows, ended?.news.changes ?? [])],
      result: undefined,
    };
  });
}
