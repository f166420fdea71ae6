import { freeId } from '#core/graph/slug.js';
import type { GraphNode } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { type LastTouched, type Lost, mergeNode, sameNode } from './merge-node.js';
import { renamedNode } from './rename-task.js';

export type Nodes = ReadonlyMap<string, GraphNode>;

/** One side of a merge: the graph as it stood there, and what is known about how it came to be so. */
export interface Side {
  readonly nodes: Nodes;
  readonly touched: LastTouched;
  /** Was this id given to a task that is gone? */
  readonly retired: (id: string) => boolean;
}

export interface Base {
  readonly nodes: Nodes;
  readonly retired: (id: string) => boolean;
}

export interface MergedGraph {
  readonly nodes: Map<string, GraphNode>;
  readonly lost: readonly Lost[];
  /** New ids that both sides had given to different tasks: theirs goes on under another. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Removed on one side, changed on the other: kept. */
  readonly revived: readonly string[];
}

/**
 * Three ways, by task and by field: where one side changed something it counts, where both did `mergeNode` decides.
 * Nothing that either side made or changed is gone afterwards.
 */
export function mergeGraphs(base: Base, ours: Side, theirs: Side): MergedGraph {
  const renamed = clashes(base, ours, theirs);
  const right = renamed.size === 0 ? theirs : underNewIds(theirs, renamed);
  const nodes = new Map<string, GraphNode>();
  const lost: Lost[] = [];
  const revived: string[] = [];
  const touched = { ours: ours.touched, theirs: right.touched };
  for (const id of new Set([...ours.nodes.keys(), ...right.nodes.keys()])) {
    const [was, mine, other] = [base.nodes.get(id), ours.nodes.get(id), right.nodes.get(id)];
    if (mine && other) {
      const merged = mergeNode({ base: was, ours: mine, theirs: other }, touched);
      nodes.set(id, merged.node);
      lost.push(...merged.lost);
      continue;
    }
    const only = mine ?? other;
    if (!only || (was && sameNode(was, only))) continue; // the other side removed what this one left alone
    if (was) revived.push(id);
    nodes.set(id, only);
  }
  return { nodes, lost, renamed, revived };
}

/** Ids that are new on both sides and name different things. */
function clashes(base: Base, ours: Side, theirs: Side): Map<string, string> {
  const renamed = new Map<string, string>();
  const given = new Set<string>();
  const isUsed = (id: string) =>
    given.has(id) || [base, ours, theirs].some((graph) => graph.nodes.has(id) || graph.retired(id));
  for (const [id, other] of theirs.nodes) {
    if (base.nodes.has(id)) continue;
    const mine = ours.nodes.get(id);
    const reused = !mine && ours.retired(id) && !base.retired(id);
    if (!reused && (!mine || nameOf(mine) === nameOf(other))) continue;
    const next = freeId(id, isUsed);
    given.add(next);
    renamed.set(id, next);
  }
  return renamed;
}

function nameOf(node: GraphNode): string {
  return JSON.stringify([node.kind, fieldsOf(node)['title'] ?? fieldsOf(node)['name'] ?? '']);
}

function underNewIds(side: Side, renamed: ReadonlyMap<string, string>): Side {
  const nodes = new Map<string, GraphNode>();
  for (const node of side.nodes.values()) {
    const next = renamedNode(node, renamed);
    nodes.set(next.id, next);
  }
  const old = new Map([...renamed].map(([from, to]) => [to, from]));
  return { nodes, retired: side.retired, touched: (id, field) => side.touched(old.get(id) ?? id, field) };
}
