import * as z from 'zod/mini';
import type { EventDraft, Patch, Plan } from '#core/graph/event.js';
import { FORGE_NODE, NOTICE_NODE } from '#core/graph/notice-node.js';
import { isRunName } from '#core/graph/run-name.js';
import { type GraphNode, isTask, type LogEntry, type NodeFields, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { sameJson } from '#kernel/json.js';
import { byId } from '#kernel/order.js';
import { splitPatches } from './departures.js';
import { refuseAtWork } from './replay.js';

/** Metadata of a replay, stored beside the graph as it was before. */
export const runMetaShape = z.object({
  id: z.string(),
  timestamp: z.string(),
  model: z.nullable(z.string()),
  reset_tasks: z.readonly(z.array(z.string())),
  preserved_tasks: z.readonly(z.array(z.string())),
  /** Conditions of the replay, or the run that was restored, as `filterText` writes them. */
  filter: z.string(),
});
export type RunMeta = z.infer<typeof runMetaShape>;

export const runChangeShape = z.object({
  id: z.string(),
  /** Null: the task did not exist then, or does not exist now. */
  snapshot_status: z.nullable(z.string()),
  current_status: z.nullable(z.string()),
  change: z.enum(['added', 'removed', 'status_changed']),
});
export type RunChange = z.infer<typeof runChangeShape>;

/** Fields that only the log decides. */
const OWN_FIELDS = new Set(['rev', 'fence', 'log']);

/** Changes of tasks since a run was stored, by id. */
export function changesSince(nodes: Iterable<GraphNode>, view: GraphView): RunChange[] {
  const changes: RunChange[] = [];
  const then = new Map([...nodes].filter(isTask).map((task) => [task.id, task]));
  for (const task of then.values()) {
    const present = view.task(task.id);
    if (present?.status === task.status) continue;
    changes.push({
      id: task.id,
      snapshot_status: task.status,
      current_status: present?.status ?? null,
      change: present ? 'status_changed' : 'removed',
    });
  }
  for (const node of view.nodes()) {
    if (!isTask(node) || then.has(node.id)) continue;
    changes.push({ id: node.id, snapshot_status: null, current_status: node.status, change: 'added' });
  }
  return changes.sort(byId);
}

/** Refuses while runs are active: they would continue on tasks they no longer hold. Errors: `task_running`. */
export function refuseLiveRuns(view: GraphView): void {
  const running = [...view.nodes()]
    .filter(isTask)
    .filter((task) => task.status === 'in-progress' && isRunName(task.assigned));
  refuseAtWork(running);
}

/**
 * Restores the graph of a stored run, in one commit. Fields that only the log decides continue: fences are not reset,
 * logs keep later entries. A claim that a run held then is released, because that run is over.
 */
export function restoreRun(
  view: GraphView,
  nodes: Iterable<GraphNode>,
  options: { now: number; by: string; run: string },
): Plan<{ restored: string[]; removed: string[] }> {
  const entry = {
    timestamp: timestamp(options.now),
    actor: options.by,
    message: `Restored to ${options.run}`,
  };
  const patches: Patch[] = [];
  const there = new Set<string>([NOTICE_NODE, FORGE_NODE]);
  for (const original of nodes) {
    if (original.id === NOTICE_NODE || original.id === FORGE_NODE) continue;
    const node = isTask(original) ? withoutRun(original) : original;
    there.add(node.id);
    const present = view.node(node.id);
    if (present && sameJson(comparable(present), comparable(node))) continue;
    patches.push({
      id: node.id,
      put: isTask(node) ? restoredFields(node, view.task(node.id), entry) : withoutRev(node),
    });
  }
  const restoredIds = patches.map(({ id }) => id);
  const removed = [...view.nodes()].map(({ id }) => id).filter((id) => !there.has(id));
  for (const id of removed) patches.push({ id, del: true });
  const events = splitPatches(patches).map(
    (patch): EventDraft => ({
      op: 'runs_restore',
      actor: options.by,
      detail: { run: options.run, tasks: patch.map(({ id }) => id) },
      patch,
    }),
  );
  return { events, result: { restored: restoredIds.sort(), removed: removed.sort() } };
}

function restoredFields(then: Task, present: Task | undefined, entry: LogEntry): NodeFields {
  const [older, newer] = [then.log ?? [], present?.log ?? []];
  const fence = Math.max(then.fence ?? 0, present?.fence ?? 0);
  return {
    ...withoutRev(then),
    log: [...(newer.length >= older.length ? newer : older), entry],
    ...(fence > 0 ? { fence } : {}),
  };
}

function withoutRun(task: Task): Task {
  if (task.status !== 'in-progress' || !isRunName(task.assigned)) return task;
  const { assigned: _assigned, started_at: _started, ...rest } = task;
  return { ...rest, status: 'open' } as Task;
}

function withoutRev(node: GraphNode): NodeFields {
  const { rev: _rev, ...fields } = node;
  return fields;
}

function comparable(node: GraphNode): NodeFields {
  return Object.fromEntries(Object.entries(node).filter(([field]) => !OWN_FIELDS.has(field))) as NodeFields;
}
