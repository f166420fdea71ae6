// Merges two histories of one graph, as nodes or as texts of graph.jsonl, and renames colliding ids.
import { graphText, type ParsedGraph, parseGraph } from '#core/graph/line.js';
import { freeId } from '#core/graph/slug.js';
import type { GraphNode } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { isJsonObject, type Json, type JsonObject } from '#kernel/json.js';
import { type DiscardedValue, type LastTouched, logOf, mergedList, mergeNode, sameNode } from './merge-node.js';

export type Nodes = ReadonlyMap<string, GraphNode>;

/** One side of a merge: its graph, and the times of its changes. */
export interface Side {
  readonly nodes: Nodes;
  readonly touched: LastTouched;
  /** Whether this id belonged to a task that no longer exists. */
  readonly retired: (id: string) => boolean;
}

export interface Base {
  readonly nodes: Nodes;
  readonly retired: (id: string) => boolean;
}

export interface MergedGraph {
  readonly nodes: Map<string, GraphNode>;
  readonly lost: readonly DiscardedValue[];
  /** New ids that both sides gave to different tasks, with the new id of theirs. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Tasks removed on one side and changed on the other: they are kept. */
  readonly revived: readonly string[];
}

/**
 * Three-way merge by task and field: a change on one side counts; for changes on both, `mergeNode` decides. Nothing
 * that either side added or changed is lost.
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
    if (!only || (was && sameNode(was, only))) continue; // the other side removed it, this one left it unchanged
    if (was) revived.push(id);
    nodes.set(id, only);
  }
  return { nodes, lost, renamed, revived };
}

/** Ids that are new on both sides and name different nodes. */
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

/** Fields that contain ids of other tasks, one or many. */
const REFERENCES = [
  ...['after', 'after_success', 'before', 'requires', 'superseded_by', 'supersedes', 'parent', 'place_near'],
  'place_before',
];
/** Fields with nested ids of tasks, under these keys. */
const NESTED = ['cycle_config', 'wait_condition', 'loops_to'];
const NESTED_KEYS = new Set(['task', 'task_id', 'target']);
const DEPTH_MOST = 8;

/** Returns the node with ids replaced: its own, and those in its references. */
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
  /** Number of values overridden by the other side; they are recorded in the task logs. */
  readonly lost: number;
}

/**
 * Merges three texts of `graph.jsonl`, without histories, for git's merge driver. Unreadable lines of both sides are
 * kept.
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

/** Latest timestamp in a node, in milliseconds: decides between two versions if nothing else does. */
export function newestTime(node: GraphNode): number {
  const moments = [node['created_at'], node['started_at'], node['completed_at'], logOf(node['log']).at(-1)?.timestamp];
  return Math.max(0, ...moments.map((moment) => (typeof moment === 'string' ? Date.parse(moment) || 0 : 0)));
}
