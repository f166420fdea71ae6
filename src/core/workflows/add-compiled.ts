import { addTask } from '#core/graph/add.js';
import type { Plan } from '#core/graph/event.js';
import type { NodeFields } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { CompiledTask } from './compiled.js';

/** All tasks of a compilation, together: those that come before may stand behind in the list, as in a cycle. */
export function addCompiled(
  view: GraphView,
  tasks: readonly CompiledTask[],
  by: { now: number; actor: string },
): Plan<undefined> {
  const coming = new Set(tasks.map((task) => task.id));
  const events = tasks.flatMap(({ workflow, human, ...task }) => {
    const marks = { workflow: { ...workflow }, ...(human === true ? { human: true } : {}) } as NodeFields;
    return addTask(view, { ...task, no_place: true }, { ...by, coming }).events.map((event) => ({
      ...event,
      patch: event.patch.map((patch) =>
        patch.id === task.id && 'put' in patch ? { ...patch, put: { ...patch.put, ...marks } } : patch,
      ),
    }));
  });
  return { events, result: undefined };
}
