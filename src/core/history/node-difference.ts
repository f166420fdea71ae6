import type { Patch } from '#core/graph/event.js';
import type { GraphNode } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import type { GraphView } from '#core/graph/view.js';
import { sameJson } from '#kernel/json.js';
import { byId } from '#kernel/order.js';

/** Patch that turns one node into another, in absolute values; undefined if they are equal. */
export function nodeDifference(from: GraphNode | undefined, to: GraphNode): Patch | undefined {
  const { rev: _rev, ...fields } = to;
  if (!from) return { id: to.id, put: fields };
  const set: Record<string, unknown> = {};
  const unset: string[] = [];
  for (const field of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (field === 'rev' || sameJson(fieldsOf(from)[field], fieldsOf(to)[field])) continue;
    if (fieldsOf(to)[field] === undefined) unset.push(field);
    else set[field] = fieldsOf(to)[field];
  }
  if (Object.keys(set).length === 0 && unset.length === 0) return undefined;
  return {
    id: to.id,
    ...(Object.keys(set).length > 0 ? { set } : {}),
    ...(unset.length > 0 ? { unset } : {}),
  };
}

/** A node that differs between two graphs that should be equal. */
export interface Difference {
  readonly id: string;
  /** The node exists only in the first graph, only in the second, or in both with different fields. */
  readonly kind: 'only-first' | 'only-second' | 'fields';
  readonly fields: readonly string[];
}

/** Differences between two graphs, by id. */
export function differences(first: GraphView, second: GraphView): Difference[] {
  const differences: Difference[] = [];
  for (const node of first.nodes()) {
    const other = second.node(node.id);
    if (!other) differences.push({ id: node.id, kind: 'only-first', fields: [] });
    else if (other !== node) {
      const fields = differingFields(node, other);
      if (fields.length > 0) differences.push({ id: node.id, kind: 'fields', fields });
    }
  }
  for (const { id } of second.nodes()) if (!first.node(id)) differences.push({ id, kind: 'only-second', fields: [] });
  return differences.sort(byId);
}

function differingFields(left: GraphNode, right: GraphNode): string[] {
  const fields = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...fields].filter((field) => !sameJson(fieldsOf(left)[field] ?? null, fieldsOf(right)[field] ?? null)).sort();
}
