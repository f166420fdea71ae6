import * as z from 'zod/mini';
import { progressOf } from '#core/graph/epic.js';
import { checkOf } from '#core/graph/evidence.js';
import { isHiddenTask } from '#core/graph/meta.js';
import { readiness } from '#core/graph/ready.js';
import { type Liveness, SHOWN_STATES } from '#core/graph/status-look.js';
import { isTask, isTerminal, type Status, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { searchRank } from '#core/insight/task-search.js';
import { LIMITS } from '#kernel/limits.js';
import { compareText } from '#kernel/order.js';
import { option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { progressShape } from '#operations/task-shape.js';
import { liveShape, tasksAtWork } from './live.js';
import { notRunningReason, shownTaskState } from './status-shapes.js';

/** Filters for tasks. */
const FILTERS = {
  /** Words in the title, the id or the member's name, case-insensitive. */
  search: option(
    'Only tasks with these words in title, id or member',
    z.optional(z.string().check(z.maxLength(LIMITS.settingCharacters))),
    { value: 'WORDS' },
  ),
  /** Statuses as shown. */
  state: option('Only tasks shown in one of these states', z.optional(z.array(z.enum(SHOWN_STATES))), {
    value: 'STATE',
  }),
};

interface Filter {
  readonly search?: string | undefined;
  readonly state?: readonly (typeof SHOWN_STATES)[number][] | undefined;
}

/**
 * Rank of a match, lowest first; undefined for no match. Hidden internal tasks are found only by words. Readiness is
 * computed only for tasks that match the words.
 */
function filterOf(view: GraphView, { search = '', state }: Filter, now: number): (task: Task) => number | undefined {
  const rankOf = searchRank(search);
  return (task) => {
    const rank = rankOf(task);
    if (rank === undefined || (search === '' && isHiddenTask(view, task))) return undefined;
    if (state === undefined) return rank;
    return state.includes(shownTaskState(task, readiness(view, task.id, now))) ? rank : undefined;
  };
}

const pictureTask = z.object({
  id: z.string(),
  title: z.string(),
  state: z.enum(SHOWN_STATES),
  member: z.optional(z.string()),
  /** The first few tags, enough to identify its workflow and group. */
  tags: z.optional(z.array(z.string())),
  /** The task that it is a part of, and for an epic its progress. */
  epic: z.optional(z.string()),
  progress: z.optional(progressShape),
  after: z.array(z.string()),
  after_success: z.array(z.string()),
  created_at: z.optional(z.string()),
  started_at: z.optional(z.string()),
  completed_at: z.optional(z.string()),
  /** Tasks in progress: whether a run is at work. */
  live: z.optional(liveShape),
  /** Done tasks: result of the check, if it did not pass. */
  check: z.optional(z.string()),
  /** Reason why it is not running. */
  reason: z.optional(z.string()),
});

const output = z.object({
  seq: z.number(),
  tasks: z.array(pictureTask),
  /** Number of tasks of the graph, and of those left out of this picture. */
  total: z.number(),
  left_out: z.number(),
});

/**
 * The graph, or a filtered part, as data for a drawing. Waiting and failed tasks are never left out; of the rest,
 * unfinished tasks come first. Omitted tasks are counted.
 */
export const graphPicture = operation({
  name: 'graph.picture',
  command: 'graph picture',
  group: 'Progress',
  kind: 'read',
  instead: 'viz',
  summary: 'Show the tasks and edges with all data for drawing them',
  examples: ['troupe graph picture --json', 'troupe graph picture --limit 100 --json'],
  input: z.strictObject({
    limit: option(
      'At most N tasks besides held-up ones, unfinished first',
      z.optional(z.int().check(z.minimum(1), z.maximum(LIMITS.pictureTasks))),
      { value: 'N' },
    ),
    ...FILTERS,
  }),
  output,
  async run(context, input) {
    const view = await (await context.graph()).view();
    const now = context.clock.now();
    const limit = input.limit ?? LIMITS.pictureTasks;
    const { tasks, total } = selectTasks(view, filterOf(view, input, now), limit);
    const live = await tasksAtWork(context, tasks);
    return {
      seq: view.seq,
      tasks: tasks.map((task) => picture(view, task, now, live.get(task.id) ?? false)),
      total,
      left_out: total - tasks.length,
    };
  },
});

const TAGS_SHOWN = 8;

/** Statuses of tasks that need an event to continue. */
const HELD_UP: ReadonlySet<Status> = new Set(['failed', 'waiting', 'pending-validation', 'blocked']);

/**
 * Held-up tasks first, then unfinished tasks by creation, then finished ones, latest first. Ties are resolved by id, so
 * that the order is stable. A search ranks by match before all that.
 */
function selectTasks(
  view: GraphView,
  rankOf: (task: Task) => number | undefined,
  limit: number,
): { tasks: Task[]; total: number } {
  const heldUp: Task[] = [];
  const unfinished: Task[] = [];
  const finished: Task[] = [];
  const ranks = new Map<string, number>();
  for (const node of view.nodes()) {
    const rank = isTask(node) ? rankOf(node) : undefined;
    if (!isTask(node) || rank === undefined) continue;
    if (rank > 0) ranks.set(node.id, rank);
    if (HELD_UP.has(node.status)) heldUp.push(node);
    else (isTerminal(node.status) ? finished : unfinished).push(node);
  }
  heldUp.sort((left, right) => byTime(left.created_at, right.created_at) || compareText(left.id, right.id));
  unfinished.sort((left, right) => byTime(left.created_at, right.created_at) || compareText(left.id, right.id));
  const room = Math.max(0, limit - heldUp.length);
  if (ranks.size > 0 || unfinished.length < room) {
    finished.sort((left, right) => byTime(right.completed_at, left.completed_at) || compareText(left.id, right.id));
  }
  const rest = [...unfinished, ...finished];
  if (ranks.size > 0) {
    const all = [...heldUp, ...rest];
    const best = all.sort((left, right) => (ranks.get(left.id) ?? 0) - (ranks.get(right.id) ?? 0)).slice(0, limit);
    return { tasks: best, total: all.length };
  }
  return { tasks: [...heldUp, ...rest.slice(0, room)], total: heldUp.length + rest.length };
}
const byTime = (left = '', right = ''): number => compareText(left, right);

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
