import { type CycleHolds, readiness } from '#core/graph/ready.js';
import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { LIMITS } from '#kernel/limits.js';
import { blockersIn } from './blocking.js';
import { type Brief, briefOf, byId } from './brief.js';
import { readyTasks } from './next.js';

type Placed = Brief & { readonly assigned: string | null; readonly member: string | null };

export interface Coordinated {
  /** What can be done side by side now, longest ready first. */
  readonly ready: readonly Placed[];
  readonly in_progress: readonly Placed[];
  /** What only waits for tasks that are being worked on or ready: the next wave. */
  readonly next: readonly (Placed & { readonly waits_for: readonly string[] })[];
  /** What a person has to look at. */
  readonly needs_person: readonly Placed[];
  readonly ready_count: number;
  readonly in_progress_count: number;
  readonly waiting_count: number;
}

/** What whoever coordinates wants to see at a glance: what can start, what is under way, what that sets free. */
export function coordinate(view: GraphView, now: number): Coordinated {
  const ready = readyTasks(view, now);
  const soon = new Set(ready.map((task) => task.id));
  const working: Task[] = [];
  const person: Task[] = [];
  const open: Task[] = [];
  for (const node of view.nodes()) {
    if (!isTask(node)) continue;
    if (node.status === 'in-progress') working.push(node);
    if (node.status === 'pending-validation' || node.status === 'blocked') person.push(node);
    if (node.status === 'open' && !soon.has(node.id)) open.push(node);
  }
  for (const task of working) soon.add(task.id);
  const holds: CycleHolds = new Map();
  const next: { task: Task; holding: readonly string[] }[] = [];
  for (const task of open.sort(byId)) {
    const { reasons } = readiness(view, task.id, now, holds);
    const holding = blockersIn(reasons);
    if (reasons.every((reason) => reason.code === 'predecessor') && holding.every((id) => soon.has(id)))
      next.push({ task, holding });
  }
  return {
    ready: rows(ready),
    in_progress: rows(working.sort(byId)),
    next: next.slice(0, LIMITS.analysisRows).map(({ task, holding }) => ({ ...placed(task), waits_for: holding })),
    needs_person: rows(person.sort(byId)),
    ready_count: ready.length,
    in_progress_count: working.length,
    waiting_count: open.length,
  };
}

const rows = (tasks: readonly Task[]): Placed[] => tasks.slice(0, LIMITS.analysisRows).map(placed);

function placed(task: Task): Placed {
  return { ...briefOf(task), assigned: task.assigned ?? null, member: task.member ?? null };
}
