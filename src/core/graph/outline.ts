import type { LineIndex } from '#core/graph/line-index.js';
import { isTerminal, STATUSES, type Status } from '#core/graph/task.js';
import type { TaskOutline } from '#core/graph/view.js';
import { numberAt } from '#kernel/numbers.js';

/** Fields that iterations over all tasks query; any other field is assumed to be possible in each task. */
export const OUTLINED_FIELDS = ['after_success', 'cycle_config', 'epic', 'formation_gate', 'team', 'unverified_edit'];

/** Columns of the nodes of a snapshot, in line order, which is id order. */
export interface OutlineColumns {
  /** Ids of the nodes, followed by ids that are only named as predecessors. */
  readonly ids: readonly string[];
  /** Byte offset of each node's line; one element more than there are nodes. */
  readonly lines: Int32Array;
  /** Index of each node's status in `STATUSES`, or `NO_TASK`. */
  readonly statuses: Uint8Array;
  /** Bit set of each node: one bit for each of `OUTLINED_FIELDS`. */
  readonly fields: Uint8Array;
  /**
   * The predecessors of node `n` are `after[from[n]]` up to, not including, `after[from[n + 1]]`, as indexes into
   * `ids`.
   */
  readonly from: Int32Array;
  readonly after: Int32Array;
}

/** Status value of nodes that are not tasks. */
export const NO_TASK = 255;
const TERMINAL = STATUSES.map(isTerminal);
const OPEN = STATUSES.indexOf('open');

class OutlineRow implements TaskOutline {
  private readonly columns: OutlineColumns;
  private readonly number: number;

  constructor(columns: OutlineColumns, number: number) {
    this.columns = columns;
    this.number = number;
  }

  get id(): string {
    return this.columns.ids[this.number] ?? '';
  }

  get status(): Status {
    return STATUSES[numberAt(this.columns.statuses, this.number)] ?? 'open';
  }

  get after(): readonly string[] {
    const { ids, from, after } = this.columns;
    const list: string[] = [];
    for (let at = numberAt(from, this.number); at < numberAt(from, this.number + 1); at++)
      list.push(ids[numberAt(after, at)] ?? '');
    return list;
  }

  mayHave(field: string): boolean {
    return mayHave(numberAt(this.columns.fields, this.number), field);
  }
}

/** Line index stored beside the snapshot when it was written: needs neither search nor parsing. */
export class Outline implements LineIndex {
  readonly size: number;
  private readonly columns: OutlineColumns;
  private readonly textOf: (from: number, to: number) => string;
  private known: readonly TaskOutline[] | undefined;

  /** `textOf`: returns the text of the snapshot between two byte offsets. */
  constructor(columns: OutlineColumns, textOf: (from: number, to: number) => string) {
    this.columns = columns;
    this.textOf = textOf;
    this.size = columns.statuses.length;
  }

  lineOf(id: string): string | undefined {
    const number = this.numberOf(id);
    const { lines } = this.columns;
    return number === undefined ? undefined : this.textOf(numberAt(lines, number), numberAt(lines, number + 1));
  }

  rows(): readonly TaskOutline[] {
    if (this.known) return this.known;
    const rows: TaskOutline[] = [];
    this.columns.statuses.forEach((status, number) => {
      if (status !== NO_TASK) rows.push(new OutlineRow(this.columns, number));
    });
    this.known = rows;
    return rows;
  }

  unheld(changed: ReadonlyMap<string, Status | undefined>): string[] {
    const { ids, statuses, from, after } = this.columns;
    const unfinished = new Uint8Array(ids.length);
    statuses.forEach((status, number) => {
      unfinished[number] = Number(TERMINAL[status] === false);
    });
    if (changed.size > 0) this.mark(unfinished, changed);
    const found: string[] = [];
    statuses.forEach((status, number) => {
      if (status !== OPEN) return;
      const end = numberAt(from, number + 1);
      let at = numberAt(from, number);
      while (at < end && unfinished[numberAt(after, at)] === 0) at++;
      if (at === end) found.push(ids[number] ?? '');
    });
    return found;
  }

  /** Returns the ids of tasks that list this id as a predecessor. */
  dependents(id: string): string[] {
    const { ids, from, after } = this.columns;
    const number = this.numberOf(id) ?? ids.indexOf(id, this.size);
    const found = new Set<string>();
    for (let at = after.indexOf(number), node = 0; at !== -1; at = after.indexOf(number, at + 1)) {
      while (numberAt(from, node + 1) <= at) node++;
      found.add(ids[node] ?? '');
    }
    return [...found];
  }

  /** False only if no task has the field. */
  mayHave(field: string): boolean {
    return this.columns.fields.some((bits) => mayHave(bits, field));
  }

  private mark(unfinished: Uint8Array, changed: ReadonlyMap<string, Status | undefined>): void {
    const { ids } = this.columns;
    const mark = (number: number, status: Status | undefined) => {
      unfinished[number] = Number(status !== undefined && !isTerminal(status));
    };
    for (const [id, status] of changed) {
      const number = this.numberOf(id);
      if (number !== undefined) mark(number, status);
    }
    for (let number = this.size; number < ids.length; number++) mark(number, changed.get(ids[number] ?? ''));
  }

  private numberOf(id: string): number | undefined {
    const { ids } = this.columns;
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ids[middle] ?? '') < id) low = middle + 1;
      else high = middle;
    }
    return low < this.size && ids[low] === id ? low : undefined;
  }
}

/** Whether a task with these bits may have the field; true for fields without a bit. */
function mayHave(bits: number, field: string): boolean {
  const place = OUTLINED_FIELDS.indexOf(field);
  return place === -1 || (bits & (1 << place)) !== 0;
}
