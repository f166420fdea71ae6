import type { Patch } from '#core/graph/event.js';
import type { GraphNode } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { sameJson } from '#kernel/json.js';

/** What turns one node into another, told in absolute values; undefined when there is nothing to tell. */
export function nodeDifference(from: GraphNode | undefined, to: GraphNode): Patch | undefined {
  const { rev: _rev, ...wanted } = to;
  if (!from) return { id: to.id, put: wanted };
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
