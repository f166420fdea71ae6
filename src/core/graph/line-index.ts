import { isTerminal, type Status, type Task } from '#core/graph/task.js';
import type { TaskOutline } from '#core/graph/view.js';

/** Prefix of every task line in our own snapshots; the quoted id follows. */
export const TASK_START = '{"kind":"task","id":';
const STATUS = ',"status":"';
const AFTER = ',"after":[';
const ESTIMATE = ',"estimate":{';
const NOBODY: readonly string[] = [];

/** Fields of a task line, read without parsing it as JSON. */
class TaskLine implements TaskOutline {
  readonly id: string;
  readonly text: string;
  readonly status: Status;
  /** Offset of the value of `status`; later fields are searched from here. */
  private readonly statusAt: number;
  private predecessors: readonly string[] | undefined;

  constructor(text: string) {
    this.text = text;
    this.id = stringAt(text, TASK_START.length);
    this.statusAt = text.indexOf(STATUS, TASK_START.length) + STATUS.length;
    this.status = text.slice(this.statusAt, text.indexOf('"', this.statusAt)) as Status;
  }

  get after(): readonly string[] {
    this.predecessors ??= predecessorsIn(this.text, this.statusAt);
    return this.predecessors;
  }

  mayHave(field: string): boolean {
    return this.text.includes(keyOf(field), this.statusAt);
  }
}

/** Index of the lines of a snapshot. */
export interface LineIndex {
  /** The line of this node; undefined if there is none or it is not indexed. */
  lineOf(id: string): string | undefined;
  rows(): readonly TaskOutline[];
  /**
   * Ids of open tasks without an unfinished predecessor. `changed`: statuses that differ from the snapshot; undefined
   * for removed tasks.
   */
  unheld(changed: ReadonlyMap<string, Status | undefined>): Iterable<string>;
}

/**
 * Indexes the lines of our own snapshot by a few fields, without parsing them. Such lines have their keys in a fixed
 * order (kind, id, title, description, status), and text inside a string cannot look like a key because its quotes are
 * escaped. Lists after an estimate, whose fields are arbitrary, and escaped strings are parsed after all.
 */
export class TextIndex implements LineIndex {
  private readonly lines = new Map<string, TaskLine>();

  constructor(text: string) {
    for (let start = 0; start < text.length; ) {
      const next = text.indexOf('\n', start);
      const end = next === -1 ? text.length : next;
      const line = text.slice(start, end);
      start = end + 1;
      if (!line.startsWith(TASK_START)) continue;
      const outline = new TaskLine(line);
      this.lines.set(outline.id, outline);
    }
  }

  lineOf(id: string): string | undefined {
    return this.lines.get(id)?.text;
  }

  rows(): readonly TaskOutline[] {
    return [...this.lines.values()];
  }

  *unheld(changed: ReadonlyMap<string, Status | undefined>): Iterable<string> {
    const holdsUp = (id: string) => {
      const status = changed.has(id) ? changed.get(id) : this.lines.get(id)?.status;
      return status !== undefined && !isTerminal(status);
    };
    for (const { id, status, after } of this.lines.values()) if (status === 'open' && !after.some(holdsUp)) yield id;
  }
}

const keys = new Map<string, string>();

/** Returns a field name as it occurs in a line; cached because every line is searched for it. */
function keyOf(field: string): string {
  const key = keys.get(field) ?? `"${field}":`;
  keys.set(field, key);
  return key;
}

function stringAt(line: string, at: number): string {
  const end = line.indexOf('"', at + 1);
  const plain = line.slice(at + 1, end);
  return plain.includes('\\') ? (JSON.parse(line) as Task).id : plain;
}

function predecessorsIn(line: string, from: number): readonly string[] {
  const at = line.indexOf(AFTER, from);
  if (at === -1) return NOBODY;
  const list = line.slice(at + AFTER.length, line.indexOf('"]', at) + 1);
  if (line.slice(from, at).includes(ESTIMATE) || list.includes('\\')) return (JSON.parse(line) as Task).after ?? NOBODY;
  return list.slice(1, -1).split('","');
}
