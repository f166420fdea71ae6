import { type GraphNode, isTask, type LogEntry } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { timestamp } from '#kernel/clock.js';
import { isJsonObject, type Json, type JsonObject, sameJson } from '#kernel/json.js';
import { cut } from '#kernel/text.js';

export type SideName = 'ours' | 'theirs';

/** A value overridden by the other side. */
export interface DiscardedValue {
  readonly id: string;
  readonly field: string;
  /** The side it came from. */
  readonly side: SideName;
  readonly value: Json;
}

/** Time at which a side last touched a field of a node, in milliseconds; 0 if it did not. */
export type LastTouched = (id: string, field: string) => number;

export interface Versions {
  readonly base: GraphNode | undefined;
  readonly ours: GraphNode;
  readonly theirs: GraphNode;
}

const NOT_MERGED = new Set(['rev', 'kind', 'id']);
const QUOTED_CHARACTERS = 400;

/** Whether two nodes are equal apart from `rev`, which is specific to each history. */
export function sameNode(left: GraphNode, right: GraphNode): boolean {
  const { rev: _left, ...mine } = left;
  const { rev: _right, ...other } = right;
  return sameJson(mine, other);
}

/** Merges a node field by field. Overridden values are returned in `lost` and, for a task, recorded in its log. */
export function mergeNode(
  { base, ours, theirs }: Versions,
  touched: { ours: LastTouched; theirs: LastTouched },
): { node: GraphNode; lost: readonly DiscardedValue[] } {
  const id = ours.id;
  const node: Record<string, unknown> = { ...ours };
  const lost: DiscardedValue[] = [];
  const notes: LogEntry[] = [];
  const take = (field: string, value: unknown) => {
    if (value === undefined) delete node[field];
    else node[field] = value;
  };
  const isLater = (fields: readonly string[]) => {
    const latest = (side: LastTouched) => Math.max(0, ...fields.map((field) => side(id, field)));
    return {
      theirs: latest(touched.theirs) > latest(touched.ours),
      at: Math.max(latest(touched.theirs), latest(touched.ours)),
    };
  };
  const gaveWay = (field: string, loser: { side: SideName; value: unknown }, at: number) => {
    const value = (loser.value ?? null) as Json;
    lost.push({ id, field, side: loser.side, value });
    notes.push({ timestamp: timestamp(at), actor: 'merge', message: noteOf(field, value) });
  };

  const fields = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  for (const field of fields) {
    if (NOT_MERGED.has(field)) continue;
    const [was, mine, other] = [base && fieldsOf(base)[field], fieldsOf(ours)[field], fieldsOf(theirs)[field]];
    const kind = kindOf(field, [was, mine, other]);
    if (kind === 'execution' || sameJson(mine, other) || sameJson(was, other)) continue;
    if (kind === 'log') take(field, mergedLog(mine, other));
    else if (sameJson(was, mine)) take(field, other);
    else if (kind === 'list') take(field, orNothing(mergedList(was, mine, other)));
    else if (kind === 'counter') take(field, Math.max(Number(mine ?? 0), Number(other ?? 0)));
    else if (kind === 'counters') take(field, mergedCounters(mine, other) ?? mine ?? other);
    else {
      const later = isLater([field]);
      if (later.theirs) take(field, other);
      gaveWay(field, later.theirs ? { side: 'ours', value: mine } : { side: 'theirs', value: other }, later.at);
    }
  }
  mergeExecution();
  const rev = Math.max(Number(ours['rev'] ?? 0), Number(theirs['rev'] ?? 0));
  if (rev > 0) node['rev'] = rev;
  if (notes.length > 0 && isTask(ours)) node['log'] = byTime([...logOf(node['log']), ...notes]);
  return { node: node as GraphNode, lost };

  function mergeExecution(): void {
    const [was, mine, other] = [base, ours, theirs].map((side) => executionOf(side));
    if (sameJson(mine, other) || sameJson(was, other)) return;
    const later = isLater(STATUS_FIELDS);
    if (!sameJson(was, mine)) {
      const value = later.theirs ? mine : other;
      gaveWay('status', { side: later.theirs ? 'ours' : 'theirs', value }, later.at);
      if (!later.theirs) return;
    }
    for (const field of STATUS_FIELDS) take(field, fieldsOf(theirs)[field]);
  }
}

function orNothing(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list;
}

function executionOf(node: GraphNode | undefined): JsonObject {
  const fields: JsonObject = {};
  for (const field of STATUS_FIELDS) {
    const value = node && fieldsOf(node)[field];
    if (value !== undefined) fields[field] = value as Json;
  }
  return fields;
}

function noteOf(field: string, value: Json): string {
  if (value === null) return `Two branches were merged: on one of them ${field} was empty`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `Two branches were merged: on one of them ${field} was ${cut(text, QUOTED_CHARACTERS)}`;
}

/** Merge rule for a field that both sides changed. */
type FieldKind = 'log' | 'list' | 'counter' | 'counters' | 'execution' | 'other';

/**
 * Fields that belong to a task's status. They are taken from one side as a whole: mixed, they would describe a state
 * that never existed.
 */
export const STATUS_FIELDS: readonly string[] = [
  'status',
  'assigned',
  'started_at',
  'completed_at',
  'last_iteration_completed_at',
  'failure_reason',
  'wait_condition',
  'ready_after',
  'session_id',
  'converge_on_done',
  'cycle_ended',
  'asked_to_report',
  'misses',
  'reserve_next',
];

const LISTS = new Set([
  ...['before', 'after', 'after_success', 'requires', 'tags', 'skills', 'inputs', 'deliverables', 'artifacts'],
  ...['superseded_by', 'place_near', 'place_before', 'needs'],
]);

const COUNTERS = new Set([
  ...['retry_count', 'loop_iteration', 'cycle_failure_restarts', 'resurrection_count', 'rejection_count', 'fence'],
]);

/** Returns the merge rule of a field. An unknown list counts as a list if it contains only text. */
export function kindOf(field: string, values: readonly unknown[]): FieldKind {
  if (field === 'log') return 'log';
  if (field === 'token_usage') return 'counters';
  if (STATUS_FIELDS.includes(field)) return 'execution';
  const there = values.filter((value) => value !== undefined);
  if (LISTS.has(field) || there.every(isTextList)) return 'list';
  if (COUNTERS.has(field) && there.every((value) => typeof value === 'number')) return 'counter';
  return 'other';
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Three-way merge of lists: additions of both sides are kept, removals applied; ours first, in its order. */
export function mergedList(base: unknown, ours: unknown, theirs: unknown): string[] {
  const [before, left, right] = [textsOf(base), textsOf(ours), textsOf(theirs)];
  const [former, other] = [new Set(before), new Set(right)];
  const mine = left.filter((item) => other.has(item) || !former.has(item));
  return [...new Set([...mine, ...right.filter((item) => !former.has(item))])];
}

/** Union of both logs, sorted by time; equal times keep their order, ours first. */
export function mergedLog(ours: unknown, theirs: unknown): LogEntry[] {
  const left = logOf(ours);
  const unpaired = new Map<string, number>();
  for (const entry of left) {
    const text = textOf(entry);
    unpaired.set(text, (unpaired.get(text) ?? 0) + 1);
  }
  const added = logOf(theirs).filter((entry) => {
    const text = textOf(entry);
    const count = unpaired.get(text) ?? 0;
    if (count > 0) unpaired.set(text, count - 1);
    return count === 0;
  });
  return byTime([...left, ...added]);
}

export function byTime(log: readonly LogEntry[]): LogEntry[] {
  return [...log].sort((left, right) => timeOrZero(left) - timeOrZero(right));
}

function timeOrZero(entry: LogEntry): number {
  const time = Date.parse(entry.timestamp);
  return Number.isNaN(time) ? 0 : time;
}

/** Larger value of each counter: a counter never falls below either side's count. */
export function mergedCounters(ours: unknown, theirs: unknown): JsonObject | undefined {
  if (!isJsonObject(ours) || !isJsonObject(theirs)) return undefined;
  const merged: JsonObject = { ...theirs, ...ours };
  for (const [key, value] of Object.entries(theirs)) {
    const mine = ours[key];
    if (typeof value === 'number' && typeof mine === 'number') merged[key] = Math.max(value, mine);
  }
  return merged;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

export function logOf(value: unknown): readonly LogEntry[] {
  return Array.isArray(value) ? (value.filter((item) => isJsonObject(item)) as unknown as LogEntry[]) : [];
}

function textOf(entry: LogEntry): string {
  return JSON.stringify([entry.timestamp, entry.actor ?? '', entry.message]);
}
