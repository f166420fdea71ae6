import type { EventDraft, Patch } from '#core/graph/event.js';
import { packEvents } from '#core/graph/packing.js';
import type { GraphNode, LogEntry, NodeFields } from '#core/graph/task.js';
import { sameJson } from '#kernel/json.js';
import { fieldsOf } from './task-field.js';

/** Fields that only the log decides; hand edits of them are ignored. */
export const NOT_BY_HAND: ReadonlySet<string> = new Set([
  ...['rev', 'fence', 'before', 'formation_gate', 'unverified_edit', 'outside'],
]);

/**
 * Three-way merge of a hand edit of `graph.jsonl`, by task and field. `base` is the snapshot last written, `hand` the
 * edited file, `present` the current state. Fields in which `hand` differs from `base` win; the others keep the current
 * state. A removed line removes the task. Returns no events if nothing differs, several only if one log line could not
 * hold the change.
 */
export function handEdit(
  base: ReadonlyMap<string, GraphNode>,
  hand: ReadonlyMap<string, GraphNode>,
  present: (id: string) => GraphNode | undefined,
  unreadable: ReadonlySet<string>,
): EventDraft[] {
  const patch: Patch[] = [];
  for (const [id, node] of hand) {
    const was = base.get(id);
    const is = present(id);
    if (!was && !is) {
      patch.push({ id, put: withoutRev(node) });
      continue;
    }
    if (!is) {
      if (was && !sameJson(comparable(was), comparable(node))) patch.push({ id, put: withoutRev(node) });
      continue;
    }
    const change = fieldChanges(was ?? ({} as GraphNode), node, is);
    if (change) patch.push({ id, ...change });
  }
  for (const id of base.keys()) {
    if (!hand.has(id) && !unreadable.has(id) && present(id)) patch.push({ id, del: true });
  }
  if (patch.length === 0) return [];
  const parcels = patch.map((item) => ({ patch: item }));
  return packEvents('hand_edit', parcels, (here) => ({ tasks: here.map((parcel) => parcel.patch.id) }));
}

function fieldChanges(was: GraphNode, hand: GraphNode, is: GraphNode) {
  const set: Record<string, unknown> = {};
  const unset: string[] = [];
  let log: readonly LogEntry[] | undefined;
  for (const field of new Set([...Object.keys(was), ...Object.keys(hand)])) {
    if (
      NOT_BY_HAND.has(field) ||
      sameJson(fieldsOf(was)[field], fieldsOf(hand)[field]) ||
      sameJson(fieldsOf(is)[field], fieldsOf(hand)[field])
    )
      continue;
    if (field === 'log') log = (hand['log'] as readonly LogEntry[] | undefined) ?? [];
    else if (fieldsOf(hand)[field] === undefined) unset.push(field);
    else set[field] = fieldsOf(hand)[field];
  }
  if (Object.keys(set).length === 0 && unset.length === 0 && log === undefined) return undefined;
  return {
    ...(Object.keys(set).length > 0 ? { set } : {}),
    ...(unset.length > 0 ? { unset } : {}),
    ...(log === undefined ? {} : { log_at: 0, log }),
  };
}

function withoutRev(node: GraphNode): NodeFields {
  const { rev: _rev, ...fields } = node;
  return fields;
}

function comparable(node: GraphNode): NodeFields {
  return Object.fromEntries(Object.entries(node).filter(([field]) => !NOT_BY_HAND.has(field)));
}
