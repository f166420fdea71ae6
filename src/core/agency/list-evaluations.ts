import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { compareText } from '#kernel/order.js';
import { cut, fitsPattern, inert } from '#kernel/text.js';

/** An evaluation as it is shown, whoever wrote the file. */
export interface ShownEvaluation {
  readonly id: string;
  readonly task_id: string;
  /** Whom the task was for; null where nobody in particular. */
  readonly agent_id: string | null;
  readonly score: number;
  readonly dimensions: Readonly<Record<string, number>>;
  readonly notes: string;
  readonly evaluator: string;
  readonly source: string;
  readonly timestamp: string;
}

/** Which of them are wanted; what is not said does not matter. */
export interface EvaluationFilter {
  /** A task, or an evaluation. */
  readonly id?: string | undefined;
  readonly task?: string | undefined;
  readonly agent?: string | undefined;
  /** `ci:*`: a star stands for anything. */
  readonly source?: string | undefined;
}

/** Those that are wanted, newest first. What is no evaluation is left out. */
export function evaluationsOf(records: Iterable<JsonObject>, filter: EvaluationFilter = {}): ShownEvaluation[] {
  const evaluations: ShownEvaluation[] = [];
  for (const record of records) {
    const { id, task_id, score } = record;
    if (typeof id !== 'string' || typeof task_id !== 'string' || !isScore(score)) continue;
    const source = textOf(record['source'], 'llm');
    const agent_id = textOf(record['agent_id'], '') || null;
    if (filter.id !== undefined && filter.id !== id && filter.id !== task_id) continue;
    if (filter.task !== undefined && filter.task !== task_id) continue;
    if (filter.agent !== undefined && filter.agent !== agent_id) continue;
    if (filter.source !== undefined && !fitsPattern(source, filter.source)) continue;
    evaluations.push({
      id,
      task_id,
      agent_id,
      score,
      dimensions: numbersOf(record['dimensions']),
      notes: textOf(record['notes'], ''),
      evaluator: textOf(record['evaluator'], ''),
      source,
      timestamp: textOf(record['timestamp'], ''),
    });
  }
  return evaluations.sort(
    (left, right) => compareText(right.timestamp, left.timestamp) || compareText(left.id, right.id),
  );
}

function isScore(score: unknown): score is number {
  return typeof score === 'number' && score >= 0 && score <= 1;
}

/** What is said of files whose score is none: they count nowhere. */
export function scorelessWarnings(records: Iterable<JsonObject>): string[] {
  return [...records]
    .filter(({ score }) => !isScore(score))
    .map(
      ({ id, score }) =>
        `${cut(inert(String(id)), LIMITS.idCharacters)}: its score is ${cut(inert(String(score)), 40)}, not from 0 to 1.`,
    );
}

/** What was said of these tasks, newest first. Scores without words say nothing to whoever tries again. */
export function notesByTask(records: Iterable<JsonObject>, tasks: ReadonlySet<string>): Map<string, string[]> {
  const notes = new Map<string, string[]>();
  for (const { task_id, score, notes: text, source } of evaluationsOf(ownRecords(records))) {
    if (!tasks.has(task_id) || text.trim() === '') continue;
    notes.set(task_id, [...(notes.get(task_id) ?? []), `${score.toFixed(2)} from ${source}: ${text}`]);
  }
  return notes;
}

/** Those of work that was done here: a task elsewhere may have the id of one of ours. */
export function* ownRecords(records: Iterable<JsonObject>): Generator<JsonObject> {
  for (const record of records) if (record['foreign'] !== true) yield record;
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function numbersOf(value: unknown): Record<string, number> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  );
}
