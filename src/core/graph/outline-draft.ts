import { NO_TASK, OUTLINED_FIELDS, type OutlineColumns } from '#core/graph/outline.js';
import { type GraphNode, isTask, STATUSES } from '#core/graph/task.js';

const NOBODY: readonly string[] = [];

/** Builder of an outline, filled while the lines of a snapshot are written. */
export class OutlineDraft {
  private readonly nodes: readonly GraphNode[];
  private readonly lines: Int32Array;
  private readonly statuses: Uint8Array;
  private readonly fields: Uint8Array;
  private readonly numbers = new Map<string, number>();

  /** `nodes`: all nodes, in line order. */
  constructor(nodes: readonly GraphNode[]) {
    this.nodes = nodes;
    this.lines = new Int32Array(nodes.length + 1);
    this.statuses = new Uint8Array(nodes.length);
    this.fields = new Uint8Array(nodes.length);
  }

  /** Adds the next node; `bytes` is the length of its line including the line feed. */
  add(bytes: number): void {
    const number = this.numbers.size;
    const node = this.nodes[number];
    if (node === undefined) return;
    this.numbers.set(node.id, number);
    this.lines[number + 1] = (this.lines[number] ?? 0) + bytes;
    this.statuses[number] = isTask(node) ? STATUSES.indexOf(node.status) : NO_TASK;
    let bits = 0;
    OUTLINED_FIELDS.forEach((field, place) => {
      bits |= Number(field in node) << place;
    });
    this.fields[number] = bits;
  }

  /** Returns the columns once all nodes were added. */
  columns(): OutlineColumns {
    const { nodes, lines, statuses, fields, numbers } = this;
    const from = new Int32Array(nodes.length + 1);
    const after: number[] = [];
    for (const [number, node] of nodes.entries()) {
      for (const id of (isTask(node) && node.after) || NOBODY) {
        const other = numbers.get(id) ?? numbers.size;
        if (other === numbers.size) numbers.set(id, other);
        after.push(other);
      }
      from[number + 1] = after.length;
    }
    return { ids: [...numbers.keys()], lines, statuses, fields, from, after: new Int32Array(after) };
  }
}
