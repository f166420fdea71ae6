import { isHiddenTask } from '#core/graph/meta.js';
import { type CycleHolds, readiness } from '#core/graph/ready.js';
import type { ShownState } from '#core/graph/status-look.js';
import { isTask, isTerminal, type Status, type Task } from '#core/graph/task.js';
import { timeOf } from '#core/graph/time.js';
import type { GraphView } from '#core/graph/view.js';
import { compareText } from '#kernel/order.js';
import {
  countStates,
  ownTags,
  playbookIn,
  type Sort,
  type StateCounts,
  type TaskProperty,
  urgency,
  WITHOUT,
} from './task-properties.js';
import { searchRank } from './task-search.js';

/** Conditions that a task must meet, all of them; of one property, any of its values. */
export type TaskFilter = { readonly search?: string | undefined } & {
  readonly [Property in TaskProperty]?: readonly string[] | undefined;
};

/** A task with what filters, sorting and grouping ask about it. */
export interface TaskRow {
  readonly task: Task;
  /** Rank of the match of a search, lowest first. */
  readonly rank: number;
  /** Computed on first use. */
  readonly state: ShownState;
  readonly worker: string | undefined;
}

interface Around {
  readonly now: number;
  /** Worker at which a run is. */
  workerOf(run: string): string | undefined;
}

const VALUES: Readonly<Record<TaskProperty, (row: TaskRow) => readonly (string | undefined)[]>> = {
  state: ({ state }) => [state],
  member: ({ task }) => [task.member],
  tag: ({ task }) => ownTags(task.tags),
  playbook: ({ task }) => [playbookIn(task.tags)],
  worker: ({ worker }) => [worker],
};

/** Value by which a task is grouped, the first if there are several; undefined if it has none. */
function groupOf(row: TaskRow, property: TaskProperty): string | undefined {
  return VALUES[property](row)[0];
}

/** All tasks that match, in no particular order. Hidden internal tasks are found only by words. */
export function rowsMatching(view: GraphView, filter: TaskFilter, { now, workerOf }: Around): TaskRow[] {
  const { search = '', ...wanted } = filter;
  const rankOf = searchRank(search);
  const asked = Object.entries(wanted) as [TaskProperty, readonly string[] | undefined][];
  const holds: CycleHolds = new Map();
  const rows: TaskRow[] = [];
  for (const node of view.nodes()) {
    if (!isTask(node)) continue;
    const rank = rankOf(node);
    if (rank === undefined || (search === '' && isHiddenTask(view, node))) continue;
    const worker = node.status === 'in-progress' ? workerOf(node.assigned ?? '') : undefined;
    let state: ShownState | undefined;
    const row: TaskRow = {
      task: node,
      rank,
      worker,
      get state() {
        state ??= node.status === 'open' && readiness(view, node.id, now, holds).ready ? 'ready' : node.status;
        return state;
      },
    };
    const matches = asked.every(([property, values]) => {
      if (values === undefined) return true;
      const own = VALUES[property](row).filter((value) => value !== undefined);
      return own.length === 0 ? values.includes(WITHOUT) : own.some((value) => values.includes(value));
    });
    if (matches) rows.push(row);
  }
  return rows;
}

/** Statuses of tasks that need an event to continue. */
export const HELD_UP: ReadonlySet<Status> = new Set(['failed', 'waiting', 'pending-validation', 'blocked']);

/** Held-up tasks, then unfinished ones, then finished ones. */
const partOf = ({ status }: Task): number => (HELD_UP.has(status) ? 0 : isTerminal(status) ? 2 : 1);

/** Best match first, then held-up tasks, unfinished ones by creation, and finished ones, the latest first. */
export function byUse(left: TaskRow, right: TaskRow): number {
  const part = partOf(left.task);
  return (
    left.rank - right.rank ||
    part - partOf(right.task) ||
    (part === 2
      ? compareText(right.task.completed_at ?? '', left.task.completed_at ?? '')
      : compareText(left.task.created_at ?? '', right.task.created_at ?? '')) ||
    compareText(left.task.id, right.task.id)
  );
}

const SORTED_BY: Readonly<Record<Sort, (row: TaskRow, now: number) => string | number>> = {
  title: ({ task }) => task.title.toLowerCase(),
  state: ({ state }) => urgency(state),
  member: ({ task }) => task.member ?? '',
  playbook: ({ task }) => playbookIn(task.tags) ?? '',
  created: ({ task }) => task.created_at ?? '',
  started: ({ task }) => task.started_at ?? '',
  finished: ({ task }) => task.completed_at ?? '',
  time: ({ task }, now) =>
    task.started_at === undefined
      ? ''
      : (task.completed_at === undefined ? now : timeOf(task.completed_at)) - timeOf(task.started_at),
};

/** Sorts by a property; tasks without it come last in both directions, equal ones by use. */
export function sortRows(
  rows: readonly TaskRow[],
  sort: Sort | undefined,
  { now, descending }: { readonly now: number; readonly descending: boolean },
): TaskRow[] {
  if (sort === undefined) return [...rows].sort(byUse);
  const keyed = rows.map((row) => ({ row, key: SORTED_BY[sort](row, now) }));
  const direction = descending ? -1 : 1;
  keyed.sort((left, right) => {
    if (left.key === right.key) return byUse(left.row, right.row);
    if (left.key === '') return 1;
    if (right.key === '') return -1;
    return left.key < right.key ? -direction : direction;
  });
  return keyed.map(({ row }) => row);
}

export interface RowGroup {
  /** Undefined for the tasks without the property. */
  readonly value: string | undefined;
  readonly rows: readonly TaskRow[];
  readonly counts: StateCounts;
}

/** Groups rows and keeps their order. States come by importance, other values by name, tasks without one last. */
export function groupRows(rows: readonly TaskRow[], property: TaskProperty): RowGroup[] {
  const groups = new Map<string | undefined, TaskRow[]>();
  for (const row of rows) {
    const value = groupOf(row, property);
    const own = groups.get(value);
    if (own === undefined) groups.set(value, [row]);
    else own.push(row);
  }
  return [...groups]
    .map(([value, own]) => ({ value, rows: own, counts: countStates(own) }))
    .sort((left, right) => {
      if (property === 'state') return urgency(left.rows[0]?.state) - urgency(right.rows[0]?.state);
      if (left.value === undefined || right.value === undefined) return left.value === undefined ? 1 : -1;
      return compareText(left.value, right.value);
    });
}
