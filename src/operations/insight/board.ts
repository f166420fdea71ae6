import * as z from 'zod/mini';
import { SHOWN_STATES } from '#core/graph/status-look.js';
import { ownTags, playbookIn, TASK_PROPERTIES } from '#core/insight/task-properties.js';
import { groupRows, sortRows } from '#core/insight/task-rows.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { countUp } from '#kernel/numbers.js';
import { compareText } from '#kernel/order.js';
import type { GraphContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { FILTER_FIELDS, FILTERS, findRows, picturesOf, pictureTask, stateCounts } from './task-pictures.js';

const lane = z.object({
  /** Missing for tasks without the property, and on a board without lanes. */
  value: z.optional(z.string()),
  count: z.number(),
  cells: z.array(z.object({ state: z.enum(SHOWN_STATES), count: z.number(), tasks: z.array(pictureTask) })),
});

/** Tasks by state, in lanes, with the first few of each cell. */
export const graphBoard = operation({
  name: 'graph.board',
  command: 'viz',
  group: 'Progress',
  kind: 'read',
  unlisted: true,
  summary: 'Show the tasks by state, in lanes by member or tag',
  examples: [],
  resource: [
    {
      method: 'GET',
      path: '/api/graph/board',
      summary: 'The tasks by state, in lanes.',
      fields: ['lanes', 'cards', ...FILTER_FIELDS],
    },
  ],
  input: z.strictObject({
    lanes: option('Lanes by this property', z.optional(z.enum(TASK_PROPERTIES)), { value: 'PROPERTY' }),
    cards: option(
      'At most N tasks in each cell',
      z.optional(z.int().check(z.minimum(1), z.maximum(SURFACE_LIMITS.pictureTasks))),
      { value: 'N' },
    ),
    ...FILTERS,
  }),
  output: z.object({
    seq: z.number(),
    total: z.number(),
    counts: stateCounts,
    lanes: z.array(lane),
    /** Number of lanes that are not shown, those with the fewest tasks. */
    lanes_left_out: z.number(),
  }),
  async run(context: GraphContext, { lanes: by, cards = SURFACE_LIMITS.boardCards, ...filter }) {
    const { view, now, rows } = await findRows(context, filter);
    const sorted = sortRows(rows, undefined, { now, descending: false });
    const all = by === undefined ? [{ value: undefined, rows: sorted }] : groupRows(sorted, by);
    const largest = new Set([...all].sort((a, b) => b.rows.length - a.rows.length).slice(0, SURFACE_LIMITS.boardLanes));
    const shown = all
      .filter((group) => largest.has(group))
      .map(({ value, rows: own }) => ({ value, count: own.length, columns: groupRows(own, 'state') }));
    const cut = shown.flatMap(({ columns }) => columns.flatMap((column) => column.rows.slice(0, cards)));
    const picture = await picturesOf(context, view, cut);
    const counts = groupRows(sorted, 'state').flatMap((group) => group.counts);
    return {
      seq: view.seq,
      total: rows.length,
      counts,
      lanes: shown.map(({ value, count, columns }) => ({
        ...(value === undefined ? {} : { value }),
        count,
        cells: columns.flatMap((column) =>
          column.counts.map(([state, number]) => ({
            state,
            count: number,
            tasks: column.rows.slice(0, cards).map(picture),
          })),
        ),
      })),
      lanes_left_out: all.length - shown.length,
    };
  },
});

const choice = z.object({ value: z.string(), count: z.number() });

/** Values that filters can have, so that a person chooses instead of typing. */
export const graphChoices = operation({
  name: 'graph.choices',
  command: 'viz',
  group: 'Progress',
  kind: 'read',
  unlisted: true,
  summary: 'Show the members, tags, playbooks and workers that tasks have',
  examples: [],
  resource: [{ method: 'GET', path: '/api/graph/choices', summary: 'The values that filters of tasks can have.' }],
  input: z.strictObject({}),
  output: z.object({
    member: z.array(choice),
    tag: z.array(choice),
    playbook: z.array(choice),
    worker: z.array(choice),
  }),
  async run(context: GraphContext) {
    const { rows } = await findRows(context, {});
    const countsOf = (valuesOf: (row: (typeof rows)[number]) => readonly (string | undefined)[]) => {
      const counts = new Map<string, number>();
      for (const row of rows) for (const value of valuesOf(row)) if (value !== undefined) countUp(counts, value);
      return [...counts]
        .map(([value, count]) => ({ value, count }))
        .sort((left, right) => right.count - left.count || compareText(left.value, right.value))
        .slice(0, SURFACE_LIMITS.filterChoices);
    };
    return {
      member: countsOf(({ task }) => [task.member]),
      tag: countsOf(({ task }) => ownTags(task.tags)),
      playbook: countsOf(({ task }) => [playbookIn(task.tags)]),
      worker: countsOf(({ worker }) => [worker]),
    };
  },
});
