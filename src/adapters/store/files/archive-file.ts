import { appendFileSync } from 'node:fs';
import { type ArchiveQuery, archivedIn, matchingTasks } from '#core/graph/archived.js';
import { type Departed, departedNodes } from '#core/graph/departed.js';
import { nodeLine, parseGraph } from '#core/graph/line.js';
import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { compareText } from '#kernel/order.js';
import { readText, replaceFile, storeError } from './disk.js';
import type { DiskState } from './disk-state.js';
import { readAcross } from './log-pieces.js';

/**
 * Returns the archived tasks according to the log. `archive.jsonl` holds the same tasks and avoids a log scan. Tasks
 * missing there (after a crash, a merge or a hand edit) are read from the log.
 */
export function archivedTasks(paths: GraphLayout, view: GraphView): Task[] {
  const departures = archivedIn(view);
  if (departures.size === 0) return [];
  const tasks = new Map<string, Task>();
  for (const node of parseGraph(readText(paths.archive) ?? '').nodes.values()) {
    if (isTask(node) && departures.get(node.id)?.seq === node.rev) tasks.set(node.id, node);
  }
  if (tasks.size < departures.size) addFromLog(paths, departures, tasks);
  return inOrder(departures).flatMap(({ id }) => tasks.get(id) ?? []);
}

/** Returns the archived tasks that match a query. */
export function archivedMatches(paths: GraphLayout, view: GraphView, query: ArchiveQuery): readonly Task[] {
  return matchingTasks(archivedTasks(paths, view), query);
}

/** Updates `archive.jsonl` from the log. The file may be outdated or missing: it only serves people and other tools. */
export function writeArchive(paths: GraphLayout, view: GraphView): void {
  const lines = archivedTasks(paths, view).map((task) => `${nodeLine(task)}\n`);
  const text = lines.join('');
  const there = readText(paths.archive) ?? '';
  if (there === text) return;
  try {
    if (text.startsWith(there)) appendFileSync(paths.archive, text.slice(there.length));
    else replaceFile(paths.archive, text, { sync: false, draft: paths.archiveDraft });
  } catch (error) {
    throw storeError(error, paths.archive);
  }
}

/** Updates `archive.jsonl` from what is on disk. A failure is only noted, because the log has all of it. */
export function followArchive(paths: GraphLayout, state: DiskState): void {
  try {
    writeArchive(paths, state.view());
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    state.note(error.code, error.message, paths.archive);
  }
}

/** Sorts by time of archiving, so new tasks are only appended. */
function inOrder(departures: ReadonlyMap<string, Departed>): Departed[] {
  return [...departures.values()].sort((left, right) => left.seq - right.seq || compareText(left.id, right.id));
}

function addFromLog(paths: GraphLayout, departures: ReadonlyMap<string, Departed>, tasks: Map<string, Task>): void {
  const missing = [...departures.values()].filter(({ id }) => !tasks.has(id)).map(({ seq }) => seq);
  const [first, last] = [missing.reduce((a, b) => Math.min(a, b)), missing.reduce((a, b) => Math.max(a, b))];
  for (const entries of readAcross(paths, first, last)) {
    for (const entry of entries) {
      for (const node of departedNodes(entry)) {
        if (isTask(node) && departures.get(node.id)?.seq === entry.seq) tasks.set(node.id, node);
      }
    }
  }
}
