import type { Plan } from '#core/graph/event.js';
import type { NodeFields } from '#core/graph/task.js';

/** The plan with more fields for one task in its first event. */
export function withTaskFields(plan: Plan<unknown>, id: string, set: NodeFields): Plan<undefined> {
  const [first, ...rest] = plan.events;
  if (!first) return { events: [], result: undefined };
  const patch = first.patch.map((item) =>
    item.id === id && !('put' in item) && !('del' in item) ? { ...item, set: { ...item.set, ...set } } : item,
  );
  return { events: [{ ...first, patch }, ...rest], result: undefined };
}
