import { appendFileSync } from 'node:fs';
import { type Departed, departedNodes } from '#core/graph/departed.js';
import { nodeLine, parseGraph } from '#core/graph/line.js';
import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { diskError, readText, replaceFile } from './disk.js';
import { readAcross } from './log-pieces.js';
import type { StorePaths } from './paths.js';

/**
 * The archived tasks as the log says. `archive.jsonl` holds the same, so that nobody has to look through the log; where it
 * does not (a crash, a merge, a hand), the log answers.
 */
export function archivedTasks(paths: StorePaths, view: GraphView): Task[] {
  const wanted = inArchive(view);
  if (wanted.size === 0) return [];
  const found = new Map<string, Task>();
  for (const node of parseGraph(readText(paths.archive) ?? '').nodes.values()) {
    if (isTask(node) && wanted.get(node.id)?.seq === node.rev) found.set(node.id, node);
  }
  if (found.size < wanted.size) addFromLog(paths, wanted, found);
  return inOrder(wanted).flatMap(({ id }) => found.get(id) ?? []);
}

/** Brings `archive.jsonl` up to date with the log. It may be late or missing: it is only for people and other tools. */
export function writeArchive(paths: StorePaths, view: GraphView): void {
  const lines = archivedTasks(paths, view).map((task) => `${nodeLine(task)}\n`);
  const text = lines.join('');
  const there = readText(paths.archive) ?? '';
  if (there === text) return;
  try {
    if (there !== '' && text.startsWith(there)) appendFileSync(paths.archive, text.slice(there.length));
    else replaceFile(paths.archive, text, { sync: false, draft: paths.archiveDraft });
  } catch (error) {
    throw diskError(error, paths.archive);
  }
}

function inArchive(view: GraphView): Map<string, Departed> {
  const wanted = new Map<string, Departed>();
  for (const departed of view.departures()) if (departed.to === 'archive') wanted.set(departed.id, departed);
  return wanted;
}

/** Who left first stands first: what comes later is only added at the end. */
function inOrder(wanted: ReadonlyMap<string, Departed>): Departed[] {
  return [...wanted.values()].sort((left, right) => left.seq - right.seq || (left.id < right.id ? -1 : 1));
}

function addFromLog(paths: StorePaths, wanted: ReadonlyMap<string, Departed>, found: Map<string, Task>): void {
  const missing = [...wanted.values()].filter(({ id }) => !found.has(id)).map(({ seq }) => seq);
  const [first, last] = [missing.reduce((a, b) => Math.min(a, b)), missing.reduce((a, b) => Math.max(a, b))];
  for (const entries of readAcross(paths, first, last)) {
    for (const entry of entries) {
      for (const node of departedNodes(entry)) {
        if (isTask(node) && wanted.get(node.id)?.seq === entry.seq) found.set(node.id, node);
      }
    }
  }
}
