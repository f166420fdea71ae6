import type { JsonObject } from '#kernel/json.js';

/** Best score by task id; a task nobody scored has none. */
export type Scores = ReadonlyMap<string, number>;

/** The best score of each task, from 0 to 1, that evaluations give it. What is no evaluation says nothing. */
export function bestScores(evaluations: Iterable<JsonObject>): Scores {
  const best = new Map<string, number>();
  for (const { task_id: task, score } of evaluations) {
    if (typeof task !== 'string' || typeof score !== 'number' || !(score >= 0 && score <= 1)) continue;
    best.set(task, Math.max(score, best.get(task) ?? 0));
  }
  return best;
}
