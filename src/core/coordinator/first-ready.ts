import { readiness } from '#core/graph/ready.js';
import type { Task } from '#core/graph/task.js';
import type { GraphDraft } from '#core/graph/view.js';

/** A task that may start, and the time since which it has been ready. */
export interface FirstReady {
  readonly task: Task;
  readonly since: number;
}

/**
 * The first `most` acceptable ready tasks. The candidates come longest-ready first; the scan stops once enough are
 * found.
 */
export function firstReady(
  graph: GraphDraft,
  candidates: Iterable<string>,
  most: number,
  now: number,
  accepts: (task: Task) => boolean,
): FirstReady[] {
  const first: FirstReady[] = [];
  if (most <= 0) return first;
  for (const id of candidates) {
    const since = graph.readyAt(id) ?? 0;
    if (since > now && !readiness(graph, id, now).ready) continue; // only a clock set back makes such a task ready
    const task = graph.task(id);
    if (!task || !accepts(task)) continue;
    if (first.push({ task, since }) === most) return first;
  }
  return first;
}

/** The `most` acceptable ready tasks with the lowest rank. Visits each candidate once; sorts only the selected ones. */
export function firstRanked(
  graph: GraphDraft,
  candidates: Iterable<string>,
  most: number,
  now: number,
  accepts: (task: Task) => boolean,
  rankOf: (id: string, readySince: number) => number,
): FirstReady[] {
  const first: { id: string; since: number }[] = [];
  for (const id of candidates) {
    const readySince = graph.readyAt(id) ?? 0;
    const since = rankOf(id, readySince);
    const last = first.at(-1);
    if (readySince > now && !readiness(graph, id, now).ready) continue; // only a clock set back makes such a task ready
    if (first.length === most && last && (since > last.since || (since === last.since && id > last.id))) continue;
    const task = graph.task(id);
    if (!task || !accepts(task)) continue;
    const place = first.findIndex((other) => since < other.since || (since === other.since && id < other.id));
    first.splice(place === -1 ? first.length : place, 0, { id, since });
    if (first.length > most) first.pop();
  }
  return first.flatMap(({ id, since }) => {
    const task = graph.task(id);
    return task ? [{ task, since }] : [];
  });
}
