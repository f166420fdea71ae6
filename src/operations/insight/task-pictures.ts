import * as z from 'zod/mini';
import { progressOf } from '#core/graph/epic.js';
import { checkOf } from '#core/graph/evidence.js';
import { readiness } from '#core/graph/ready.js';
import { type Liveness, SHOWN_STATES } from '#core/graph/status-look.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { rowsMatching, type TaskFilter, type TaskRow } from '#core/insight/task-rows.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { GraphContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { texts } from '#operations/shapes.js';
import { progressShape } from '#operations/task-shape.js';
import { liveShape, tasksAtWork } from './live.js';
import { notRunningReason, shownTaskState } from './status-shapes.js';

/** Filters for tasks. The value `-` stands for tasks without the property. */
export const FILTERS = {
  /** Words in the title, the id or the member's name, case-insensitive. */
  search: option(
    'Only tasks with these words in title, id or member',
    z.optional(z.string().check(z.maxLength(TEAM_LIMITS.settingCharacters))),
    { value: 'WORDS' },
  ),
  /** Statuses as shown. */
  state: option('Only tasks shown in one of these states', z.optional(z.array(z.enum(SHOWN_STATES))), {
    value: 'STATE',
  }),
  member: option('Only tasks of one of these members; - for none', texts, { value: 'NAME', names: 'member' }),
  tag: option('Only tasks with one of these tags; - for none', texts, { value: 'TAG' }),
  playbook: option('Only steps of one of these playbooks; - for none', texts, { value: 'NAME' }),
  worker: option('Only tasks that run at one of these workers', texts, { value: 'NAME' }),
};

/** Filters as fields of an address. */
export const FILTER_FIELDS = ['search', 'state', 'member', 'tag', 'playbook', 'worker'] as const;

const TAGS_SHOWN = 8;

export const pictureTask = z.object({
  id: z.string(),
  title: z.string(),
  state: z.enum(SHOWN_STATES),
  member: z.optional(z.string()),
  /** The first few tags, enough to identify its playbook and group. */
  tags: z.optional(z.array(z.string())),
  /** The task that it is a part of, and for an epic its progress. */
  epic: z.optional(z.string()),
  progress: z.optional(progressShape),
  after: z.array(z.string()),
  after_success: z.array(z.string()),
  created_at: z.optional(z.string()),
  started_at: z.optional(z.string()),
  completed_at: z.optional(z.string()),
  /** Tasks in progress: whether a run is at work, and at which worker. */
  live: z.optional(liveShape),
  worker: z.optional(z.string()),
  /** Done tasks: result of the check, if it did not pass. */
  check: z.optional(z.string()),
  /** Reason why it is not running. */
  reason: z.optional(z.string()),
});

/** Number of tasks per state, the most important state first. */
export const stateCounts = z.readonly(z.array(z.readonly(z.tuple([z.enum(SHOWN_STATES), z.number()]))));

/** A graph, and the time at which it was so. */
interface Scene {
  readonly view: GraphView;
  readonly now: number;
}

/** The tasks that match, in the present graph or an earlier one. */
export async function findRows(context: GraphContext, filter: TaskFilter, past?: Scene) {
  const view = past?.view ?? (await (await context.graph()).view());
  const agents = (await context.coordinator?.().agents()) ?? [];
  const workers = new Map(agents.map(({ id, worker }) => [id, worker]));
  const now = past?.now ?? context.clock.now();
  return { view, now, rows: rowsMatching(view, filter, { now, workerOf: (run) => workers.get(run) }) };
}

/** Draws the rows of a view, with facts about their runs. In the past a claim is all that is known of a run. */
export async function picturesOf(
  context: GraphContext,
  view: GraphView,
  rows: readonly TaskRow[],
  past?: Scene,
): Promise<(row: TaskRow) => z.infer<typeof pictureTask>> {
  const now = past?.now ?? context.clock.now();
  const tasks = rows.map(({ task }) => task);
  const live = past === undefined ? await tasksAtWork(context, tasks) : undefined;
  return ({ task, worker }) => ({
    ...picture(view, task, now, live === undefined || (live.get(task.id) ?? false)),
    ...(worker === undefined ? {} : { worker }),
  });
}

function picture(view: GraphView, task: Task, now: number, live: Liveness): z.infer<typeof pictureTask> {
  const ready = readiness(view, task.id, now);
  const reason = notRunningReason(view, task, ready, live);
  const progress = progressOf(view, task);
  return {
    id: task.id,
    title: task.title,
    state: shownTaskState(task, ready),
    after: [...(task.after ?? [])],
    after_success: [...(task.after_success ?? [])],
    ...(task.member === undefined ? {} : { member: task.member }),
    ...(task.epic === undefined ? {} : { epic: task.epic }),
    ...(progress === undefined ? {} : { progress }),
    ...(task.tags === undefined || task.tags.length === 0 ? {} : { tags: task.tags.slice(0, TAGS_SHOWN) }),
    ...(task.created_at === undefined ? {} : { created_at: task.created_at }),
    ...(task.started_at === undefined ? {} : { started_at: task.started_at }),
    ...(task.completed_at === undefined ? {} : { completed_at: task.completed_at }),
    ...(task.status === 'in-progress' ? { live } : {}),
    ...checkOf(task),
    ...(reason === undefined ? {} : { reason }),
  };
}
