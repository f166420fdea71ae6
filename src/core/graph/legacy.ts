import { sha256 } from '#kernel/hash.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';

/** Other names that edges had in files of the original tool and of its early versions. */
const OLD_NAMES = { blocked_by: 'after', blocks: 'before' } as const;
const PLAIN_ID = /^[A-Za-z0-9_-]{1,100}$/;

/**
 * A task as it is read, whatever version wrote it: old names of edges become the present ones, `pending-review` is done,
 * and an identity of role and motivation gives the task its agent. All other fields stay as found.
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
  if (task['status'] === 'pending-review') task = { ...task, status: 'done' };
  const agent = task['agent'] === undefined ? agentOf(task['identity']) : undefined;
  return agent === undefined ? task : { ...task, agent };
}

/** The hash that names an agent of this role and motivation; undefined when the two cannot be told as plain text. */
function agentOf(identity: unknown): string | undefined {
  if (!isJsonObject(identity)) return undefined;
  const { role_id: role, motivation_id: motivation } = identity;
  if (typeof role !== 'string' || typeof motivation !== 'string') return undefined;
  if (!PLAIN_ID.test(role) || !PLAIN_ID.test(motivation)) return undefined;
  return sha256(`role_id: ${role}\nmotivation_id: ${motivation}\n`);
}
