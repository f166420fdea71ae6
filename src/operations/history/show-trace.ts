import * as z from 'zod/mini';
import type { Entry } from '#core/graph/event.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { frameLayers, framesOf } from '#core/history/replay-frames.js';
import {
  entriesOf,
  humanInterventions,
  operationOf,
  type TreeNode,
  tasksOfRuns,
  totalsOf,
  treeOf,
  workedSeconds,
} from '#core/history/task-history.js';
import { timelineOf } from '#core/history/timeline.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { compareText } from '#kernel/order.js';
import type { GraphContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { graphAt } from '#operations/graph-at.js';
import { type Context, operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { tracedRuns } from './attempts.js';
import { historyShape } from './history-shape.js';
import { entriesBefore, logUpTo } from './trace-files.js';

const flag = z.optional(z.boolean());

/** Shows the history of a task and its descendants, from the log. `at` shows the state after that event. */
export const traceShow = operation({
  name: 'trace.show',
  command: 'trace show',
  group: 'History',
  kind: 'read',
  where: 'caller',
  summary: 'Show the history of a task: operations, runs, times',
  examples: ['troupe trace show run-the-tests', 'troupe trace show write-the-parser --recursive --timeline'],
  input: z.strictObject({
    id: TASK_ID,
    full: option('Include the output of its runs', flag),
    ops_only: option('Only the operations', flag),
    recursive: option('Include everything that grew from it, as a tree', flag),
    timeline: option('Show what ran in parallel, as lanes', flag),
    graph: option('Show the tasks around it, layer by layer', flag),
    at: option('As of this event', z.optional(z.int().check(z.minimum(1))), { value: 'SEQ' }),
    animate: option('Play it back, event by event', flag),
    speed: option(
      'With --animate: speed factor (default: 10)',
      z.optional(z.number().check(z.minimum(TEAM_LIMITS.traceSpeedLeast), z.maximum(TEAM_LIMITS.traceSpeedMost))),
      { value: 'N' },
    ),
  }),
  output: historyShape,
  async run(context: GraphContext, input) {
    checkTogether(input);
    const store = await context.graph();
    const present = await store.view();
    const view = input.at === undefined ? present : await graphAt(store, input.at, input.id);
    const { seq } = view;
    const task = taskOf(view, input.id);
    const entries = await logUpTo(store, seq);
    const wide = [input.recursive, input.timeline, input.graph, input.animate].includes(true);
    const tree = wide ? treeOf(view, task, tasksOfRuns(entries)) : [];
    const members = new Set(tree.map((node) => node.task.id));
    const tasks = tree.map((node) => node.task);
    const now = seq === present.seq ? timestamp(context.clock.now()) : (entries.at(-1)?.timestamp ?? '');
    const own = entriesOf(entries, (id) => id === task.id);
    const found = entriesOf(await entriesBefore(store), (id) => id === task.id);
    return {
      ...timesOf(task),
      ...(input.at === undefined ? {} : { at: seq }),
      operations: [...found, ...own].map((entry) => operationOf(entry, task.id)),
      ...(input.ops_only === true ? {} : await runsAndSummary(context, task, own, input.full === true)),
      ...(input.recursive === true
        ? recursive(
            tree,
            entriesOf(entries, (id) => members.has(id)),
          )
        : {}),
      ...(input.timeline === true ? { timeline: timelineOf(tasks, now) } : {}),
      ...(input.graph === true ? { graph: graphOf(tasks) } : {}),
      ...(input.animate === true ? animation(entries, members, input.speed ?? 10) : {}),
    };
  },
});

function checkTogether(input: { animate?: boolean | undefined; speed?: number | undefined }): void {
  if (input.speed !== undefined && input.animate !== true) {
    throw new TroupeError('usage', { what: '--speed requires --animate.' });
  }
}

function timesOf({ id, title, status, assigned, created_at, started_at, completed_at }: Task) {
  return {
    id,
    title,
    status,
    ...(assigned === undefined ? {} : { assigned }),
    ...(created_at === undefined ? {} : { created_at }),
    ...(started_at === undefined ? {} : { started_at }),
    ...(completed_at === undefined ? {} : { completed_at }),
  };
}

async function runsAndSummary(context: Pick<Context, 'runs'>, task: Task, own: readonly Entry[], full: boolean) {
  const runs = await tracedRuns(context, task, own, full);
  return {
    runs,
    summary: {
      operations: own.length,
      runs: runs.length,
      human_interventions: humanInterventions(own),
      seconds: workedSeconds(task),
    },
  };
}

function recursive(tree: readonly TreeNode[], entries: readonly Entry[]) {
  return {
    tree: tree.map(({ task, depth, above, link }) => ({
      id: task.id,
      title: task.title,
      status: task.status,
      depth,
      ...(above === undefined ? {} : { above }),
      ...(link === undefined ? {} : { link }),
      ...(task.started_at === undefined ? {} : { started_at: task.started_at }),
      ...(task.completed_at === undefined ? {} : { completed_at: task.completed_at }),
      seconds: workedSeconds(task),
    })),
    totals: totalsOf(tree, entries),
  };
}

function graphOf(tasks: readonly Task[]) {
  const layers = frameLayers(tasks);
  const members = new Set(layers.keys());
  return tasks
    .map(({ id, title, status, after }) => ({
      id,
      title,
      status,
      layer: layers.get(id) ?? 0,
      after: (after ?? []).filter((other) => members.has(other)),
    }))
    .sort((left, right) => left.layer - right.layer || compareText(left.id, right.id));
}

function animation(entries: readonly Entry[], members: ReadonlySet<string>, speed: number) {
  const { frames, left_out } = framesOf(entries, members);
  return { frames, frames_left_out: left_out, speed };
}
