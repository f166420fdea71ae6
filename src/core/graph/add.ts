import { closedDeadlock, deadlockWarning } from '#core/graph/deadlock.js';
import type { EventDraft, Patch, Plan } from '#core/graph/event.js';
import { unknownResources } from '#core/graph/known-resource.js';
import { checkedEdges, withinLimit } from '#core/graph/lib/checks.js';
import { storedFields, type TaskFields, withGate } from '#core/graph/lib/fields.js';
import type { Mover } from '#core/graph/lib/move.js';
import { checkClaim } from '#core/graph/moves.js';
import { freeId, isIdForm, titleSlug } from '#core/graph/slug.js';
import { isTerminal, type NodeFields } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { didYouMean } from '#kernel/text.js';
import type { FormationGate } from './formation-gate.js';
import { checkPart } from './part-of.js';
import type { SeedLimits } from './run-rights.js';
import { checkRunId, seedFields } from './run-rights.js';

/** Fields of a task to be added. Lists keep the given order; duplicates collapse. */
export interface TaskDraft extends TaskFields {
  readonly title: string;
  readonly id?: string | undefined;
  /** The title in Latin letters; the id is derived from it. */
  readonly plain_title?: string | undefined;
  readonly after?: readonly string[] | undefined;
  readonly after_success?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly skills?: readonly string[] | undefined;
  readonly inputs?: readonly string[] | undefined;
  readonly deliverables?: readonly string[] | undefined;
  readonly paused?: boolean | undefined;
  /** The formation command that releases the task. */
  readonly formation_gate?: FormationGate | undefined;
  readonly team?: string | undefined;
  /** Id of the task whose run asked for this one. */
  readonly parent?: string | undefined;
  /** Id of the task that this one becomes a part of. */
  readonly epic?: string | undefined;
  /** Done by a person, never by a run. */
  readonly human?: true | undefined;
  /** Ends by submitting the one file among its deliverables. */
  readonly hands_in?: true | undefined;
  /** Nothing can be submitted before a plan is approved. */
  readonly plan_required?: true | undefined;
  /** Id of the task whose plan this task prepares. */
  readonly plan_of?: string | undefined;
  /** Id of the conversation that this task answers. */
  readonly conversation?: string | undefined;
  /** Inputs of a workflow node, `IN_NAME` → value; they reach the command only as environment. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Keeps exactly the given edges: the task is not placed automatically. */
  readonly no_place?: boolean | undefined;
  readonly place_near?: readonly string[] | undefined;
  readonly place_before?: readonly string[] | undefined;
}

export interface AddResult {
  readonly id: string;
  /** Warnings for the caller that refuse nothing, for instance about unknown predecessors. */
  readonly warnings: readonly string[];
}

export interface AddContext {
  readonly now: number;
  readonly actor?: string;
  /** The run that asks, with its limits; undefined for a person or the coordinator. */
  readonly by?: Mover;
  /** Limits on what a run may add, if they differ from the defaults. */
  readonly limits?: SeedLimits | undefined;
  /** Handling of predecessors that do not exist; the default is a warning. */
  readonly unknown?: UnknownPredecessors | undefined;
  /** New tasks wait to be placed, unless the draft says otherwise. */
  readonly autoPlace?: boolean;
  /** The program itself asks: only then may the id begin with a full stop. */
  readonly ownId?: boolean;
  /** Ids added by the same group of events: an edge to one of them is not an unknown predecessor. */
  readonly coming?: ReadonlySet<string>;
}

/** Plans a new open task. `created_by` is the run or person that asked; `now` in milliseconds. */
export function addTask(view: GraphView, draft: TaskDraft, context: AddContext): Plan<AddResult> {
  const title = withinLimit('title', draft.title.trim());
  if (title === '') throw new TroupeError('bad_input', { what: 'A task needs a title.' });
  const id = newId(view, draft, context.ownId === true);
  const edges = checkedEdges(draft.after, draft.after_success);
  if (edges.after.includes(id) && draft.max_iterations === undefined) {
    throw new TroupeError('bad_input', {
      what: `Task ${id} cannot depend on itself.`,
      hint: 'Add --max-iterations to repeat it as a cycle.',
    });
  }
  if (context.by) {
    checkClaim(view, context.by);
    checkRunId(view, id, context.by);
  }
  const warnings = unknownPredecessors(
    view,
    edges.after.filter((before) => before !== id && context.coming?.has(before) !== true),
    context.unknown ?? 'warn',
  );
  warnings.push(...unknownResources(view, draft.requires));
  const fields = storedFields(draft);
  if (draft.epic !== undefined) checkPart(view, id, draft.epic, edges.after);
  const placed = placedBefore(view, id, [...(draft.place_before ?? []), ...(draft.epic ? [draft.epic] : [])]);
  if (fields['cycle_config'] === undefined) {
    const waiting = [...view.dependents(id), ...placed.patch.map((patch) => patch.id)];
    const deadlock = closedDeadlock((other) => view.task(other), id, { after: edges.after, waiting });
    if (deadlock) warnings.push(deadlockWarning(deadlock));
  }
  const task = {
    kind: 'task',
    id,
    title,
    status: 'open',
    ...list('after', edges.after),
    ...list('after_success', edges.afterSuccess),
    ...list('tags', withGate(draft.tags ?? [], draft)),
    ...list('skills', draft.skills),
    ...list('inputs', draft.inputs),
    ...list('deliverables', draft.deliverables),
    ...(draft.environment && Object.keys(draft.environment).length > 0
      ? { environment: { ...draft.environment } }
      : {}),
    created_at: timestamp(context.now),
    ...(draft.paused ? { paused: true } : {}),
    ...(draft.formation_gate ? { formation_gate: { ...draft.formation_gate } } : {}),
    ...(context.autoPlace && !draft.no_place ? { unplaced: true } : {}),
    ...(draft.no_place ? {} : list('place_near', draft.place_near)),
    ...(context.actor ? { created_by: context.actor } : {}),
    ...(draft.team ? { team: draft.team } : {}),
    ...(draft.parent ? { parent: draft.parent } : {}),
    ...(draft.epic ? { epic: draft.epic } : {}),
    ...(draft.human ? { human: true } : {}),
    ...(draft.hands_in ? { hands_in: true } : {}),
    ...(draft.plan_required ? { plan_required: true } : {}),
    ...(draft.plan_of ? { plan_of: draft.plan_of } : {}),
    ...(draft.conversation ? { conversation: draft.conversation } : {}),
    ...fields,
    ...(context.by ? seedFields(view, context.by, { ...fields, tags: [...(draft.tags ?? [])] }, context) : {}),
  } as NodeFields;
  const events: EventDraft[] = [
    {
      op: 'add_task',
      task_id: id,
      ...(context.actor ? { actor: context.actor } : {}),
      patch: [{ id, put: task }, ...placed.patch],
    },
  ];
  return { events, result: { id, warnings: [...warnings, ...placed.warnings] } };
}

function newId(view: GraphView, draft: TaskDraft, own: boolean): string {
  if (draft.id === undefined) return freeId(titleSlug(draft.plain_title ?? draft.title), (id) => view.wasUsed(id));
  if (!isIdForm(own ? draft.id.replace(/^\./, '') : draft.id)) {
    throw new TroupeError('bad_input', {
      what: `Not an id: ${JSON.stringify(draft.id.slice(0, 60))}`,
      hint: 'Use letters, digits, . _ and -, at most 100, starting with a letter or digit.',
    });
  }
  if (view.wasUsed(draft.id)) {
    throw new TroupeError('id_taken', { what: `The id ${draft.id} is or was in use.`, details: { id: draft.id } });
  }
  return draft.id;
}

/**
 * Handling of predecessors that are not in the graph. An unknown predecessor blocks nothing, so a misspelt id silently
 * loses an edge. With `refuse` the hint names the flag that permits them; with `never` there is no such flag.
 */
export type UnknownPredecessors = 'refuse' | 'warn' | 'never';

/**
 * Returns warnings about unknown predecessors, each with the most similar id. Errors: `unknown_task`, unless `unknown`
 * is `warn`.
 */
export function unknownPredecessors(view: GraphView, ids: readonly string[], unknown: UnknownPredecessors): string[] {
  const warnings: string[] = [];
  for (const id of ids) {
    if (view.wasUsed(id)) continue;
    const near = didYouMean(id, namesOf(view));
    if (unknown !== 'warn') {
      throw new TroupeError('unknown_task', {
        what: `There is no task ${id}, so nothing would wait for it.`,
        hint: `${near ? `Did you mean ${near}? ` : ''}${unknown === 'refuse' ? 'Use --allow-missing for a task that is added later.' : 'Add that task first.'}`,
        details: { id, ...(near ? { near } : {}) },
      });
    }
    warnings.push(`There is no task ${id}: it blocks nothing.${near ? ` Did you mean ${near}?` : ''}`);
  }
  return warnings;
}

function* namesOf(view: GraphView): Iterable<string> {
  for (const node of view.nodes()) yield node.id;
}

function list(field: string, values: readonly string[] | undefined): NodeFields {
  const unique = [...new Set(values)].filter((value) => value !== '');
  return unique.length > 0 ? { [field]: unique } : {};
}

/**
 * `--place-before`: adds the new task to the predecessors of the named tasks. A named task that has started or ended
 * cannot wait any more and is left unchanged, with a warning; an unknown id gets a warning too.
 */
export function placedBefore(
  view: GraphView,
  id: string,
  named: readonly string[] = [],
): { patch: Patch[]; warnings: string[] } {
  const patch: Patch[] = [];
  const warnings: string[] = [];
  for (const later of new Set(named)) {
    const task = view.task(later);
    if (!task) warnings.push(`There is no task ${later}: no dependency was added.`);
    else if (isTerminal(task.status) || task.status === 'in-progress' || task.status === 'pending-validation')
      warnings.push(`${later} is ${task.status}: it will not wait for ${id}.`);
    else if (!task.after?.includes(id)) patch.push({ id: later, set: { after: [...(task.after ?? []), id] } });
  }
  return { patch, warnings };
}
