import { placedBefore, type UnknownPredecessors, unknownPredecessors } from '#core/graph/add.js';
import { closedDeadlock, deadlockWarning } from '#core/graph/deadlock.js';
import type { Plan } from '#core/graph/event.js';
import { unknownResources } from '#core/graph/known-resource.js';
import { checkedEdges, withinLimit } from '#core/graph/lib/checks.js';
import { storedFields, type TaskFields, withGate } from '#core/graph/lib/fields.js';
import { checkFence, type Moved, type Mover } from '#core/graph/moves.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { sameJson } from '#kernel/json.js';
import { shellWord } from '#kernel/text.js';
import { partsOf } from './epic.js';
import { refuseGated } from './formation-gate.js';
import { checkPart, leavePatch } from './part-of.js';
import { checkPowers, checkRunEdit } from './run-rights.js';
import { fieldsOf } from './task-field.js';

export interface TaskEdit extends TaskFields {
  readonly title?: string | undefined;
  /** Id of the task that this one becomes a part of, instead of its present epic. */
  readonly epic?: string | undefined;
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
  ...['member', 'team', 'timeout', 'needs', 'epic'],
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
  refuseLostPart(view, task, edit.remove_after);
  const joined = edit.epic === undefined || edit.epic === task.epic ? undefined : edit.epic;
  if (joined !== undefined) checkPart(view, id, joined, edges.after);
  const fresh = edges.after.filter((before) => !task.after?.includes(before));
  const warnings = [
    ...unknownPredecessors(view, fresh, options.unknown ?? 'warn'),
    ...unknownResources(view, edit.requires),
  ];
  if (fields['cycle_config'] === undefined && (fresh.length > 0 || joined !== undefined)) {
    const deadlock = closedDeadlock((other) => view.task(other), id, {
      after: joined === undefined ? fresh : edges.after,
      waiting: [...view.dependents(id), ...(joined === undefined ? [] : [joined])],
    });
    if (deadlock) warnings.push(deadlockWarning(deadlock));
  }
  const target: NodeFields = {
    ...(edit.title === undefined ? {} : { title: nonEmptyTitle(edit.title) }),
    ...fields,
    ...(edit.epic === undefined ? {} : { epic: edit.epic }),
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
  const epics = [
    ...(joined !== undefined || unsetFields.includes('epic') ? leavePatch(view, task) : []),
    ...placedBefore(view, id, unsetFields.includes('epic') || edit.epic === undefined ? [] : [edit.epic]).patch,
  ];
  if (Object.keys(set).length === 0 && unsetFields.length === 0 && epics.length === 0) {
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
          ...epics,
        ],
      },
    ],
    result: { id, status: task.status, changed: true, warnings },
  };
}

/** An epic that no longer waits for its part would have lost it. */
function refuseLostPart(view: GraphView, epic: Task, removed: readonly string[] = []): void {
  const part = partsOf(view, epic).find(({ id }) => removed.includes(id));
  if (part === undefined) return;
  throw new TroupeError('bad_input', {
    what: `${part.id} is a part of ${epic.id}, which therefore waits for it.`,
    hint: `Run \`troupe edit ${shellWord(part.id)} --clear epic\`.`,
    details: { id: part.id, epic: epic.id },
  });
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
  const flag = typed.replaceAll('-', '_'); // accepts the spelling of the flag
  const field = flag === 'parent' ? 'epic' : flag;
  if (CLEARABLE.includes(field)) return field;
  throw new TroupeError('bad_input', {
    what: `The field ${JSON.stringify(field.slice(0, 40))} cannot be cleared.`,
    hint: `Use one of: ${CLEARABLE.join(', ')}.`,
  });
}
