// Permissions of a run on the graph: number and power of the tasks it adds, and fields of its own task it may change.
import type { Mover } from '#core/graph/lib/move.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { isMetaId } from './meta.js';
import type { NodeFields, Task } from './task.js';
import { isTrialId } from './trial.js';
import type { GraphView } from './view.js';

/** Fields that a run may edit in its own task, which it was given: it can only add. */
const OWN_ADDITIONS: readonly string[] = ['add_after', 'add_after_success', 'add_tags', 'add_skills'];

/** Tag with which a person allows attempts at a task to change role files (`.claude/roles/`). */
export const EDITS_ROLES = 'edits-roles';

function checkTags(tags: readonly string[] | undefined): void {
  if (!tags?.includes(EDITS_ROLES)) return;
  throw new TroupeError('not_yours', {
    what: `A run cannot add the tag ${EDITS_ROLES}: only a person can.`,
    hint: 'Log in your task what should change in a role.',
  });
}

/**
 * Checks an edit by a run. A task is reviewed by its own text, so its run may not change that; a run never changes the
 * budget of any task. Errors: `not_yours`.
 */
export function checkRunEdit(task: Task, edit: object, by: Mover): void {
  checkTags('add_tags' in edit ? (edit.add_tags as readonly string[] | undefined) : undefined);
  const changes = Object.entries(edit).flatMap(([field, value]) => (value === undefined ? [] : [field]));
  const isOwn = by.taskId === undefined || by.taskId === task.id;
  const wrong = changes.find((field) => field === 'cost' || (isOwn && !OWN_ADDITIONS.includes(field)));
  if (wrong === undefined) return;
  throw new TroupeError('not_yours', {
    what: `A run does not change \`${wrong}\` of ${isOwn ? 'the task it was given' : task.id}: only a person can.`,
    hint: 'Log in your task what should change.',
    details: { id: task.id, field: wrong },
  });
}

/** Refuses ids reserved for tasks that judge and assign others. Errors: `not_yours`. */
export function checkRunId(view: GraphView, id: string, by: Mover): void {
  if (by.fence === undefined || !isMetaId(view, id)) return;
  throw new TroupeError('not_yours', {
    what: `${id} is reserved for tasks of the coordinator.`,
    hint: 'Choose another --id.',
    details: { id },
  });
}

/** Maximum number of tasks a run may add, and maximum depth below the first task. */
export interface SeedLimits {
  readonly children: number;
  readonly depth: number;
}

/** Whether a run of this task may add tasks at all, apart from the limits shared by all runs. */
export function mayAddTasks(view: GraphView, own: Task, { children, depth }: SeedLimits): boolean {
  return children > 0 && !isTrialId(own.id) && depthBelow(view, own, depth) <= depth;
}

/** Depth of a new task below `parent`, counted up to `most` + 1. */
function depthBelow(view: GraphView, parent: Task | undefined, most: number): number {
  let depth = 1;
  for (let above = parent; above?.parent !== undefined && depth <= most; depth++) above = view.task(above.parent);
  return depth;
}

/** Power of each mode. A shell command can do everything that the person at the keyboard can. */
const POWER = { bare: 0, light: 1, full: 2, shell: 2 } as const;

const USUAL: SeedLimits = { children: WORK_LIMITS.childTasksPerAgent, depth: WORK_LIMITS.taskDepth };

/**
 * Checks a task that a run adds against all limits and returns its inherited fields: `parent` and perhaps `exec_mode`.
 * Errors: `not_yours`, `child_limit`, `depth_limit`.
 */
export function seedFields(
  view: GraphView,
  by: Mover,
  fields: NodeFields,
  { now, limits = USUAL }: { readonly now: number; readonly limits?: SeedLimits | undefined },
): NodeFields {
  if (by.fence === undefined || by.taskId === undefined) return {};
  const parent = view.task(by.taskId);
  checkPowers(parent, fields);
  checkMoney(fields);
  checkTags(fields['tags'] as readonly string[] | undefined);
  checkGrowth(view, by, limits, now);
  const depth = depthBelow(view, parent, limits.depth);
  if (depth > limits.depth) {
    throw new TroupeError('depth_limit', {
      what: `${by.taskId} is already nested ${depth - 1} deep; the limit is ${limits.depth}.`,
      details: { limit: limits.depth },
    });
  }
  const mode = parent?.exec_mode;
  return {
    parent: by.taskId,
    ...(fields['exec_mode'] === undefined && mode !== undefined && mode !== 'shell' ? { exec_mode: mode } : {}),
  };
}

function checkGrowth(view: GraphView, by: Mover, { children }: SeedLimits, now: number): void {
  const count = view.madeBy(by.name);
  if (count >= children) {
    throw new TroupeError('child_limit', {
      what: `${by.name} has added ${count} tasks; a run may add ${children}.`,
      details: { limit: children },
    });
  }
  const { unfinished, latest } = view.growth();
  if (unfinished >= WORK_LIMITS.seededTasksUnfinished) {
    throw new TroupeError('child_limit', {
      what: `Runs have ${unfinished} unfinished added tasks; the limit is ${WORK_LIMITS.seededTasksUnfinished}.`,
      details: { limit: WORK_LIMITS.seededTasksUnfinished },
    });
  }
  const fresh = latest.filter((at) => now - at < WORK_LIMITS.seededRateMs).length;
  if (fresh < WORK_LIMITS.seededTasksPerMinute) return;
  throw new TroupeError('child_limit', {
    what: `Runs have added ${fresh} tasks within a minute; the limit is ${WORK_LIMITS.seededTasksPerMinute}.`,
    hint: 'Wait a minute, then continue.',
    details: { limit: WORK_LIMITS.seededTasksPerMinute },
  });
}

/** Reservations follow the estimate, so the run that spends must not set it. */
function checkMoney(fields: NodeFields): void {
  const estimate = fields['estimate'] as { readonly cost?: number } | undefined;
  if (estimate?.cost === undefined) return;
  throw new TroupeError('not_yours', { what: 'A run cannot set the budget of a task: only a person can.' });
}

/** Checks that a run gives a task no more power than its own. Errors: `not_yours`. */
export function checkPowers(own: Task | undefined, fields: NodeFields): void {
  const mode = own?.exec_mode ?? 'full';
  const requested = fields['exec_mode'] as keyof typeof POWER | undefined;
  const commands = fields['exec'] !== undefined || fields['verify_cmd'] !== undefined || requested === 'shell';
  if ((requested === undefined || POWER[requested] <= POWER[mode]) && !(commands && POWER[mode] < POWER.full)) return;
  throw new TroupeError('not_yours', {
    what: `A run in mode ${mode} cannot add a task ${commands ? 'with a command' : `in mode ${requested}`}.`,
    hint: `Ask for mode ${mode} or less, without --exec and --verify-cmd.`,
  });
}
