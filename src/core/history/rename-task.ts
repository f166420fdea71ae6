import type { GraphNode } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { isJsonObject, type Json, type JsonObject } from '#kernel/json.js';

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
