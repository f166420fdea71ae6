import { evaluationsOf, ownRecords } from '#core/agency/list-evaluations.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { PoorRow } from '#core/roles/audit.js';
import type { Lane } from '#core/roles/lane.js';
import type { RowOutcome } from '#core/roles/run-end.js';
import type { JsonObject } from '#kernel/json.js';
import { FORMATIONS, placeOf } from './formation.js';
import type { FormationRecord } from './record.js';

/** Minimum mean score of people and checks for acceptable work. */
const MIN_ACCEPTABLE_SCORE = 0.5;
/** Number of consecutive judged runs with poor work after which a row should be retired. */
const POOR_RUNS = 3;
/** Sources of model scores. They are informative, and do not decide about rows. */
const MODEL_SOURCES: ReadonlySet<string> = new Set(['llm', 'flip']);

/** Latest score of each non-model source for the current attempt, by task. */
export type WorkScores = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Scores of work done in this project, from people, checks and other sources except models. */
export function workScores(records: Iterable<JsonObject>, view: GraphView): WorkScores {
  const current: JsonObject[] = [];
  for (const record of ownRecords(records)) {
    const { task_id, attempt } = record;
    const fence = typeof task_id === 'string' ? (view.task(task_id)?.fence ?? 0) : undefined;
    if (fence !== undefined && (attempt === undefined || attempt === fence)) current.push(record);
  }
  const scores = new Map<string, Map<string, number>>();
  for (const { task_id, source, score } of evaluationsOf(current)) {
    if (MODEL_SOURCES.has(source)) continue;
    const ofTask = scores.get(task_id) ?? new Map<string, number>();
    if (!ofTask.has(source)) scores.set(task_id, ofTask.set(source, score)); // the newest come first
  }
  return scores;
}

/**
 * Results of a run with scores applied: a row stays clean only if none of its work was sent back and the mean score of
 * people and checks reaches the minimum. Scores can remove a clean run, never add one.
 */
export function afterScores(
  view: GraphView,
  record: FormationRecord,
  rows: readonly RowOutcome[],
  scores: WorkScores,
): RowOutcome[] {
  return rows.map((row) => {
    if (row.result !== 'clean') return row;
    const tasks = tasksOf(view, record, row.name);
    const sentBack = tasks.some(({ rejection_count = 0 }) => rejection_count > 0);
    const mean = meanScore(tasks, scores);
    return sentBack || (mean !== undefined && mean < MIN_ACCEPTABLE_SCORE) ? { ...row, result: 'neither' } : row;
  });
}

/**
 * Rows with poor work in ended runs, oldest first. Computed on demand, since scores often arrive after the end of a
 * run.
 */
export function poorRows(view: GraphView, records: Iterable<FormationRecord>, scores: WorkScores): PoorRow[] {
  const judged = new Map<string, { lane: Lane; name: string; means: number[] }>();
  for (const record of records) {
    if (record.state !== 'ended') continue;
    const { lane } = FORMATIONS[record.formation];
    for (const { name } of record.seats) {
      const mean = meanScore(tasksOf(view, record, name), scores);
      if (mean === undefined) continue;
      const row = judged.get(`${lane} ${name}`) ?? { lane, name, means: [] };
      row.means.push(mean);
      judged.set(`${lane} ${name}`, row);
    }
  }
  return [...judged.values()].flatMap(({ lane, name, means }) => {
    const firstPoor = means.findLastIndex((mean) => mean >= MIN_ACCEPTABLE_SCORE) + 1;
    const poor = means.slice(firstPoor);
    return poor.length < POOR_RUNS ? [] : [{ lane, name, runs: poor.length, mean: meanOf(poor) }];
  });
}

/** Tasks of a seat in a run, by their tags. */
function tasksOf(view: GraphView, { run, tasks }: FormationRecord, seat: string): Task[] {
  return tasks.flatMap((id) => {
    const task = view.task(id);
    const place = placeOf(task?.tags);
    return task !== undefined && place?.run === run && place.seat === seat ? [task] : [];
  });
}

function meanScore(tasks: readonly Task[], scores: WorkScores): number | undefined {
  const all = tasks.flatMap(({ id }) => [...(scores.get(id)?.values() ?? [])]);
  return all.length === 0 ? undefined : meanOf(all);
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
