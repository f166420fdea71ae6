import type { Status, Task } from '#core/graph/task.js';

/** How every line of a task begins that we wrote ourselves; the id follows, in quotes. */
export const TASK_START = '{"kind":"task","id":';
const STATUS = ',"status":"';
const AFTER = ',"after":[';
const ESTIMATE = ',"estimate":{';
const NOBODY: readonly string[] = [];

/** What a line of a task says without being parsed. */
export interface IndexedLine {
  readonly text: string;
  readonly status: Status;
  /** The ids it depends on. */
  readonly after: () => readonly string[];
}

/** The lines of tasks, by id. */
export type LineIndex = ReadonlyMap<string, IndexedLine>;

/**
 * Tells the lines of our own snapshot apart by a few fields, without parsing them. Our lines have their keys in one order, kind,
 * id, title, description, status; and no text inside a string can look like a key, as its quotes are escaped. What stands
 * behind an estimate, whose fields are anybody's, and what is escaped, is parsed after all.
 */
export function lineIndex(text: string): LineIndex {
  const lines = new Map<string, IndexedLine>();
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    const line = text.slice(start, end);
    start = end + 1;
    if (!line.startsWith(TASK_START)) continue;
    const id = stringAt(line, TASK_START.length);
    const statusAt = line.indexOf(STATUS, TASK_START.length) + STATUS.length;
    const status = line.slice(statusAt, line.indexOf('"', statusAt)) as Status;
    lines.set(id, { text: line, status, after: () => predecessorsIn(line, statusAt) });
  }
  return lines;
}

function stringAt(line: string, at: number): string {
  const end = line.indexOf('"', at + 1);
  const plain = line.slice(at + 1, end);
  return plain.includes('\\') ? (JSON.parse(line) as Task).id : plain;
}

function predecessorsIn(line: string, from: number): readonly string[] {
  const at = line.indexOf(AFTER, from);
  if (at === -1) return NOBODY;
  const estimateAt = line.indexOf(ESTIMATE, from);
  const list = line.slice(at + AFTER.length, line.indexOf('"]', at) + 1);
  if ((estimateAt !== -1 && estimateAt < at) || list.includes('\\')) return (JSON.parse(line) as Task).after ?? NOBODY;
  return list.slice(1, -1).split('","');
}
