import * as z from 'zod/mini';
import { checkOf } from '#core/graph/evidence.js';
import { sortedById } from '#core/graph/line.js';
import { isHiddenTask } from '#core/graph/meta.js';
import { type CycleHolds, readiness } from '#core/graph/ready.js';
import { isTask, STATUSES, type Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { compareText } from '#kernel/order.js';
import type { GraphContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { liveShape, tasksAtWork } from '#operations/insight/live.js';
import { operation } from '#operations/operation.js';
import { SHOW_INTERNAL } from '#operations/options.js';
import { flag, text, texts } from '#operations/shapes.js';
import { progressShape } from '#operations/task-shape.js';

const rowShape = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  ready: z.boolean(),
  assigned: z.optional(z.string()),
  /** For a task in progress: whether a run works on it. */
  live: z.optional(liveShape),
  /** For a done task: result of its check, unless it passed. */
  check: z.optional(z.string()),
  member: z.optional(z.string()),
  /** The task that it is a part of. */
  epic: z.optional(z.string()),
  /** For an epic: its progress. */
  progress: z.optional(progressShape),
  after: z.readonly(z.array(z.string())),
  tags: z.readonly(z.array(z.string())),
  paused: z.boolean(),
  not_before: z.optional(z.string()),
  ready_after: z.optional(z.string()),
});

export const list = operation({
  name: 'task.list',
  command: 'list',
  group: 'Tasks',
  kind: 'read',
  summary: 'List the tasks',
  examples: ['troupe list', 'troupe list --status failed --json'],
  input: z.strictObject({
    status: option('Only these statuses', z.optional(z.array(z.enum(STATUSES))), { value: 'STATUS' }),
    tag: option('Only tasks with this tag', texts, { short: 't', value: 'TAG' }),
    paused: option('Only paused tasks', flag),
    epic: option('Only the tasks below this one', text, { aliases: ['parent'], value: 'ID', names: 'task' }),
    show_internal: SHOW_INTERNAL,
  }),
  output: z.object({
    tasks: z.array(rowShape),
    total: z.number(),
    /** Number of matching internal tasks that are omitted. */
    internal: z.number(),
  }),
  async run(context: GraphContext, input) {
    const view = await (await context.graph()).view();
    const all = sortedById(view.nodes()).filter(isTask);
    const isLeftOut = (task: Task) => input.show_internal !== true && isHiddenTask(view, task);
    const isGrouped = input.epic !== undefined || all.some(({ epic }) => epic !== undefined);
    const epics = isGrouped ? await import('#core/graph/epic.js') : undefined;
    const below = input.epic === undefined ? undefined : epics?.belowOf(view, taskOf(view, input.epic));
    const holds: CycleHolds = new Map();
    const matching = all
      .filter((task) => !input.status || input.status.includes(task.status))
      .filter((task) => !input.tag || input.tag.every((tag) => task.tags?.includes(tag)))
      .filter((task) => below === undefined || below.has(task.id))
      .filter((task) => input.paused === undefined || (task.paused ?? false) === input.paused);
    const picked = matching.filter((task) => !isLeftOut(task));
    const live = await tasksAtWork(context, picked);
    const rows = picked.map((task) => ({
      ...rowOf(view, task, context.clock.now(), holds),
      ...progressFields(epics?.progressOf(view, task)),
      ...(task.status === 'in-progress' ? { live: live.get(task.id) ?? false } : {}),
      ...checkOf(task),
    }));
    const total = all.filter((task) => !isLeftOut(task)).length;
    return { tasks: rows, total, internal: matching.length - picked.length };
  },
});

const progressFields = <Progress>(progress: Progress | undefined) => (progress === undefined ? {} : { progress });

function rowOf(view: GraphView, task: Task, now: number, holds?: CycleHolds) {
  return {
    id: task.id,
    title: task.title,
    status: task.status,
    ready: task.status === 'open' && readiness(view, task.id, now, holds).ready,
    ...(task.assigned === undefined ? {} : { assigned: task.assigned }),
    ...(task.member === undefined ? {} : { member: task.member }),
    ...(task.epic === undefined ? {} : { epic: task.epic }),
    after: task.after ?? [],
    tags: task.tags ?? [],
    paused: task.paused ?? false,
    ...(task.not_before === undefined ? {} : { not_before: task.not_before }),
    ...(task.ready_after === undefined ? {} : { ready_after: task.ready_after }),
  };
}

const estimateShape = z.looseObject({ hours: z.optional(z.number()), cost: z.optional(z.number()) });
const readyShape = z.object({
  id: z.string(),
  title: z.string(),
  member: z.optional(z.string()),
  tags: z.readonly(z.array(z.string())),
  estimate: z.optional(estimateShape),
});

/** Returns the tasks that could be claimed now, in the order the coordinator would start them. */
export const ready = operation({
  name: 'task.ready',
  command: 'ready',
  group: 'Tasks',
  kind: 'read',
  summary: 'List the tasks that are ready',
  examples: ['troupe ready', 'troupe ready --json'],
  input: z.strictObject({}),
  output: z.object({ tasks: z.array(readyShape) }),
  async run(context: GraphContext) {
    const view = await (await context.graph()).view();
    const now = context.clock.now();
    const tasks = [...view.candidates()]
      .filter((id) => (view.readyAt(id) ?? now) <= now || readiness(view, id, now).ready)
      .sort((left, right) => (view.readyAt(left) ?? 0) - (view.readyAt(right) ?? 0) || compareText(left, right))
      .map((id) => view.task(id))
      .filter((task) => task !== undefined)
      .filter((task) => !isHiddenTask(view, task));
    return {
      tasks: tasks.map((task) => ({
        id: task.id,
        title: task.title,
        ...(task.member === undefined ? {} : { member: task.member }),
        tags: task.tags ?? [],
        ...(task.estimate === undefined ? {} : { estimate: { ...task.estimate } }),
      })),
    };
  },
});
