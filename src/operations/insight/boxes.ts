import * as z from 'zod/mini';
import { boxesOf, isGroup, type TaskGroup } from '#core/insight/boxes.js';
import { criticalPath } from '#core/insight/critical-path.js';
import { GROUPINGS } from '#core/insight/task-properties.js';
import type { TaskRow } from '#core/insight/task-rows.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { compareText } from '#kernel/order.js';
import type { GraphContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { flag } from '#operations/shapes.js';
import { momentAt, momentShape } from './past.js';
import { FILTER_FIELDS, FILTERS, findRows, picturesOf, pictureTask, stateCounts } from './task-pictures.js';

const group = z.object({
  label: z.string(),
  count: z.number(),
  counts: stateCounts,
  /** Whether its tasks can be shown one by one. */
  opens: z.boolean(),
});

const output = z.object({
  seq: z.number(),
  /** Number of tasks that match. */
  total: z.number(),
  /** The grouping in use; `auto` chooses one. */
  by: z.enum(GROUPINGS),
  boxes: z.array(
    z.object({
      id: z.string(),
      after: z.array(z.string()),
      task: z.optional(pictureTask),
      group: z.optional(group),
      /** Opened group to which its task belongs. */
      opened: z.optional(z.string()),
      /** For the head of a cycle: iterations so far and at most. */
      cycle: z.optional(z.object({ iteration: z.number(), most: z.number() })),
      /** Whether the critical path leads through it. */
      critical: z.optional(z.boolean()),
    }),
  ),
  opened: z.array(z.object({ id: z.string(), label: z.string(), count: z.number() })),
  /** Moment of the event that was asked for. */
  moment: z.optional(momentShape),
  /** Box of the task that was asked for. */
  at: z.optional(z.string()),
  /** Number of tasks on the critical path, and their estimated hours. */
  critical_path: z.optional(z.object({ tasks: z.number(), hours: z.number() })),
});

/**
 * The graph in a few hundred boxes, however large it is: tasks, or groups of tasks with their counts; now or as it was
 * after an event.
 */
export const graphBoxes = operation({
  name: 'graph.boxes',
  command: 'viz',
  group: 'Progress',
  kind: 'read',
  unlisted: true,
  summary: 'Show the graph in few boxes: single tasks, and groups with their counts',
  examples: [],
  resource: [
    {
      method: 'GET',
      path: '/api/graph/boxes',
      summary: 'The graph in few boxes, with counts.',
      fields: ['by', 'open', 'at', 'critical', 'event', ...FILTER_FIELDS],
    },
  ],
  input: z.strictObject({
    by: option('Grouping', z.optional(z.enum(GROUPINGS)), { value: 'GROUPING' }),
    open: option(
      'A group whose tasks are shown one by one',
      z.optional(z.array(z.string()).check(z.maxLength(SURFACE_LIMITS.openedGroups))),
      { value: 'ID', each: true },
    ),
    at: option('Also tell in which box this task is', z.optional(z.string()), { value: 'TASK', names: 'task' }),
    critical: option('Mark the longest chain of unfinished work', flag),
    event: option('As of this event', z.optional(z.int().check(z.minimum(1))), { value: 'SEQ' }),
    ...FILTERS,
  }),
  output,
  async run(context: GraphContext, { by = 'auto', open = [], at, critical = false, event, ...filter }) {
    const past = event === undefined ? undefined : await momentAt(await context.graph(), event);
    const { view, rows } = await findRows(context, filter, past);
    // By age alone: a task that changes its state stays where it is drawn.
    const tasks = rows.map(boxTask).sort(byAge);
    const drawn = boxesOf(tasks, by, new Set(open));
    const alone = drawn.boxes.flatMap(({ content }) => (isGroup(content) ? [] : [content.row]));
    const picture = await picturesOf(context, view, alone, past);
    const path = critical ? criticalPath(view) : undefined;
    const marked = new Set(path?.critical_path.map(({ id }) => drawn.boxOf.get(id)));
    const openedOf = new Map(drawn.opened.flatMap(({ id, tasks: own }) => own.map((task) => [task.id, id] as const)));
    const place = at === undefined ? undefined : drawn.boxOf.get(at);
    return {
      seq: view.seq,
      total: tasks.length,
      by: drawn.by,
      boxes: drawn.boxes.map(({ id, after, content }) => {
        const opened = openedOf.get(id);
        return {
          id,
          after: [...after],
          ...(isGroup(content)
            ? { group: groupFacts(content) }
            : { task: picture(content.row), ...cycleOf(content.row) }),
          ...(opened === undefined ? {} : { opened }),
          ...(marked.has(id) ? { critical: true } : {}),
        };
      }),
      opened: drawn.opened.map(({ id, label, tasks: own }) => ({ id, label, count: own.length })),
      ...(past === undefined ? {} : { moment: past.moment }),
      ...(place === undefined ? {} : { at: place }),
      ...(path === undefined ? {} : { critical_path: { tasks: path.task_count, hours: path.total_hours } }),
    };
  },
});

interface Boxed {
  readonly id: string;
  readonly after: readonly string[];
  readonly state: TaskRow['state'];
  readonly tags: readonly string[] | undefined;
  readonly member: string | undefined;
  readonly row: TaskRow;
}

function boxTask(row: TaskRow): Boxed {
  const { id, after = [], tags, member } = row.task;
  return { id, after, state: row.state, tags, member, row };
}

function byAge(left: Boxed, right: Boxed): number {
  return compareText(left.row.task.created_at ?? '', right.row.task.created_at ?? '') || compareText(left.id, right.id);
}

function groupFacts({ label, tasks, counts, opens }: TaskGroup<Boxed>) {
  return { label, count: tasks.length, counts, opens };
}

function cycleOf({ task }: TaskRow): { cycle?: { iteration: number; most: number } } {
  const most = task.cycle_config?.max_iterations;
  return most === undefined ? {} : { cycle: { iteration: task.loop_iteration ?? 0, most } };
}
