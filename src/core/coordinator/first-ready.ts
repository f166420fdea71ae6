import { readiness } from '#core/graph/ready.js';
import type { Task } from '#core/graph/task.js';
import type { GraphDraft } from '#core/graph/view.js';

/** What one round may start next, and the moment since when it could. */
export interface FirstReady {
  readonly task: Task;
  readonly since: number;
}

/** The `most` tasks that have been ready longest, of candidates in their order: of the others none is looked at. */
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

/** The `most` first ones by a rank of their own. One look at each candidate; nothing is sorted but what is taken. */
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
