import { type UnknownPredecessors, unknownPredecessors } from '#core/graph/add.js';
import { closedDeadlock, deadlockWarning } from '#core/graph/deadlock.js';
import type { Plan } from '#core/graph/event.js';
import { checkedEdges, withinLimit } from '#core/graph/lib/checks.js';
import { storedFields, type TaskFields, withGate } from '#core/graph/lib/fields.js';
import { checkFence, type Moved, type Mover } from '#core/graph/moves.js';
import type { NodeFields } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { sameJson } from '#kernel/json.js';
import { refuseGated } from './formation-gate.js';
import { checkPowers, checkRunEdit } from './run-rights.js';
import { fieldsOf } from './task-field.js';

export interface TaskEdit extends TaskFields {
  readonly title?: string | undefined;
  readonly add_after?: readonly string[] | undefined;
  readonly add_after_success?: readonly string[] | undefined;
  readonly remove_after?: readonly string[] | undefined;
  readonly add_tags?: readonly string[] | undefined;
  readonly remove_tags?: readonly string[] | undefined;
  readonly add_skills?: readonly string[] | undefined;
  readonly remove_skills?: readonly string[] | undefined;
  /** Names of fields to clear. */
  readonly clear?: readonly string[] | undefined;
}

const CLEARABLE = [
  ...['description', 'estimate', 'requires', 'tags', 'skills', 'inputs', 'deliverables', 'exec', 'delay', 'not_before'],
  ...[
    'max_retries',
    'max_rejections',
    'model',
    'provider',
    'verify',
    'verify_cmd',
    'require_commit',
    'in',
    'agent',
    'cycle_config',
  ],
  ...['ready_after', 'visibility', 'context_scope', 'exec_mode', 'checkpoint', 'unplaced', 'place_near'],
  ...['member', 'team', 'timeout', 'needs'],
];

/** Changes the fields of a task, never its status: that moves only by its own commands. */
export function editTask(
  view: GraphView,
  id: string,
  edit: TaskEdit,
  options: { by: Mover; unknown?: UnknownPredecessors | undefined },
): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(view, task, options.by);
  refuseGated(task);
  const edges = checkedEdges(
    without([...(task.after ?? []), ...(edit.add_after ?? [])], edit.remove_after),
    without([...(task.after_success ?? []), ...(edit.add_after_success ?? [])], edit.remove_after),
  );
  const fields = storedFields(edit, task);
  if (edges.after.includes(id) && fields['cycle_config'] === undefined && task.cycle_config === undefined) {
    throw new TroupeError('bad_input', {
      what: `Task ${id} cannot depend on itself.`,
      hint: 'Add --max-iterations to repeat it as a cycle.',
    });
  }
  if (options.by.fence !== undefined) {
    checkPowers(view.task(options.by.taskId ?? id), fields);
    checkRunEdit(task, edit, options.by);
  }
  const fresh = edges.after.filter((before) => !task.after?.includes(before));
  const warnings = unknownPredecessors(view, fresh, options.unknown ?? 'warn');
  if (fields['cycle_config'] === undefined && fresh.length > 0) {
    const deadlock = closedDeadlock((other) => view.task(other), id, { after: fresh, waiting: view.dependents(id) });
    if (deadlock) warnings.push(deadlockWarning(deadlock));
  }
  const target: NodeFields = {
    ...(edit.title === undefined ? {} : { title: nonEmptyTitle(edit.title) }),
    ...fields,
    after: edges.after,
    after_success: edges.afterSuccess,
    tags: without(withGate([...(task.tags ?? []), ...(edit.add_tags ?? [])], edit), edit.remove_tags),
    skills: without([...(task.skills ?? []), ...(edit.add_skills ?? [])], edit.remove_skills),
  };
  const unset = (edit.clear ?? []).map(clearable);
  if (task.team !== undefined && task.verify !== undefined && unset.includes('verify'))
    throw new TroupeError('bad_input', {
      what: `${id} is a team task that its leader reviews: \`verify\` cannot be changed.`,
    });
  const set: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(target)) {
    if (unset.includes(field)) continue;
    const empty = Array.isArray(value) && value.length === 0;
    if (empty && fieldsOf(task)[field] !== undefined) unset.push(field);
    else if (!empty && !sameJson(fieldsOf(task)[field], value)) set[field] = value;
  }
  const unsetFields = unset.filter((field) => fieldsOf(task)[field] !== undefined);
  if (Object.keys(set).length === 0 && unsetFields.length === 0) {
    return { events: [], result: { id, status: task.status, changed: false, warnings } };
  }
  return {
    events: [
      {
        op: 'edit',
        task_id: id,
        actor: options.by.name,
        patch: [
          {
            id,
            ...(Object.keys(set).length > 0 ? { set } : {}),
            ...(unsetFields.length > 0 ? { unset: unsetFields } : {}),
          },
        ],
      },
    ],
    result: { id, status: task.status, changed: true, warnings },
  };
}

function without(values: readonly string[], removed: readonly string[] = []): string[] {
  return [...new Set(values)].filter((value) => value !== '' && !removed.includes(value));
}

function nonEmptyTitle(title: string): string {
  const text = withinLimit('title', title.trim());
  if (text === '') throw new TroupeError('bad_input', { what: 'A task needs a title.' });
  return text;
}

function clearable(typed: string): string {
  const field = typed.replaceAll('-', '_'); // accepts the spelling of the flag
  if (CLEARABLE.includes(field)) return field;
  throw new TroupeError('bad_input', {
    what: `The field ${JSON.stringify(field.slice(0, 40))} cannot be cleared.`,
    hint: `Use one of: ${CLEARABLE.join(', ')}.`,
  });
}
