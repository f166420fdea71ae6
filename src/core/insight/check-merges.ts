import type { Entry } from '#core/graph/event.js';
import type { GraphView } from '#core/graph/view.js';
import { isJsonObject } from '#kernel/json.js';
import { type Complaint, warning } from './complaint.js';
import { typed } from './typed.js';

/** Values that a merge of two branches had to drop, as long as nobody has touched the task since. */
export function checkMerge(view: GraphView, entry: Entry): readonly Complaint[] {
  const lost = entry.op === 'merge' ? entry.detail?.['lost'] : undefined;
  if (!Array.isArray(lost)) return [];
  const fieldsOf = new Map<string, Set<string>>();
  for (const item of lost) {
    if (!isJsonObject(item)) continue;
    const { id, field } = item;
    if (typeof id !== 'string' || typeof field !== 'string') continue;
    fieldsOf.set(id, (fieldsOf.get(id) ?? new Set()).add(field));
  }
  return [...fieldsOf].flatMap(([id, fields]) => {
    const task = view.task(id);
    if (!task || (task.rev ?? 0) > entry.seq) return [];
    const names = [...fields].sort();
    const hint = `Two branches said different things of its ${names.join(', ')}; the later one counts, the other stands in its log: \`troupe log ${typed(id)}\`.`;
    return [warning('merge', id, names, hint)];
  });
}
