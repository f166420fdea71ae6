import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Lane, LaneRow, RowStatus } from './lane.js';
import { editRows, type RowEdit } from './lane-edit.js';
import { parseLane } from './lane-file.js';
import { afterRun, isUnwanted, type SeatResult } from './lane-life.js';
import { statusNote } from './lesson.js';
import { countsText } from './run-counts.js';

/** Result of one row in a run, with at most one lesson. */
export interface RowOutcome {
  readonly name: string;
  readonly result: SeatResult;
  readonly lesson?: string;
}

export interface LaneRun {
  /** Id of the run: each row counts it once, however often its end is reported. */
  readonly run: string;
  /** Such as `2026-03-01`. */
  readonly date: string;
  readonly rows: readonly RowOutcome[];
}

export interface StatusChange {
  readonly name: string;
  readonly from: RowStatus;
  readonly to: RowStatus;
  readonly why: string;
}

export interface LaneRunNews {
  /** Rows that counted the run with this call. */
  readonly counted: readonly string[];
  readonly changes: readonly StatusChange[];
  /** Rows that were cut so often that a person should retire them. */
  readonly unwanted: readonly string[];
  /** Rows that are missing, retired or invalid: they did not change. */
  readonly skipped: readonly string[];
}

/** Field with the runs a row has already counted, newest last. */
const COUNTED = 'counted';

/** Lane file after a run: counts, promotions, at most one lesson a row. Idempotent for the same run. */
export function endRun(lane: Lane, source: string, run: LaneRun): { text: string; news: LaneRunNews } {
  const rows = new Map(parseLane(lane, source).rows.flatMap(({ row }) => (row ? [[row.name, row] as const] : [])));
  const edits = new Map<string, RowEdit>();
  const skipped: string[] = [];
  const changes: StatusChange[] = [];
  const unwanted: string[] = [];
  for (const outcome of run.rows) {
    const row = rows.get(outcome.name);
    if (!row || row.status === 'retired') skipped.push(outcome.name);
    if (!row || row.status === 'retired' || edits.has(row.name) || countedRuns(row).includes(run.run)) continue;
    const step = afterRun(lane, row, outcome.result);
    if (step.why !== undefined) changes.push({ name: row.name, from: row.status, to: step.status, why: step.why });
    if (isUnwanted(lane, step) && !isUnwanted(lane, row)) unwanted.push(row.name);
    const note = step.why === undefined ? [] : [{ date: run.date, text: statusNote(step.why, run.run) }];
    const lesson = outcome.lesson === undefined ? [] : [{ date: run.date, text: outcome.lesson }];
    edits.set(row.name, {
      name: row.name,
      fields: {
        status: step.status,
        runs: countsText(step.runs),
        [COUNTED]: [...countedRuns(row), run.run].slice(-TEAM_LIMITS.countedRuns).join(', '),
      },
      lessons: [...lesson, ...note],
    });
  }
  const text = editRows(lane, source, [...edits.values()]);
  return { text, news: { counted: [...edits.keys()], changes, unwanted, skipped } };
}

function countedRuns(row: LaneRow): string[] {
  return (row.fields.get(COUNTED) ?? '')
    .split(',')
    .map((run) => run.trim())
    .filter((run) => run !== '');
}

/** Appends an entry to the log of a lane, after an empty line. An identical entry is not added again. */
export function withLogEntry(source: string | undefined, entry: string): string {
  const log = source ?? '';
  const eol = log.includes('\r\n') ? '\r\n' : '\n';
  const lines = entry.trim().split(/\r\n|\r|\n/);
  const text = lines.join(eol);
  if (`${eol}${log}${eol}`.includes(`${eol}${text}${eol}`)) return log;
  const apart = log === '' ? '' : log.endsWith(eol) ? eol : `${eol}${eol}`;
  return `${log}${apart}${text}${eol}`;
}
