import type { Entry } from '#core/graph/event.js';
import type { NodeFields } from '#core/graph/task.js';
import { isJsonObject, parseForeignObject } from '#kernel/json.js';

/** Converts another tool's history line to an entry with `seq` 0 that changes nothing; undefined if it is not one. */
export function foreignEntry(line: string, number: number): Entry | undefined {
  const value = line.trim() === '' ? undefined : parseForeignObject(line);
  if (!isJsonObject(value)) return undefined;
  const { timestamp, op, task_id: task, actor, detail } = value;
  if (typeof timestamp !== 'string' || typeof op !== 'string' || value['patch'] !== undefined) return undefined;
  return {
    seq: 0,
    id: `found-${number}`,
    timestamp,
    op,
    ...(typeof task === 'string' ? { task_id: task } : {}),
    ...(typeof actor === 'string' ? { actor } : {}),
    ...(isJsonObject(detail) ? { detail: detail as NodeFields } : {}),
    patch: [],
  };
}
