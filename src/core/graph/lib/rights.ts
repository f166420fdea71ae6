import type { Mover } from '#core/graph/lib/move.js';
import { isMetaId } from '#core/graph/meta.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';

/** What a run may say in a change of the task it holds, which others gave it: it adds; it takes nothing back. */
const OWN_ADDITIONS: readonly string[] = ['add_after', 'add_after_success', 'add_tags', 'add_skills'];

/**
 * A task is judged by what it says, so whoever does it does not change that; and of no task does a run say what it may
 * cost.
 */
export function checkRunEdit(task: Task, edit: object, by: Mover): void {
  const said = Object.entries(edit).flatMap(([field, value]) => (value === undefined ? [] : [field]));
  const held = by.taskId === undefined || by.taskId === task.id;
  const wrong = said.find((field) => field === 'cost' || (held && !OWN_ADDITIONS.includes(field)));
  if (wrong === undefined) return;
  throw new TroupeError('not_yours', {
    what: `A run does not change \`${wrong}\` of ${held ? 'the task it was given' : task.id}: a person does.`,
    hint: 'Say in the log of your task what should be different.',
    details: { id: task.id, field: wrong },
  });
}

/** The tasks that judge and assign others have ids of their own; a run makes none of these. */
export function checkRunId(view: GraphView, id: string, by: Mover): void {
  if (by.fence === undefined || !isMetaId(view, id)) return;
  throw new TroupeError('not_yours', {
    what: `${id} is the id of a task that only the coordinator makes.`,
    hint: 'Choose another --id.',
    details: { id },
  });
}
