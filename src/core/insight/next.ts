import * as z from 'zod/mini';
import { isForMember } from '#core/graph/member.js';
import { isHiddenTask } from '#core/graph/meta.js';
import { type CycleHolds, readiness } from '#core/graph/ready.js';
import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { numberAt } from '#kernel/numbers.js';
import { byId, compareText } from '#kernel/order.js';
import { blockersIn } from './blocking.js';
import { briefOf, isUnfinished } from './brief.js';
import { type AbsentClient, DOERS, doerOf } from './done-by.js';
import { flowOf, furthestReaching } from './flow.js';
import type { Brief } from './shapes.js';
import { brief, ids, list, nullableText } from './shapes.js';

export const nextUpShape = z.object({
  task: z.nullable(z.extend(brief, { member: nullableText, done_by: z.enum(DOERS) })),
  /** Number of unfinished tasks that depend on it, directly or not. */
  waiting_for_it: z.number(),
  /** Number of ready tasks, including this one. */
  ready: z.number(),
  reason: z.string(),
});
export type NextUp = z.infer<typeof nextUpShape>;

/** The ready task to do first: by number of dependents, then by time since it became ready, then by id. */
export function nextUp(
  view: GraphView,
  member: string | undefined,
  now: number,
  client: { readonly executor?: string; readonly missing?: AbsentClient },
): NextUp {
  const theirs = (task: Task) => member === undefined || isForMember(task, member);
  const ready = readyTasks(view, now).filter(theirs);
  if (ready.length === 0) return { task: null, waiting_for_it: 0, ready: 0, reason: 'nothing is ready' };
  const flow = flowOf(view, isUnfinished);
  const readyIds = new Set(ready.map((task) => task.id));
  const groupOf = new Map<string, number>();
  for (const [number, task] of flow.tasks.entries())
    if (readyIds.has(task.id)) groupOf.set(task.id, numberAt(flow.groupOf, number));
  const [best] = furthestReaching(flow, 1, groupOf.values());
  const waiting = best?.tasks ?? 0;
  const task = waiting === 0 ? ready[0] : ready.find(({ id }) => groupOf.get(id) === best?.group);
  return {
    task: task ? { ...briefOf(task), member: task.member ?? null, done_by: doerOf(task, client) } : null,
    waiting_for_it: waiting,
    ready: ready.length,
    reason: waiting === 0 ? 'it has been ready longest' : 'more depends on it than on any other ready task',
  };
}

/** Tasks that can be claimed now, longest ready first, without internal tasks, which are never claimed manually. */
function readyTasks(view: GraphView, now: number): Task[] {
  const since = (task: Task) => view.readyAt(task.id) ?? 0;
  const cycleHolds: CycleHolds = new Map();
  return [...view.candidates()]
    .filter((id) => readiness(view, id, now, cycleHolds).ready)
    .flatMap((id) => view.task(id) ?? [])
    .filter((task) => !isHiddenTask(view, task))
    .sort((left, right) => since(left) - since(right) || compareText(left.id, right.id));
}

type TaskRow = Brief & { readonly assigned: string | null; readonly member: string | null };

const memberTask = z.extend(brief, { assigned: nullableText, member: nullableText });

export const coordinationSummaryShape = z.object({
  /** Tasks that can run in parallel now, longest ready first. */
  ready: list(memberTask),
  in_progress: list(memberTask),
  /** Tasks that wait only for tasks in progress or ready: the next wave. */
  next: list(z.extend(memberTask, { waits_for: ids })),
  /** Tasks that need a person. */
  needs_person: list(memberTask),
  ready_count: z.number(),
  in_progress_count: z.number(),
  waiting_count: z.number(),
});
export type CoordinationSummary = z.infer<typeof coordinationSummaryShape>;

/** Overview for a coordinator of work: ready tasks, tasks in progress, and those they unblock. */
export function coordinate(view: GraphView, now: number): CoordinationSummary {
  const ready = readyTasks(view, now);
  const soon = new Set(ready.map((task) => task.id));
  const working: Task[] = [];
  const person: Task[] = [];
  const open: Task[] = [];
  for (const node of view.nodes()) {
    if (!isTask(node)) continue;
    if (node.status === 'in-progress') working.push(node);
    if (node.status === 'pending-validation' || node.status === 'blocked') person.push(node);
    if (node.status === 'open' && !soon.has(node.id) && !isHiddenTask(view, node)) open.push(node);
  }
  for (const task of working) soon.add(task.id);
  const cycleHolds: CycleHolds = new Map();
  const next: { task: Task; holding: readonly string[] }[] = [];
  for (const task of open.sort(byId)) {
    const { reasons } = readiness(view, task.id, now, cycleHolds);
    const holding = blockersIn(reasons);
    if (reasons.every((reason) => reason.code === 'predecessor') && holding.every((id) => soon.has(id)))
      next.push({ task, holding });
  }
  return {
    ready: rows(ready),
    in_progress: rows(working.sort(byId)),
    next: next
      .slice(0, SURFACE_LIMITS.analysisRows)
      .map(({ task, holding }) => ({ ...taskRow(task), waits_for: holding })),
    needs_person: rows(person.sort(byId)),
    ready_count: ready.length,
    in_progress_count: working.length,
    waiting_count: open.length,
  };
}

const rows = (tasks: readonly Task[]): TaskRow[] => tasks.slice(0, SURFACE_LIMITS.analysisRows).map(taskRow);

function taskRow(task: Task): TaskRow {
  return { ...briefOf(task), assigned: task.assigned ?? null, member: task.member ?? null };
}
