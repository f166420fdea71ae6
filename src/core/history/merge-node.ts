import { type GraphNode, isTask, type LogEntry } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { timestamp } from '#kernel/clock.js';
import { type Json, type JsonObject, sameJson } from '#kernel/json.js';
import { cut } from '#kernel/text.js';
import { EXECUTION_FIELDS, kindOf } from './merge-fields.js';
import { byTime, logOf, mergedCounters, mergedList, mergedLog } from './merge-values.js';

export type SideName = 'ours' | 'theirs';

/** A value that had to give way to the other side's. */
export interface Lost {
  readonly id: string;
  readonly field: string;
  /** Whose it was. */
  readonly side: SideName;
  readonly value: Json;
}

/** When a side last touched a field of a node, in milliseconds; a side that did not answers 0. */
export type LastTouched = (id: string, field: string) => number;

export interface Versions {
  readonly base: GraphNode | undefined;
  readonly ours: GraphNode;
  readonly theirs: GraphNode;
}

const NOT_MERGED = new Set(['rev', 'kind', 'id']);
const QUOTED_CHARACTERS = 400;

/** Is this the same task to everybody? `rev` is each history's own number. */
export function sameNode(left: GraphNode, right: GraphNode): boolean {
  const { rev: _left, ...mine } = left;
  const { rev: _right, ...other } = right;
  return sameJson(mine, other);
}

/** One node that both sides have, field by field. What gave way stands in `lost` and, for a task, in its log. */
export function mergeNode(
  { base, ours, theirs }: Versions,
  touched: { ours: LastTouched; theirs: LastTouched },
): { node: GraphNode; lost: readonly Lost[] } {
  const id = ours.id;
  const node: Record<string, unknown> = { ...ours };
  const lost: Lost[] = [];
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
    const later = isLater(EXECUTION_FIELDS);
    if (!sameJson(was, mine)) {
      const value = later.theirs ? mine : other;
      gaveWay('status', { side: later.theirs ? 'ours' : 'theirs', value }, later.at);
      if (!later.theirs) return;
    }
    for (const field of EXECUTION_FIELDS) take(field, fieldsOf(theirs)[field]);
  }
}

function orNothing(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list;
}

function executionOf(node: GraphNode | undefined): JsonObject {
  const fields: JsonObject = {};
  for (const field of EXECUTION_FIELDS) {
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
