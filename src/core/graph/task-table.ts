import { isTerminal } from '#core/graph/task.js';
import type { GraphView, TaskOutline } from '#core/graph/view.js';
import { numberAt } from '#kernel/numbers.js';

/**
 * All tasks of a view by number, with the edges between them, for walks over the whole graph. Built once per answer at
 * the cost of each task and edge; whole tasks are read only on demand.
 */
export class TaskTable {
  readonly view: GraphView;
  readonly rows: readonly TaskOutline[];
  private readonly numbers = new Map<string, number>();
  private edges: Edges | undefined;

  constructor(view: GraphView) {
    this.view = view;
    this.rows = [...view.outlines()];
    this.rows.forEach(({ id }, number) => {
      this.numbers.set(id, number);
    });
  }

  /** Whether any task depends on itself, directly or not. */
  hasLoop(): boolean {
    let loop = false;
    const { from, to } = this.before();
    this.walk(this.rows.keys(), {
      next: (_, place) => numberAt(to, place),
      leave: () => undefined,
      closed: () => {
        loop = true;
      },
      edges: from,
    });
    return loop;
  }

  /**
   * Length of each task's longest chain of pending predecessors, by task number. A failed task that must be done counts
   * too, because it has to be retried. On a cycle the closing edge counts as one step.
   */
  stepsAhead(numbers: Iterable<number>): Int32Array {
    const steps = new Int32Array(this.rows.length);
    const { from, to } = this.before();
    const isAwaited = (number: number, other: number) => this.isAwaited(number, other);
    this.walk(numbers, {
      edges: from,
      next: (number, place) => {
        const other = numberAt(to, place);
        return isAwaited(number, other) ? other : NOWHERE;
      },
      leave: (number) => {
        let most = 0;
        for (let place = numberAt(from, number); place < numberAt(from, number + 1); place++) {
          const other = numberAt(to, place);
          if (isAwaited(number, other)) most = Math.max(most, numberAt(steps, other) + 1);
        }
        steps[number] = most;
      },
      closed: () => undefined,
    });
    return steps;
  }

  private isAwaited(number: number, before: number): boolean {
    const status = this.rows[before]?.status;
    if (status === undefined || status === 'done') return false;
    if (!isTerminal(status)) return true;
    const row = this.rows[number];
    if (row?.mayHave('after_success') !== true) return false;
    return this.view.task(row.id)?.after_success?.includes(this.rows[before]?.id ?? '') === true;
  }

  /** Edges from each task to its existing predecessors. */
  private before(): Edges {
    this.edges ??= edgesOf(this.rows, this.numbers);
    return this.edges;
  }

  /**
   * Depth-first walk over everything that these tasks depend on, each task once and in post-order; deep chains need no
   * deep recursion.
   */
  private walk(starts: Iterable<number>, { edges, next, leave, closed }: Walk): void {
    const count = this.rows.length;
    const state = new Uint8Array(count);
    const cursor = edges.slice(0, count);
    const path: number[] = [];
    const enter = (number: number) => {
      state[number] = ON_PATH;
      path.push(number);
    };
    for (const start of starts) {
      if (state[start] !== NEW) continue;
      enter(start);
      while (path.length > 0) {
        const number = numberAt(path, path.length - 1);
        const place = numberAt(cursor, number);
        if (place < numberAt(edges, number + 1)) {
          cursor[number] = place + 1;
          const other = next(number, place);
          if (other === NOWHERE) continue;
          if (state[other] === NEW) enter(other);
          else if (state[other] === ON_PATH) closed();
          continue;
        }
        leave(number);
        state[number] = LEFT;
        path.pop();
      }
    }
  }
}

const [NEW, ON_PATH, LEFT] = [0, 1, 2];
const NOWHERE = -1;

interface Walk {
  /** Offset of each task's edges; one element more than there are tasks. */
  readonly edges: Int32Array;
  /** Returns the target of an edge; `NOWHERE` if the edge is ignored. */
  readonly next: (number: number, place: number) => number;
  readonly leave: (number: number) => void;
  /** Called for an edge that closes a cycle. */
  readonly closed: () => void;
}

/** Edges of task `number` are `to[from[number]]` up to, not including, `to[from[number + 1]]`. */
interface Edges {
  readonly from: Int32Array;
  readonly to: Int32Array;
}

function edgesOf(rows: readonly TaskOutline[], numbers: ReadonlyMap<string, number>): Edges {
  const from = new Int32Array(rows.length + 1);
  const to: number[] = [];
  rows.forEach(({ after }, number) => {
    for (const id of after) {
      const other = numbers.get(id);
      if (other !== undefined) to.push(other);
    }
    from[number + 1] = to.length;
  });
  return { from, to: new Int32Array(to) };
}
