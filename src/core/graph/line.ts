import { sha256 } from '#kernel/hash.js';
import { isJsonObject, type JsonObject, parseForeignObject } from '#kernel/json.js';
import { byId } from '#kernel/order.js';
import { nodeProblem, withoutNulls } from './record-problem.js';
import type { GraphNode, NodeFields } from './task.js';
import { fieldsOf } from './task-field.js';

/** Order of a task's keys on disk, which keeps diffs small. Unknown keys follow in their given order. */
const KEY_ORDER = [
  ...['kind', 'id', 'title', 'description', 'status', 'assigned', 'estimate'],
  ...['before', 'after', 'after_success', 'requires', 'needs'],
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
    'formation_gate',
  ],
  ...['visibility', 'context_scope', 'exec_mode', 'token_usage', 'session_id', 'wait_condition', 'checkpoint'],
  ...['resurrection_count', 'last_resurrected_at', 'rejection_count', 'max_rejections', 'superseded_by', 'supersedes'],
  ...['unplaced', 'place_near', 'place_before', 'parent', 'epic', 'created_by', 'fence', 'rev', 'converge_on_done'],
  ...[
    'team',
    'member',
    'conversation',
    'plan_required',
    'hands_in',
    'plan_of',
    'timeout',
    'require_commit',
    'reserve',
    'in',
    'merged',
  ],
];
const RANK = new Map(KEY_ORDER.map((key, index) => [key, index]));

/** Bounds whose zero is significant: none allowed, whereas a missing bound may allow several. */
const BOUNDS: ReadonlySet<string> = new Set(['max_retries', 'max_rejections']);

function isEmpty(node: GraphNode, key: string): boolean {
  const value = fieldsOf(node)[key];
  return (
    value === undefined ||
    value === '' ||
    (value === 0 && !BOUNDS.has(key)) ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

/**
 * One line of `graph.jsonl`, without the line feed. Empty, zero and false values of known fields are omitted, except
 * for bounds.
 */
export function nodeLine(node: GraphNode): string {
  if (node.kind !== 'task' || isAsWritten(node)) return JSON.stringify(node);
  const ordered: Record<string, unknown> = {};
  const ranked = Object.keys(node)
    .filter((key) => RANK.has(key))
    .sort((left, right) => (RANK.get(left) ?? 0) - (RANK.get(right) ?? 0));
  for (const key of ranked) if (!isEmpty(node, key)) ordered[key] = fieldsOf(node)[key];
  for (const key of Object.keys(node)) if (!RANK.has(key)) ordered[key] = fieldsOf(node)[key];
  return JSON.stringify(ordered);
}

/** Whether the keys are in file order and none is empty, as in most nodes read from a file. */
function isAsWritten(node: GraphNode): boolean {
  let last = -1;
  for (const key of Object.keys(node)) {
    const rank = RANK.get(key) ?? RANK.size;
    if (rank < last || isEmpty(node, key)) return false;
    last = rank;
  }
  return true;
}

/** Text of the whole file: comments first, then one node per line, sorted by id, then unreadable lines. */
export function graphText(
  nodes: Iterable<GraphNode>,
  comments: readonly string[],
  unreadable: readonly string[],
): string {
  const lines = [...comments, ...sortedById(nodes).map(nodeLine), ...unreadable];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** Returns the nodes in file order: by id, bytewise. */
export function sortedById(nodes: Iterable<GraphNode>): GraphNode[] {
  return [...nodes].sort(byId);
}

export interface BadGraphLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

export interface ParsedGraph {
  readonly nodes: Map<string, GraphNode>;
  readonly comments: readonly string[];
  /** Lines that are not nodes: reported, and written back unchanged. */
  readonly bad: readonly BadGraphLine[];
  readonly duplicates: readonly { line: number; id: string }[];
  /** Line numbers of the opening git conflict markers. The markers themselves are dropped. */
  readonly conflicts: readonly number[];
  /** Nodes between conflict markers, from either side, to be merged. */
  readonly candidates: readonly GraphNode[];
}

/** Parses `graph.jsonl`. A bad line does not keep others from loading; of two lines with one id the last counts. */
export function parseGraph(text: string): ParsedGraph {
  const nodes = new Map<string, GraphNode>();
  const comments: string[] = [];
  const bad: BadGraphLine[] = [];
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
 * Parses a snapshot known to be our own, with nothing but nodes: one call for many lines instead of one per line,
 * without repeating the validation done when it was written. The text comes in pieces of whole lines, which keeps a
 * large one from being in memory at once.
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
  if (typeof value === 'string') return /^(<{7}|={7}|>{7})/.test(line) ? 'a git conflict marker' : value;
  const node: NodeFields = value['kind'] === 'task' ? modernTask(withoutNulls(value)) : value;
  return nodeProblem(node) ?? (node as GraphNode);
}

/** Former names of edge fields in files of the original tool and its early versions. */
const OLD_NAMES = { blocked_by: 'after', blocks: 'before' } as const;
const PLAIN_ID = /^[A-Za-z0-9_-]{1,100}$/;

/**
 * Migrates a task written by any version: old names of edges are replaced, `pending-review` becomes done, and an
 * identity of role and motivation gives the task its agent. All other fields stay unchanged.
 */
export function modernTask(value: JsonObject): JsonObject {
  let task = value;
  for (const [old, name] of Object.entries(OLD_NAMES)) {
    const ids = task[old];
    const present = task[name] ?? [];
    if (!Array.isArray(ids) || !Array.isArray(present)) continue;
    const { [old]: _old, ...rest } = task;
    const all = [...present, ...ids.filter((id) => !present.includes(id))];
    task = all.length === 0 ? rest : { ...rest, [name]: all };
  }
  if (task['visibility'] === '') {
    const { visibility: _none, ...rest } = task; // as the original writes a task without one
    task = rest;
  }
  if (task['status'] === 'pending-review') task = { ...task, status: 'done' };
  const agent = task['agent'] === undefined ? agentOf(task['identity']) : undefined;
  return agent === undefined ? task : { ...task, agent };
}

/** Hash that identifies the agent with this role and motivation; undefined unless both are plain ids. */
function agentOf(identity: unknown): string | undefined {
  if (!isJsonObject(identity)) return undefined;
  const { role_id: role, motivation_id: motivation } = identity;
  if (typeof role !== 'string' || typeof motivation !== 'string') return undefined;
  if (!PLAIN_ID.test(role) || !PLAIN_ID.test(motivation)) return undefined;
  return sha256(`role_id: ${role}\nmotivation_id: ${motivation}\n`);
}

interface ConflictRegions {
  /** Indexes of the markers, and of the common ancestor's text that git quotes between them. */
  readonly marks: ReadonlySet<number>;
  /** Indexes of the lines that belong to either side. */
  readonly inside: ReadonlySet<number>;
  /** Number of each opening marker's line, counted from 1. */
  readonly begins: readonly number[];
}

/** Finds git conflict regions in a text. A marker without its counterparts is an ordinary line. */
export function conflictRegions(lines: readonly string[]): ConflictRegions {
  const marks = new Set<number>();
  const inside = new Set<number>();
  const begins: number[] = [];
  let open: { begin: number; quoted: number | undefined; divided: number | undefined } | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('<<<<<<<')) open = { begin: index, quoted: undefined, divided: undefined };
    else if (!open) continue;
    else if (line.startsWith('|||||||') && open.divided === undefined) open.quoted ??= index;
    else if (line.startsWith('=======')) open.divided ??= index;
    else if (line.startsWith('>>>>>>>') && open.divided !== undefined) {
      const { begin, divided, quoted = divided } = open;
      for (let at = begin; at <= index; at++) {
        if (at === begin || at === index || (at >= quoted && at <= divided)) marks.add(at);
        else inside.add(at);
      }
      begins.push(begin + 1);
      open = undefined;
    }
  }
  return { marks, inside, begins };
}
