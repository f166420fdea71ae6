import * as z from 'zod/mini';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { compareText } from '#kernel/order.js';
import { cut, inert, matchesPattern } from '#kernel/text.js';

/** An evaluation for display; its file may be from another tool. */
export const shownEvaluationShape = z.object({
  id: z.string(),
  task_id: z.string(),
  /** Agent the task was assigned to; null if unassigned. */
  agent_id: z.nullable(z.string()),
  score: z.number(),
  dimensions: z.record(z.string(), z.number()),
  notes: z.string(),
  evaluator: z.string(),
  source: z.string(),
  timestamp: z.string(),
});
export type ShownEvaluation = z.infer<typeof shownEvaluationShape>;

/** Filter for evaluations; omitted fields match everything. */
export interface EvaluationFilter {
  /** Id of a task or an evaluation. */
  readonly id?: string | undefined;
  readonly task?: string | undefined;
  readonly agent?: string | undefined;
  /** Pattern such as `ci:*`; a star matches any text. */
  readonly source?: string | undefined;
}

/** Evaluations that match the filter, newest first. Invalid records are skipped. */
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
    if (filter.source !== undefined && !matchesPattern(source, filter.source)) continue;
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

/** Warnings for files with an invalid score: they are not counted. */
export function scorelessWarnings(records: Iterable<JsonObject>): string[] {
  return [...records]
    .filter(({ score }) => !isScore(score))
    .map(
      ({ id, score }) =>
        `${cut(inert(String(id)), WORK_LIMITS.idCharacters)}: its score is ${cut(inert(String(score)), 40)}, not from 0 to 1.`,
    );
}

/**
 * Notes of evaluations of these tasks, newest first. Scores without notes are left out, as they do not help the next
 * attempt.
 */
export function notesByTask(records: Iterable<JsonObject>, tasks: ReadonlySet<string>): Map<string, string[]> {
  const notes = new Map<string, string[]>();
  for (const { task_id, score, notes: text, source } of evaluationsOf(ownRecords(records))) {
    if (!tasks.has(task_id) || text.trim() === '') continue;
    notes.set(task_id, [...(notes.get(task_id) ?? []), `${score.toFixed(2)} from ${source}: ${text}`]);
  }
  return notes;
}

/** Records of work done in this project: a foreign task may have the id of one of ours. */
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
