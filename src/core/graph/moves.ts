/**
 * Tasks, edges and events; each status change of a task as a pure plan; readiness; the state in memory; parsing of
 * lines and hand edits.
 * @packageDocumentation
 */

import { CONVERGED } from '#core/graph/cycle-decision.js';
import { cycleOpensAgain } from '#core/graph/cycle-moves.js';
import type { Patch, Plan } from '#core/graph/event.js';
import { withinLimit } from '#core/graph/lib/checks.js';
import {
  because,
  type Moved,
  type MoveOptions,
  type Mover,
  move,
  moved,
  nothing,
  personsOnly,
  wrongStatus,
} from '#core/graph/lib/move.js';
import { metaTasksOf } from '#core/graph/meta.js';
import { readiness } from '#core/graph/ready.js';
import { isTerminal, type NodeFields, type Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { plural } from '#kernel/text.js';
import { EVAL_GATE, refuseAccepted, VALIDATION } from './acceptance.js';
import { allowance, allowsAnother, setAsideAllWork } from './attempts.js';
import { convergedPatch } from './cycle-moves.js';
import { isProposed, refuseGated } from './formation-gate.js';
import { refuseMissingHandIn } from './hands-in.js';
import { formatReadinessReason } from './ready.js';
import { refuseFree } from './team-work.js';

export type { Moved, MoveOptions, Mover } from '#core/graph/lib/move.js';

/**
 * Checks that a run writes only to its own task, under its current claim, or to tasks it created. Errors:
 * `stale_attempt`, `not_yours`.
 */
export function checkFence(view: GraphView, task: Task, by: Mover): void {
  if (by.fence === undefined) return;
  if (by.taskId !== undefined && by.taskId !== task.id) {
    if (task.created_by !== by.name) throw notYours(task, by);
    checkClaim(view, by);
    return;
  }
  if (task.assigned === by.name && task.fence === by.fence) return;
  if ((task.fence ?? 0) >= by.fence) throw stale(task, by, by.fence);
  throw notYours(task, by);
}

/** Checks that a run still holds the latest claim of its own task. Errors: `stale_attempt`. */
export function checkClaim(view: GraphView, by: Mover): void {
  if (by.fence === undefined || by.taskId === undefined) return;
  const own = view.task(by.taskId);
  if (own && (own.assigned !== by.name || own.fence !== by.fence)) throw stale(own, by, by.fence);
}

function stale(task: Task, by: Mover, yours: number): TroupeError {
  const fence = task.fence ?? 0;
  return new TroupeError('stale_attempt', {
    what: `${by.name} no longer holds ${task.id}: its claim was ${yours}, the task is at ${fence}.`,
    details: { id: task.id, fence, yours },
  });
}

function notYours(task: Task, by: Mover): TroupeError {
  return new TroupeError('not_yours', { what: `${task.id} is not the task of ${by.name}.`, details: { id: task.id } });
}

/** Open and ready → in-progress, held by `by`; the fence rises by one, which invalidates writes of older attempts. */
export function claimTask(view: GraphView, id: string, options: MoveOptions): Plan<Moved & { fence: number }> {
  const task = taskOf(view, id);
  if (options.by.fence !== undefined) throw notYours(task, options.by); // a run has only one claim
  if (options.force === true) personsOnly(options.by, 'use --force');
  const fence = (task.fence ?? 0) + 1;
  refuseGated(task);
  refuseFree(task);
  if (task.status !== 'open') throw wrongStatus(task, 'claimed');
  const state = readiness(view, id, options.now);
  if (!state.ready && options.force !== true) {
    throw new TroupeError('not_ready', {
      what: `${id} is not ready: ${state.reasons.map(formatReadinessReason).join('; ')}.`,
      hint: `Run \`troupe show ${id}\`.`,
      details: { id, reasons: state.reasons },
    });
  }
  const set: NodeFields = {
    status: 'in-progress',
    assigned: options.by.name,
    started_at: timestamp(options.now),
    fence,
  };
  const event = move(task, 'claim', options, set, ['completed_at']);
  return { events: [event], result: { ...moved(id, 'in-progress'), fence } };
}

/** In-progress or waiting → open. Also clears a stale holder of an open task. */
export function unclaimTask(view: GraphView, id: string, options: MoveOptions): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(view, task, options.by);
  if (task.status === 'open' && task.assigned === undefined) return nothing(task);
  if (task.status !== 'open' && task.status !== 'in-progress' && task.status !== 'waiting')
    throw wrongStatus(task, 'released');
  const event = move(
    task,
    'unclaim',
    options,
    { status: 'open' },
    ['assigned', 'started_at', 'wait_condition'],
    `Released${because(options)}`,
  );
  return { events: [event], result: moved(id, 'open') };
}

/** → done, or → pending-validation if the task needs a review. */
export function doneTask(
  view: GraphView,
  id: string,
  options: MoveOptions & { readonly converged?: boolean | undefined },
): Plan<Moved> {
  const task = taskOf(view, id);
  if (task.status === 'done' && options.by.fence === undefined) return nothing(task);
  checkFence(view, task, options.by);
  if (task.status === 'done') return nothing(task);
  checkDone(view, task, options);
  const gated = needsReview(task);
  const convergence = options.converged ? convergedPatch(view, task) : undefined;
  const set: NodeFields = gated
    ? {
        status: 'pending-validation',
        ...(task.assigned === undefined ? { assigned: options.by.name } : {}),
        ...(convergence && convergence.warning === undefined ? { converge_on_done: true } : {}),
      }
    : {
        status: 'done',
        completed_at: timestamp(options.now),
        ...(convergence?.tags ? { tags: [...convergence.tags] } : {}),
      };
  const detail = { ...options.detail, ...(options.converged ? { converged: true } : {}) };
  const event = move(
    task,
    gated ? 'submit' : 'done',
    { ...options, ...(Object.keys(detail).length > 0 ? { detail } : {}) },
    set,
    ['failure_reason', 'wait_condition', 'recovery', 'conflict_branch'],
    gated ? 'Submitted for review' : options.converged ? 'Done; the cycle has converged' : 'Done',
  );
  const patch = gated ? [...event.patch, ...scoreNow(view, task)] : [...event.patch, ...(convergence?.patch ?? [])];
  const warnings = convergence?.warning === undefined ? [] : [convergence.warning];
  return { events: [{ ...event, patch }], result: moved(id, gated ? 'pending-validation' : 'done', warnings) };
}

/** Lets the evaluation task of work that awaits its score start, by removing the dependency on it. */
function scoreNow(view: GraphView, task: Task): Patch[] {
  const evaluation = awaitsScore(task) ? view.task(`evaluate-${task.id}`) : undefined;
  if (!evaluation?.after?.includes(task.id)) return [];
  return [{ id: evaluation.id, set: { after: evaluation.after.filter((before) => before !== task.id) } }];
}

/** Whether the task has a score gate, which an evaluation has to pass. */
export function awaitsScore(task: Task): boolean {
  return typeof EVAL_GATE.of(task) === 'number';
}

/** Whether the task must be reviewed before it counts as done. */
export function needsReview(task: Task): boolean {
  return typeof task.verify === 'string' || VALIDATION.of(task) === 'external' || awaitsScore(task);
}

/**
 * Refuses a task that cannot be done yet: its status does not allow it, its formation decides it or lacks its file, or
 * predecessors are unfinished. Errors: `formation_gate`, `hand_in_missing`, `wrong_status`, `unresolved`.
 */
export function checkDone(view: GraphView, task: Task, options: MoveOptions): void {
  refuseGated(task);
  refuseMissingHandIn(task);
  if (task.status !== 'open' && task.status !== 'in-progress' && task.status !== 'waiting')
    throw wrongStatus(task, 'done');
  const around = new Set(view.mayIterate() ? view.cyclesOf(task.id)[0]?.members : []);
  const unfinished = (task.after ?? []).filter((before) => {
    const predecessor = view.task(before);
    return predecessor !== undefined && !isTerminal(predecessor.status) && !around.has(before);
  });
  if (unfinished.length > 0 && options.force !== true) {
    throw new TroupeError('unresolved', {
      what: `${task.id} depends on unfinished tasks: ${unfinished.sort().join(', ')}.`,
      details: { id: task.id, ids: unfinished },
    });
  }
}

/**
 * → failed, with the reason; counts one more failed attempt. `rejected` also fails a done task, after a negative
 * evaluation.
 */
export function failTask(
  view: GraphView,
  id: string,
  options: MoveOptions & { readonly rejected?: boolean | undefined },
): Plan<Moved> {
  const task = taskOf(view, id);
  if (options.rejected) personsOnly(options.by, 'reject what was done');
  if (task.status === 'failed' && options.by.fence === undefined) return nothing(task);
  checkFence(view, task, options.by);
  if (task.status === 'failed') return nothing(task);
  refuseGated(task);
  const undone = task.status === 'done' && options.rejected !== true;
  if (undone || task.status === 'abandoned') throw wrongStatus(task, 'failed');
  refuseAccepted(task, 'failed');
  const set: NodeFields = {
    status: 'failed',
    completed_at: timestamp(options.now),
    retry_count: (task.retry_count ?? 0) + 1,
    ...(options.reason ? { failure_reason: withinLimit('log message', options.reason) } : {}),
  };
  const unset = ['wait_condition', 'converge_on_done', ...(options.reason ? [] : ['failure_reason'])];
  const event = move(task, 'fail', options, set, unset, `Failed${because(options)}`);
  return { events: [event], result: moved(id, 'failed') };
}

/** Prefixes of the internal tasks about a task in graphs of the original workgraph. */
const ORIGINAL_ABOUT = ['.assign-', '.evaluate-', '.flip-', '.verify-', '.verify-deferred-'];

/** → abandoned: it will not be done, and its dependents may start. Also abandons open internal tasks about it. */
export function abandonTask(
  view: GraphView,
  id: string,
  options: MoveOptions & { readonly superseded_by?: readonly string[] | undefined },
): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(view, task, options.by);
  const successors = [...new Set(options.superseded_by)];
  if (successors.includes(id)) throw new TroupeError('bad_input', { what: `${id} cannot supersede itself.` });
  const links: Patch[] = successors.map((successor) => {
    checkFence(view, taskOf(view, successor), options.by);
    return { id: successor, set: { supersedes: id } };
  });
  if (task.status === 'abandoned') return nothing(task);
  if (task.status === 'done') throw wrongStatus(task, 'abandoned');
  refuseAccepted(task, 'abandoned');
  const fields: NodeFields = { status: 'abandoned', completed_at: timestamp(options.now) };
  const set = { ...fields, ...(successors.length > 0 ? { superseded_by: successors } : {}) };
  const event = move(task, 'abandon', options, set, ['assigned', 'wait_condition'], `Abandoned${because(options)}`);
  const theirs = ORIGINAL_ABOUT.flatMap((prefix) => view.task(`${prefix}${id}`) ?? []);
  const about = [...new Set([...metaTasksOf(view, id), ...theirs])].filter((meta) => meta.status === 'open');
  const others = about.map((meta) => move(meta, 'abandon', options, fields, ['assigned'], `Abandoned with ${id}`));
  return { events: [{ ...event, patch: [...event.patch, ...links] }, ...others], result: moved(id, 'abandoned') };
}

/** Adds an entry to a task's log. */
export function logTask(view: GraphView, id: string, message: string, options: MoveOptions): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(view, task, options.by);
  if (message.trim() === '') throw new TroupeError('bad_input', { what: 'A log entry needs a message.' });
  const event = move(task, 'log', options, {}, [], withinLimit('log message', message));
  return { events: [event], result: moved(id, task.status) };
}

/** Registers or removes artifacts of a task: paths relative to the project. */
export function artifactTask(
  view: GraphView,
  id: string,
  paths: readonly string[],
  options: MoveOptions & { remove?: boolean | undefined },
): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(view, task, options.by);
  const had = task.artifacts ?? [];
  const next = options.remove ? had.filter((artifact) => !paths.includes(artifact)) : [...new Set([...had, ...paths])];
  if (next.length === had.length && next.every((artifact) => had.includes(artifact))) return nothing(task);
  const event = move(task, options.remove ? 'artifact_remove' : 'artifact_add', options, { artifacts: next }, []);
  return { events: [event], result: moved(id, task.status) };
}

/**
 * Failed → open for another attempt, without the fields of the last; also done → open once its cycle has converged.
 * `fresh` also sets the files of all previous attempts aside.
 */
export function retryTask(
  view: GraphView,
  id: string,
  options: MoveOptions & { readonly fresh?: boolean | undefined },
): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(view, task, options.by);
  if (task.status !== 'failed' && !(task.status === 'done' && hasConverged(view, id)))
    throw wrongStatus(task, 'retried');
  if (!allowsAnother(task)) {
    throw new TroupeError('retries_spent', {
      what: `${plural(task.retry_count ?? 0, 'attempt')} of ${id} failed; ${allowance(task)}.`,
      hint: `A person can reopen it with \`troupe reopen ${id}\`.`,
      details: { id, retry_count: task.retry_count ?? 0, max_retries: task.max_retries },
    });
  }
  return openAgain(view, task, 'retry', options, 'Retried', options.fresh ? setAsideAllWork(task) : {});
}

/** Blocked, done, failed or abandoned → open. Persons only. */
export function reopenTask(view: GraphView, id: string, options: MoveOptions): Plan<Moved> {
  personsOnly(options.by, 'reopen a task');
  const task = taskOf(view, id);
  if (task.status === 'open') return nothing(task);
  if (isProposed(task)) refuseGated(task);
  if (task.status !== 'blocked' && !isTerminal(task.status)) throw wrongStatus(task, 'opened again');
  return openAgain(view, task, 'reopen', options, 'Opened again');
}

/** Open → blocked, until a person reopens it. */
export function blockTask(view: GraphView, id: string, options: MoveOptions): Plan<Moved> {
  personsOnly(options.by, 'block a task');
  const task = taskOf(view, id);
  if (task.status === 'blocked') return nothing(task);
  if (task.status !== 'open') throw wrongStatus(task, 'blocked');
  const event = move(task, 'block', options, { status: 'blocked' }, [], `Blocked${because(options)}`);
  return { events: [event], result: moved(id, 'blocked') };
}

function hasConverged(view: GraphView, id: string): boolean {
  if (!view.mayIterate()) return false;
  return view.cyclesOf(id).some((cycle) => view.task(cycle.header)?.tags?.includes(CONVERGED));
}

function openAgain(
  view: GraphView,
  task: Task,
  op: string,
  options: MoveOptions,
  message: string,
  more: NodeFields = {},
): Plan<Moved> {
  const { patch, own } = cycleOpensAgain(view, task.id);
  const event = move(
    task,
    op,
    options,
    { status: 'open', ...own.set, ...more },
    [
      'failure_reason',
      'unmerged',
      'assigned',
      'started_at',
      'completed_at',
      'ready_after',
      'deaths',
      'failed_starts',
      'misses',
      ...own.unset,
    ],
    `${message}${because(options)}`,
  );
  return { events: [{ ...event, patch: [...event.patch, ...patch] }], result: moved(task.id, 'open') };
}
