import type { Departed } from '#core/graph/departed.js';
import { sortedById } from '#core/graph/line.js';
import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

/** Filter for archived tasks. An empty query matches all. */
export interface ArchiveQuery {
  /** Words that must all occur, ignoring case, in id, title, description, tags or artifacts. */
  readonly text?: string | undefined;
  /** Only tasks that ended before this time, in milliseconds. */
  readonly endedBefore?: number | undefined;
  readonly limit?: number | undefined;
}

/** Returns the archived tasks of a graph, by id. */
export function archivedIn(view: GraphView): Map<string, Departed> {
  const departures = new Map<string, Departed>();
  for (const departed of view.departures()) if (departed.to === 'archive') departures.set(departed.id, departed);
  return departures;
}

/** Returns the tasks that match the query, sorted by id. */
export function matchingTasks(nodes: Iterable<Task>, query: ArchiveQuery): Task[] {
  const words = (query.text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const { endedBefore } = query;
  const matches: Task[] = [];
  for (const task of nodes) {
    if (!isTask(task)) continue;
    if (endedBefore !== undefined && endOf(task) >= endedBefore) continue;
    const text = words.length === 0 ? '' : textOf(task);
    if (words.every((word) => text.includes(word))) matches.push(task);
  }
  return sortedById(matches).slice(0, query.limit).filter(isTask);
}

function textOf(task: Task): string {
  const { id, title, description, tags = [], artifacts = [] } = task;
  return [id, title, description ?? '', ...tags, ...artifacts].join('\n').toLowerCase();
}

/** End time of a task in milliseconds; negative infinity if it has no valid timestamp. */
export function endOf(task: Task): number {
  for (const moment of [task.completed_at, task.started_at, task.created_at]) {
    const time = Date.parse(moment ?? '');
    if (!Number.isNaN(time)) return time;
  }
  return Number.NEGATIVE_INFINITY;
}
