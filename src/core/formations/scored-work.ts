import { evaluationsOf, ownRecords } from '#core/agency/list-evaluations.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { PoorRow } from '#core/lanes/audit.js';
import type { Lane } from '#core/lanes/lane.js';
import type { RowOutcome } from '#core/lanes/run-end.js';
import type { JsonObject } from '#kernel/json.js';
import { FORMATIONS, placeOf } from './formation.js';
import type { FormationRecord } from './record.js';

/** Below this, what people and checks say of some work is that it did not do. */
const ENOUGH = 0.5;
/** So many judged runs in a row whose work did not do make a row one to retire. */
const POOR_RUNS = 3;
/** What models say. They may be of use to whoever reads them; they decide nothing about a row. */
const OF_MODELS: ReadonlySet<string> = new Set(['llm', 'flip']);

/** By task: the latest score of each source that is no model, of the attempt that counts. */
export type WorkScores = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The scores of work that was done here, by people, by checks and by whatever else is no model. */
export function workScores(records: Iterable<JsonObject>, view: GraphView): WorkScores {
  const current: JsonObject[] = [];
  for (const record of ownRecords(records)) {
    const { task_id, attempt } = record;
    const fence = typeof task_id === 'string' ? (view.task(task_id)?.fence ?? 0) : undefined;
    if (fence !== undefined && (attempt === undefined || attempt === fence)) current.push(record);
  }
  const scores = new Map<string, Map<string, number>>();
  for (const { task_id, source, score } of evaluationsOf(current)) {
    if (OF_MODELS.has(source)) continue;
    const ofTask = scores.get(task_id) ?? new Map<string, number>();
    if (!ofTask.has(source)) scores.set(task_id, ofTask.set(source, score)); // the newest come first
  }
  return scores;
}

/**
 * What a run counts, once its work was judged: a row is clean only where nothing of its work was sent back and what people and checks
 * said of it did. Scores take a clean run away and never give one.
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
    return sentBack || (mean !== undefined && mean < ENOUGH) ? { ...row, result: 'neither' } : row;
  });
}

/** Rows whose work did not do, of runs that are over, oldest first. Scores often come later than a run ends: so this is worked out when somebody looks. */
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
    const firstPoor = means.findLastIndex((mean) => mean >= ENOUGH) + 1;
    const poor = means.slice(firstPoor);
    return poor.length < POOR_RUNS ? [] : [{ lane, name, runs: poor.length, mean: meanOf(poor) }];
  });
}

/** What a seat worked on in a run, as the tags of its tasks say. */
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
