import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { didYouMean } from '#kernel/text.js';

/** Returns the task. Errors: `unknown_task`, with the most similar id as a hint. */
export function taskOf(view: GraphView, id: string): Task {
  const task = view.task(id);
  if (task) return task;
  const departed = view.departed(id);
  if (departed) {
    throw new TroupeError('unknown_task', {
      what: `Task ${id} ${departed.to === 'archive' ? 'is archived' : 'was removed by gc'}; it ended as ${departed.last}.`,
      hint: `Restore it with \`troupe archive ${id} --restore\`.`,
      details: { id, last: departed.last },
    });
  }
  const near = didYouMean(
    id.slice(0, 120),
    (function* () {
      for (const node of view.nodes()) yield node.id;
    })(),
  );
  throw new TroupeError('unknown_task', {
    what: id.trim() === '' ? 'The id of the task is empty.' : `There is no task ${id.slice(0, 120)}.`,
    ...(near ? { hint: `Did you mean ${near}?` } : {}),
    details: { id: id.slice(0, 120) },
  });
}
