// Two histories of one graph put together, as nodes or as the texts of graph.jsonl; how clashing ids give way.
import { graphText, type ParsedGraph, parseGraph } from '#core/graph/line.js';
import { freeId } from '#core/graph/slug.js';
import type { GraphNode } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { isJsonObject, type Json, type JsonObject } from '#kernel/json.js';
import { type DiscardedValue, type LastTouched, logOf, mergedList, mergeNode, sameNode } from './merge-node.js';

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
  readonly lost: readonly DiscardedValue[];
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
  const lost: DiscardedValue[] = [];
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
  const newIds = new Set<string>();
  const isUsed = (id: string) =>
    newIds.has(id) || [base, ours, theirs].some((graph) => graph.nodes.has(id) || graph.retired(id));
  for (const [id, other] of theirs.nodes) {
    if (base.nodes.has(id)) continue;
    const mine = ours.nodes.get(id);
    const reused = !mine && ours.retired(id) && !base.retired(id);
    if (!reused && (!mine || nameOf(mine) === nameOf(other))) continue;
    const next = freeId(id, isUsed);
    newIds.add(next);
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

/** Fields that name other tasks, one or many. */
const REFERENCES = [
  ...['after', 'after_success', 'before', 'requires', 'superseded_by', 'supersedes', 'parent', 'place_near'],
  'place_before',
];
/** Fields that name tasks somewhere inside, under these keys. */
const NESTED = ['cycle_config', 'wait_condition', 'loops_to'];
const NESTED_KEYS = new Set(['task', 'task_id', 'target']);
const DEPTH_MOST = 8;

/** The same node where tasks go by other ids: its own id and whatever it says about others follow. */
export function renamedNode(node: GraphNode, ids: ReadonlyMap<string, string>): GraphNode {
  const changed: Record<string, unknown> = {};
  const own = ids.get(node.id);
  if (own !== undefined) changed['id'] = own;
  for (const field of REFERENCES) {
    const value = fieldsOf(node)[field];
    if (typeof value === 'string' && ids.has(value)) changed[field] = ids.get(value);
    if (Array.isArray(value) && value.some((item) => ids.has(item)))
      changed[field] = value.map((item) => ids.get(item) ?? item);
  }
  for (const field of NESTED) {
    const value = fieldsOf(node)[field] as Json | undefined;
    if (value !== undefined && mentions(value, ids, 0)) changed[field] = inside(value, ids, 0);
  }
  return Object.keys(changed).length === 0 ? node : ({ ...node, ...changed } as GraphNode);
}

function mentions(value: Json, ids: ReadonlyMap<string, string>, depth: number): boolean {
  if (depth > DEPTH_MOST || typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => mentions(item, ids, depth + 1));
  return Object.entries(value).some(
    ([key, item]) =>
      (NESTED_KEYS.has(key) && typeof item === 'string' && ids.has(item)) || mentions(item, ids, depth + 1),
  );
}

function inside(value: Json, ids: ReadonlyMap<string, string>, depth: number): Json {
  if (depth > DEPTH_MOST) return value;
  if (Array.isArray(value)) return value.map((item) => inside(item, ids, depth + 1));
  if (!isJsonObject(value)) return value;
  const next: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    next[key] =
      NESTED_KEYS.has(key) && typeof item === 'string' ? (ids.get(item) ?? item) : inside(item, ids, depth + 1);
  }
  return next;
}

export interface MergedTexts {
  readonly text: string;
  readonly tasks: number;
  /** Values that gave way to the other side's; they stand in the logs of their tasks. */
  readonly lost: number;
}

/**
 * Three texts of `graph.jsonl` as one, as git's merge driver has them: without their histories. What cannot be read stays
 * as it is, of both sides.
 */
export function mergeTexts(base: string, ours: string, theirs: string): MergedTexts {
  const [before, left, right] = [parseGraph(base), parseGraph(ours), parseGraph(theirs)];
  const merged = mergeGraphs({ nodes: before.nodes, retired: () => false }, sideOf(left), sideOf(right));
  const bad = (parsed: ParsedGraph) => parsed.bad.map((line) => line.text);
  const comments = mergedList(before.comments, left.comments, right.comments);
  const unreadable = mergedList(bad(before), bad(left), bad(right));
  return {
    text: graphText(merged.nodes.values(), comments, unreadable),
    tasks: merged.nodes.size,
    lost: merged.lost.length,
  };
}

function sideOf({ nodes }: ParsedGraph): Side {
  const times = new Map<string, number>();
  const timeOf = (id: string) => {
    const node = nodes.get(id);
    const time = times.get(id) ?? (node ? newestTime(node) : 0);
    times.set(id, time);
    return time;
  };
  return { nodes, touched: timeOf, retired: () => false };
}

/** The latest moment a node tells of, in milliseconds: when nothing else says which of two looks is the later one. */
export function newestTime(node: GraphNode): number {
  const moments = [node['created_at'], node['started_at'], node['completed_at'], logOf(node['log']).at(-1)?.timestamp];
  return Math.max(0, ...moments.map((moment) => (typeof moment === 'string' ? Date.parse(moment) || 0 : 0)));
}
