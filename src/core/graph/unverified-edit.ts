// Changes found in the graph's files while runs were active: a run may have made them, so a person decides.

import { isJsonObject } from '#kernel/json.js';
import type { EventDraft, Patch } from './event.js';
import { FORMATION_GATE } from './formation-gate.js';
import { isRunName } from './run-name.js';
import { type GraphNode, isTask, type NodeFields, type Task } from './task.js';
import { taskField } from './task-field.js';

/** A change of a task found in the file but not applied. */
export interface UnverifiedEdit {
  readonly set: NodeFields;
  readonly unset: readonly string[];
  /** The whole line was added or removed. */
  readonly whole?: 'added' | 'removed';
}

export const UNVERIFIED_EDIT = taskField('unverified_edit', (value): UnverifiedEdit | undefined => {
  if (!isJsonObject(value)) return undefined;
  const { set, unset, whole } = value;
  return {
    set: isJsonObject(set) ? set : {},
    unset: Array.isArray(unset) ? unset.filter((field) => typeof field === 'string') : [],
    ...(whole === 'added' || whole === 'removed' ? { whole } : {}),
  };
});

/** Descriptive fields, which affect no decision. */
const WORDS: ReadonlySet<string> = new Set(['title', 'description', 'estimate', 'skills', 'inputs', 'deliverables']);
const BEGUN: ReadonlySet<string> = new Set(['in-progress', 'waiting', 'pending-validation']);

/** Whether a run holds a task: the run, or a process it left behind, may write the files. */
export function isRunAtWork(nodes: Iterable<GraphNode>): boolean {
  for (const node of nodes)
    if (isTask(node) && (node.status === 'in-progress' || node.status === 'waiting') && isRunName(node.assigned))
      return true;
  return false;
}

/**
 * Returns the events with changes that runs may not decide held back in `unverified_edit`. For tasks that are gated or
 * started every field is held back, for others all but the descriptive ones. A new task is paused.
 */
export function heldBack(
  events: readonly EventDraft[],
  present: (id: string) => GraphNode | undefined,
): readonly EventDraft[] {
  return events.map((event) => ({ ...event, patch: event.patch.map((patch) => held(patch, present(patch.id))) }));
}

function held(patch: Patch, node: GraphNode | undefined): Patch {
  if ('put' in patch) return patch.put['kind'] === 'task' ? added(patch.id, patch.put) : patch;
  if (node === undefined || !isTask(node)) return patch;
  const before = UNVERIFIED_EDIT.of(node);
  if ('del' in patch) return { id: patch.id, set: marked({ set: {}, unset: [], whole: 'removed' }) };
  const { set = {}, unset = [], log } = patch;
  const isFree = (field: string) => WORDS.has(field) && !isGuarded(node);
  const all = log === undefined ? set : { ...set, log };
  const kept = pick(all, (field) => !isFree(field));
  const keptUnset = unset.filter((field) => !isFree(field));
  const free = pick(set, isFree);
  const freeUnset = unset.filter(isFree);
  const over = { ...before?.set, ...kept };
  const edit: UnverifiedEdit = {
    ...before,
    set: pick(over, (field) => !keptUnset.includes(field)),
    unset: [...new Set([...(before?.unset ?? []).filter((field) => !(field in kept)), ...keptUnset])],
  };
  const isHeld = Object.keys(kept).length + keptUnset.length > 0;
  return {
    id: patch.id,
    set: { ...free, ...(isHeld ? marked(edit) : {}) },
    ...(freeUnset.length > 0 ? { unset: freeUnset } : {}),
  };
}

/** Patch for a task added without a command: its descriptive fields, paused, with the others held back. */
function added(id: string, node: NodeFields): Patch {
  const isOwn = (field: string) => WORDS.has(field) || field === 'kind' || field === 'id';
  const rest = pick(node, (field) => !isOwn(field) && field !== UNVERIFIED_EDIT.name);
  const unset = rest['paused'] === true ? [] : ['paused'];
  const put = { ...pick(node, isOwn), status: 'open', paused: true, ...marked({ set: rest, unset, whole: 'added' }) };
  return { id, put };
}

function isGuarded(task: Task): boolean {
  if (BEGUN.has(task.status) || FORMATION_GATE.of(task) !== undefined) return true;
  return task.verify !== undefined || task.verify_cmd !== undefined || task.require_commit === true;
}

function marked(edit: UnverifiedEdit): NodeFields {
  return { [UNVERIFIED_EDIT.name]: edit };
}

function pick(fields: NodeFields, keep: (field: string) => boolean): NodeFields {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => keep(field)));
}
