import { isJsonObject, type JsonObject } from '#kernel/json.js';

/** An evaluation as it is shown, whoever wrote the file. */
export interface ShownEvaluation {
  readonly id: string;
  readonly task_id: string;
  readonly score: number;
  readonly dimensions: Readonly<Record<string, number>>;
  readonly notes: string;
  readonly evaluator: string;
  readonly source: string;
  readonly timestamp: string;
}

/** Those of one task, or the one of this id; without a name all of them. Newest first. What is no evaluation is left out. */
export function evaluationsOf(records: Iterable<JsonObject>, named: string | undefined): ShownEvaluation[] {
  const found: ShownEvaluation[] = [];
  for (const record of records) {
    const { id, task_id, score } = record;
    if (typeof id !== 'string' || typeof task_id !== 'string') continue;
    if (typeof score !== 'number' || !(score >= 0 && score <= 1)) continue;
    if (named !== undefined && named !== id && named !== task_id) continue;
    found.push({
      id,
      task_id,
      score,
      dimensions: numbersOf(record['dimensions']),
      notes: textOf(record['notes'], ''),
      evaluator: textOf(record['evaluator'], ''),
      source: textOf(record['source'], 'llm'),
      timestamp: textOf(record['timestamp'], ''),
    });
  }
  return found.sort((left, right) => order(right.timestamp, left.timestamp) || order(left.id, right.id));
}

function order(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function numbersOf(value: unknown): Record<string, number> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
