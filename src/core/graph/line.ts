import { conflictRegions } from '#core/graph/conflict-regions.js';
import { modernTask } from '#core/graph/legacy.js';
import { nodeProblem, withoutNulls } from '#core/graph/node-problem.js';
import type { GraphNode, NodeFields } from '#core/graph/task.js';
import { parseForeignObject } from '#kernel/json.js';
import { fieldsOf } from './task-field.js';

/** The order of a task's keys on disk, so that a changed field is a small difference. Others follow as found. */
const KEY_ORDER = [
  ...['kind', 'id', 'title', 'description', 'status', 'assigned', 'estimate'],
  ...['before', 'after', 'after_success', 'requires'],
  ...['tags', 'skills', 'inputs', 'deliverables', 'artifacts', 'exec', 'environment'],
  ...['delay', 'not_before', 'created_at', 'started_at', 'completed_at', 'log'],
  ...['retry_count', 'max_retries', 'failure_reason', 'model', 'provider', 'endpoint', 'verify', 'verify_cmd', 'agent'],
  ...[
    'loop_iteration',
    'last_iteration_completed_at',
    'cycle_failure_restarts',
    'cycle_config',
    'ready_after',
    'paused',
  ],
  ...['visibility', 'context_scope', 'exec_mode', 'token_usage', 'session_id', 'wait_condition', 'checkpoint'],
  ...['resurrection_count', 'last_resurrected_at', 'rejection_count', 'max_rejections', 'superseded_by', 'supersedes'],
  ...['unplaced', 'place_near', 'place_before', 'parent', 'created_by', 'fence', 'rev', 'converge_on_done'],
  ...['team', 'member', 'plan_required', 'timeout', 'require_commit', 'reserve', 'in', 'merged'],
];
const RANK = new Map(KEY_ORDER.map((key, index) => [key, index]));

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === '' ||
    value === 0 ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** One line of `graph.jsonl`, without the line feed. Empty, zero and false values of known fields are left out. */
export function nodeLine(node: GraphNode): string {
  if (node.kind !== 'task') return JSON.stringify(node);
  const ordered: Record<string, unknown> = {};
  const known = Object.keys(node)
    .filter((key) => RANK.has(key))
    .sort((left, right) => (RANK.get(left) ?? 0) - (RANK.get(right) ?? 0));
  for (const key of known) if (!isEmpty(fieldsOf(node)[key])) ordered[key] = fieldsOf(node)[key];
  for (const key of Object.keys(node)) if (!RANK.has(key)) ordered[key] = fieldsOf(node)[key];
  return JSON.stringify(ordered);
}

/** The whole file: comments on top as found, then a node a line, by id. */
export function graphText(nodes: Iterable<GraphNode>, comments: readonly string[], kept: readonly string[]): string {
  const lines = [...comments, ...sortedById(nodes).map(nodeLine), ...kept];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** The order of the file: by id, as bytes. */
export function sortedById(nodes: Iterable<GraphNode>): GraphNode[] {
  return [...nodes].sort((left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0));
}

export interface BadLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

export interface ParsedGraph {
  readonly nodes: Map<string, GraphNode>;
  readonly comments: readonly string[];
  /** Lines that are no nodes: reported, and written back as they stand. */
  readonly bad: readonly BadLine[];
  readonly duplicates: readonly { line: number; id: string }[];
  /** Where git could not decide: the line of each opening marker. The markers themselves are not kept. */
  readonly conflicts: readonly number[];
  /** The nodes between conflict markers: what either side says, to be put together. */
  readonly candidates: readonly GraphNode[];
}

/** Reads `graph.jsonl`. A bad line never keeps the others from loading; of two lines with one id the last one counts. */
export function parseGraph(text: string): ParsedGraph {
  const nodes = new Map<string, GraphNode>();
  const comments: string[] = [];
  const bad: BadLine[] = [];
  const duplicates: { line: number; id: string }[] = [];
  const candidates: GraphNode[] = [];
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const regions = conflictRegions(lines);
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const inConflict = regions.inside.has(index);
    if (line.trim() === '' || regions.marks.has(index)) continue;
    if (line.startsWith('#')) {
      if (!comments.includes(line) || !inConflict) comments.push(line);
      continue;
    }
    const parsed = parseNode(line);
    if (typeof parsed === 'string') {
      bad.push({ line: number, text: line, reason: parsed });
      continue;
    }
    if (inConflict) {
      candidates.push(parsed);
      continue;
    }
    if (nodes.has(parsed.id)) duplicates.push({ line: number, id: parsed.id });
    nodes.set(parsed.id, parsed);
  }
  return { nodes, comments, bad, duplicates, conflicts: regions.begins, candidates };
}

/**
 * Reads a snapshot that is known to be our own, with nothing in it but nodes: one call for many lines instead of one a
 * line, and no second look at what was checked when it was written. The text comes in pieces of whole lines, so that a
 * large one need not be there at once.
 */
export function parseOwnGraph(pieces: Iterable<string>): GraphNode[] {
  const nodes: GraphNode[] = [];
  for (const piece of pieces) {
    for (const node of JSON.parse(`[${piece.trimEnd().replaceAll('\n', ',')}]`) as GraphNode[]) nodes.push(node);
  }
  return nodes;
}

function parseNode(line: string): GraphNode | string {
  const value = parseForeignObject(line.trimEnd());
  if (typeof value === 'string') return /^(<{7}|={7}|>{7})/.test(line) ? 'a conflict marker of git' : value;
  const node: NodeFields = value['kind'] === 'task' ? modernTask(withoutNulls(value)) : value;
  return nodeProblem(node) ?? (node as GraphNode);
}
