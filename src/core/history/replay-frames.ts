import * as z from 'zod/mini';
import type { Entry } from '#core/graph/event.js';
import { GraphState } from '#core/graph/state.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { numberOf } from '#kernel/numbers.js';
import { taskOfEntry, watchType } from './watch-event.js';

const frameTaskShape = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  /** Edges to other tasks of the frame. */
  after: z.readonly(z.array(z.string())),
});
export type FrameTask = z.infer<typeof frameTaskShape>;

export const frameShape = z.object({
  seq: z.number(),
  timestamp: z.string(),
  type: z.string(),
  op: z.string(),
  task_id: z.optional(z.string()),
  actor: z.optional(z.string()),
  tasks: z.readonly(z.array(frameTaskShape)),
});
export type Frame = z.infer<typeof frameShape>;

export interface Frames {
  readonly frames: readonly Frame[];
  /** Number of initial events without a frame of their own, because of the limit. */
  readonly left_out: number;
}

/**
 * Rebuilds the graph at each event that touched one of these tasks, from the log alone. An unchanged task is the same
 * object in consecutive frames. A long history keeps its last frames: at most `traceFrames`, with at most
 * `traceFrameRows` tasks in total.
 */
export function framesOf(entries: readonly Entry[], members: ReadonlySet<string>): Frames {
  const most = Math.max(
    1,
    Math.min(TEAM_LIMITS.traceFrames, Math.floor(TEAM_LIMITS.traceFrameRows / Math.max(1, members.size))),
  );
  const leftOut = Math.max(0, entries.filter((entry) => concerns(entry, members)).length - most);
  const state = new GraphState();
  const present = new Map<string, FrameTask>();
  const frames: Frame[] = [];
  let count = 0;
  for (const entry of entries) {
    if (!concerns(entry, members)) continue;
    const patch = entry.patch.filter(({ id }) => members.has(id));
    state.apply({ ...entry, patch });
    for (const { id } of patch) refresh(state, present, id, members);
    if (++count <= leftOut) continue;
    const about = taskOfEntry(entry);
    frames.push({
      seq: entry.seq,
      timestamp: entry.timestamp,
      type: watchType(entry),
      op: entry.op,
      ...(about === undefined ? {} : { task_id: about }),
      ...(entry.actor === undefined ? {} : { actor: entry.actor }),
      tasks: [...present.values()],
    });
  }
  return { frames, left_out: leftOut };
}

function concerns(entry: Entry, members: ReadonlySet<string>): boolean {
  const about = taskOfEntry(entry);
  return (about !== undefined && members.has(about)) || entry.patch.some((patch) => members.has(patch.id));
}

function refresh(state: GraphState, present: Map<string, FrameTask>, id: string, members: ReadonlySet<string>): void {
  const task = state.task(id);
  if (task === undefined) present.delete(id);
  else {
    const after = (task.after ?? []).filter((other) => members.has(other));
    present.set(id, { id, title: task.title, status: task.status, after });
  }
}

export interface LinkedTask {
  readonly id: string;
  readonly after?: readonly string[];
}

/**
 * Computes the layer of each task: one more than the highest layer of its predecessors. Edges to other tasks are
 * ignored. On a cycle the first task in the given order comes first, and its incoming back edge is ignored. Costs tasks
 * + edges.
 */
export function frameLayers(tasks: readonly LinkedTask[]): ReadonlyMap<string, number> {
  const ids = new Set(tasks.map((task) => task.id));
  const waits = new Map<string, number>();
  const dependents = new Map<string, string[]>();
  for (const task of tasks) {
    const before = new Set((task.after ?? []).filter((id) => ids.has(id) && id !== task.id));
    waits.set(task.id, before.size);
    for (const id of before) {
      const list = dependents.get(id);
      if (list) list.push(task.id);
      else dependents.set(id, [task.id]);
    }
  }
  const layers = new Map<string, number>();
  const placed = new Set<string>();
  const free = tasks.filter((task) => waits.get(task.id) === 0).map((task) => task.id);
  let unplaced = 0;
  for (let next = 0; placed.size < ids.size; next++) {
    let id = free[next];
    if (id === undefined) {
      while (placed.has(tasks[unplaced]?.id ?? '')) unplaced++;
      id = tasks[unplaced]?.id ?? '';
      free.push(id);
    }
    if (placed.has(id)) continue;
    placed.add(id);
    const layer = numberOf(layers, id);
    layers.set(id, layer);
    for (const dependent of dependents.get(id) ?? []) {
      if (placed.has(dependent)) continue;
      layers.set(dependent, Math.max(numberOf(layers, dependent), layer + 1));
      const remaining = numberOf(waits, dependent) - 1;
      waits.set(dependent, remaining);
      if (remaining === 0) free.push(dependent);
    }
  }
  return layers;
}
