import { isTerminal, type Status, type Task } from '#core/graph/task.js';
import type { TaskOutline } from '#core/graph/view.js';

/** How every line of a task begins that we wrote ourselves; the id follows, in quotes. */
export const TASK_START = '{"kind":"task","id":';
const STATUS = ',"status":"';
const AFTER = ',"after":[';
const ESTIMATE = ',"estimate":{';
const NOBODY: readonly string[] = [];

/** What a line of a task says without being parsed. */
class TaskLine implements TaskOutline {
  readonly id: string;
  readonly text: string;
  readonly status: Status;
  /** Where the value of `status` begins; what comes after it is in `text` from here on. */
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

/** The lines of a snapshot told apart. */
export interface LineIndex {
  /** The line of this node; undefined where it has none, or none that is told apart. */
  lineOf(id: string): string | undefined;
  rows(): readonly TaskOutline[];
  /** The ids of open tasks that come after no unfinished one. `changed`: statuses that are others by now; undefined where a task is gone. */
  unheld(changed: ReadonlyMap<string, Status | undefined>): Iterable<string>;
}

/**
 * Tells the lines of our own snapshot apart by a few fields, without parsing them. Our lines have their keys in one order, kind,
 * id, title, description, status; and no text inside a string can look like a key, as its quotes are escaped. What stands
 * behind an estimate, whose fields are anybody's, and what is escaped, is parsed after all.
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

/** A field as it stands in a line: put together once, as it is looked for in every line. */
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
