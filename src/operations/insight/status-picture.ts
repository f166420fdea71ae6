import * as z from 'zod/mini';
import { SORTS, TASK_PROPERTIES } from '#core/insight/task-properties.js';
import { groupRows, HELD_UP, sortRows, type TaskRow } from '#core/insight/task-rows.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { GraphContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { flag } from '#operations/shapes.js';
import { FILTERS, findRows, picturesOf, pictureTask, stateCounts } from './task-pictures.js';

const output = z.object({
  seq: z.number(),
  tasks: z.array(pictureTask),
  /** Number of tasks of the graph, or of those that match, and of those left out of this picture. */
  total: z.number(),
  left_out: z.number(),
  /** Groups in their order; the tasks of each are next to one another. Without a value: tasks without the property. */
  groups: z.optional(z.array(z.object({ value: z.optional(z.string()), count: z.number(), counts: stateCounts }))),
});

/**
 * The graph, or a filtered part, as data for a drawing or, in pages, for a table. Without pages held-up tasks are never
 * left out; of the rest, unfinished tasks come first. Omitted tasks are counted.
 */
export const graphPicture = operation({
  name: 'graph.picture',
  command: 'graph picture',
  group: 'Progress',
  kind: 'read',
  instead: 'viz',
  summary: 'Show the tasks and edges with all data for drawing them',
  examples: ['troupe graph picture --json', 'troupe graph picture --sort started --descending --limit 100 --json'],
  input: z.strictObject({
    limit: option(
      'At most N tasks; without a sort or an offset, besides held-up ones, unfinished first',
      z.optional(z.int().check(z.minimum(1), z.maximum(SURFACE_LIMITS.pictureTasks))),
      { value: 'N' },
    ),
    offset: option('Leave out the first N tasks', z.optional(z.int().check(z.minimum(0))), { value: 'N' }),
    sort: option('Sort by this property', z.optional(z.enum(SORTS)), { value: 'PROPERTY' }),
    descending: option('The last one first', flag),
    by: option('Group by this property', z.optional(z.enum(TASK_PROPERTIES)), { value: 'PROPERTY' }),
    ...FILTERS,
  }),
  output,
  async run(
    context: GraphContext,
    { limit = SURFACE_LIMITS.pictureTasks, offset, sort, descending = false, by, ...filter },
  ) {
    const { view, now, rows } = await findRows(context, filter);
    const sorted = sortRows(rows, sort, { now, descending });
    const groups = by === undefined ? undefined : groupRows(sorted, by);
    const all = groups === undefined ? sorted : groups.flatMap((group) => group.rows);
    const inPages = offset !== undefined || sort !== undefined || by !== undefined || filter.search !== undefined;
    const shown = inPages ? all.slice(offset, (offset ?? 0) + limit) : mostUseful(all, limit);
    const picture = await picturesOf(context, view, shown);
    return {
      seq: view.seq,
      tasks: shown.map(picture),
      total: all.length,
      left_out: all.length - shown.length,
      ...(groups === undefined
        ? {}
        : {
            groups: groups.map(({ value, rows: own, counts }) => ({
              ...(value === undefined ? {} : { value }),
              count: own.length,
              counts,
            })),
          }),
    };
  },
});

/** Held-up tasks, however many they are, and as many of the others as there is room for. */
function mostUseful(sorted: readonly TaskRow[], limit: number): readonly TaskRow[] {
  const heldUp = sorted.findIndex(({ task }) => !HELD_UP.has(task.status));
  return heldUp === -1 ? sorted : sorted.slice(0, Math.max(limit, heldUp));
}
