import { graphText, type ParsedGraph, parseGraph } from '#core/graph/line.js';
import type { GraphNode } from '#core/graph/task.js';
import { mergeGraphs, type Side } from './merge-graphs.js';
import { logOf, mergedList } from './merge-values.js';

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
  const kept = mergedList(bad(before), bad(left), bad(right));
  return { text: graphText(merged.nodes.values(), comments, kept), tasks: merged.nodes.size, lost: merged.lost.length };
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
