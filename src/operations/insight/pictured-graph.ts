import type { Cycle } from '#core/graph/cycles.js';
import { readiness } from '#core/graph/ready.js';
import type { ShownState } from '#core/graph/status-look.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { chosenTasks } from '#core/insight/choosing.js';
import { criticalPath } from '#core/insight/critical-path.js';
import { addAt } from '#core/insight/gathering.js';
import { layersOf } from '#core/insight/layers.js';
import type { Picture, PictureEdge, PictureNode } from '#core/insight/picture.js';
import { notRunningBecause, shownState } from './status-shapes.js';

interface Wishes {
  readonly ids?: readonly string[] | undefined;
  readonly all?: boolean | undefined;
  readonly show_internal?: boolean | undefined;
  readonly status?: readonly ShownState[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly critical_path?: boolean | undefined;
}

export interface PicturedGraph {
  readonly picture: Picture;
  readonly layers: string[][];
  readonly total: number;
  readonly hidden: { readonly finished: number; readonly internal: number };
  readonly critical_path?: string[];
}

/** The chosen tasks with everything a drawing says of them. */
export function picturedGraph(view: GraphView, now: number, wishes: Wishes): PicturedGraph {
  const stateOf = (task: Task) => shownState(task, readiness(view, task.id, now));
  const { status, tag } = wishes;
  const chosen = chosenTasks(view, {
    ids: wishes.ids,
    finished: wishes.all === true || status !== undefined,
    internal: wishes.show_internal === true,
    matches: (task) =>
      (status === undefined || status.includes(task.status) || status.includes(stateOf(task))) &&
      (tag ?? []).every((one) => task.tags?.includes(one)),
  });
  const cycles = new Map([...view.cycles()].map((cycle) => [cycle.header, cycle]));
  const isReturn = returnsOf(cycles);
  const tasks = chosen.tasks.map((task) => ({ id: task.id, after: task.after ?? [] }));
  const { layerOf, edges } = layersOf(tasks, isReturn);
  const chain = wishes.critical_path === true ? criticalPath(view).critical_path.map((task) => task.id) : undefined;
  const critical = new Set(chain);
  const layers: string[][] = [];
  for (const { id } of tasks) addAt(layers, layerOf.get(id) ?? 0, id);
  return {
    picture: {
      nodes: chosen.tasks.map((task) => nodeOf(view, task, now, cycles.get(task.id), critical.has(task.id))),
      edges: edges.map(({ from, to, back }) => (back ? { from, to, back } : { from, to })).sort(byEnds),
    },
    layers,
    total: chosen.total,
    hidden: { finished: chosen.finished, internal: chosen.internal },
    ...(chain === undefined ? {} : { critical_path: chain }),
  };
}

function byEnds(left: PictureEdge, right: PictureEdge): number {
  return compare(left.from, right.from) || compare(left.to, right.to);
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** Does this edge lead from inside a cycle to its header? */
function returnsOf(cycles: ReadonlyMap<string, Cycle>): (from: string, to: string) => boolean {
  const members = new Map([...cycles.values()].map((cycle) => [cycle.header, new Set(cycle.members)]));
  return (from, to) => members.get(to)?.has(from) === true;
}

function nodeOf(view: GraphView, task: Task, now: number, cycle: Cycle | undefined, critical: boolean): PictureNode {
  const ready = readiness(view, task.id, now);
  const missing = [...new Set(task.after ?? [])].filter((id) => view.node(id) === undefined);
  const told = ready.reasons.every((reason) => reason.code === 'predecessor') && task.status === 'open';
  const note = told || task.status === 'abandoned' ? undefined : notRunningBecause(view, task, ready, true);
  return {
    id: task.id,
    title: task.title,
    state: shownState(task, ready),
    ...(cycle === undefined
      ? {}
      : {
          loop: {
            iteration: task.loop_iteration ?? 0,
            ...(cycle.config === undefined ? {} : { most: cycle.config.max_iterations }),
          },
        }),
    ...(missing.length === 0 ? {} : { missing }),
    ...(critical ? { critical } : {}),
    ...(note === undefined ? {} : { note }),
    ...(task.created_at === undefined ? {} : { created_at: task.created_at }),
  };
}
