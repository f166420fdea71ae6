import type { EventDraft, Plan } from '#core/graph/event.js';
import { boundedText } from '#core/graph/lib/checks.js';
import { type ReadinessReason, readiness } from '#core/graph/ready.js';
import { isTerminal, type LogEntry, type NodeFields, type Status, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { didYouMean } from '#kernel/text.js';

/** Who moves a task. A run carries its task and the fence of its claim, a person does not. */
export interface Mover {
  readonly name: string;
  readonly fence?: number;
  readonly taskId?: string;
}

export interface Moved {
  readonly id: string;
  readonly status: Status;
  /** False when the task already was where it should go. */
  readonly changed: boolean;
  readonly warnings: readonly string[];
}

export interface MoveOptions {
  readonly now: number;
  readonly by: Mover;
  readonly reason?: string | undefined;
  /** Persons only: go on although something is not finished. */
  readonly force?: boolean | undefined;
  /** Facts for the event, such as an exit code. */
  readonly detail?: NodeFields | undefined;
}

/** The task, or `unknown_task` with the one most likely meant. */
export function taskOf(view: GraphView, id: string): Task {
  const task = view.task(id);
  if (task) return task;
  const near = didYouMean(
    id.slice(0, 120),
    (function* () {
      for (const node of view.nodes()) yield node.id;
    })(),
  );
  throw new TroupeError('unknown_task', {
    what: `There is no task ${id.slice(0, 120)}.`,
    ...(near ? { hint: `Did you mean ${near}?` } : {}),
    details: { id: id.slice(0, 120) },
  });
}

/** A run writes only to its own task, while the claim is still its own, and to tasks it made itself. */
export function checkFence(task: Task, by: Mover): void {
  if (by.fence === undefined) return;
  if (by.taskId !== undefined && by.taskId !== task.id) {
    if (task.created_by === by.name) return;
    throw notYours(task, by);
  }
  if (task.assigned === by.name && task.fence === by.fence) return;
  if ((task.fence ?? 0) >= by.fence) {
    throw new TroupeError('stale_attempt', {
      what: `${by.name} no longer holds ${task.id}: its claim was ${by.fence}, the task is at ${task.fence ?? 0}.`,
      details: { id: task.id, fence: task.fence ?? 0, yours: by.fence },
    });
  }
  throw notYours(task, by);
}

function notYours(task: Task, by: Mover): TroupeError {
  return new TroupeError('not_yours', { what: `${task.id} is not the task of ${by.name}.`, details: { id: task.id } });
}

/** Open and ready → in-progress, held by `by`; the fence rises by one, so an older attempt can no longer write. */
export function claimTask(view: GraphView, id: string, options: MoveOptions): Plan<Moved & { fence: number }> {
  const task = taskOf(view, id);
  if (options.by.fence !== undefined) throw notYours(task, options.by); // a run has its one claim
  const fence = (task.fence ?? 0) + 1;
  if (task.status !== 'open') throw wrongStatus(task, 'claimed');
  const state = readiness(view, id, options.now);
  if (!state.ready && options.force !== true) {
    throw new TroupeError('not_ready', {
      what: `${id} is not ready: ${state.reasons.map(sayReason).join('; ')}.`,
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
  checkFence(task, options.by);
  if (task.status === 'open' && task.assigned === undefined) return nothing(task);
  if (task.status !== 'open' && task.status !== 'in-progress' && task.status !== 'waiting')
    throw wrongStatus(task, 'released');
  const event = move(
    task,
    'unclaim',
    options,
    { status: 'open' },
    ['assigned', 'started_at'],
    `Released${because(options)}`,
  );
  return { events: [event], result: moved(id, 'open') };
}

/** → done; → pending-validation when the task asks for a review. */
export function doneTask(view: GraphView, id: string, options: MoveOptions): Plan<Moved> {
  const task = taskOf(view, id);
  if (task.status === 'done' && options.by.fence === undefined) return nothing(task);
  checkFence(task, options.by);
  if (task.status === 'done') return nothing(task);
  if (task.status !== 'open' && task.status !== 'in-progress' && task.status !== 'waiting')
    throw wrongStatus(task, 'done');
  const unfinished = (task.after ?? []).filter((before) => {
    const predecessor = view.task(before);
    return predecessor !== undefined && !isTerminal(predecessor.status);
  });
  if (unfinished.length > 0 && options.force !== true) {
    throw new TroupeError('unresolved', {
      what: `${id} comes after ${unfinished.sort().join(', ')}, not finished yet.`,
      details: { id, ids: unfinished },
    });
  }
  const gated = typeof task['verify'] === 'string' || task['validation'] === 'external';
  const next: Status = gated ? 'pending-validation' : 'done';
  const set: NodeFields = { status: next, ...(gated ? {} : { completed_at: timestamp(options.now) }) };
  const event = move(
    task,
    gated ? 'submit' : 'done',
    options,
    set,
    ['failure_reason'],
    gated ? 'Submitted for review' : 'Done',
  );
  return { events: [event], result: moved(id, next) };
}

/** → failed, with the reason and one more try on the count. */
export function failTask(view: GraphView, id: string, options: MoveOptions): Plan<Moved> {
  const task = taskOf(view, id);
  if (task.status === 'failed' && options.by.fence === undefined) return nothing(task);
  checkFence(task, options.by);
  if (task.status === 'failed') return nothing(task);
  if (task.status === 'done' || task.status === 'abandoned') throw wrongStatus(task, 'failed');
  const set: NodeFields = {
    status: 'failed',
    completed_at: timestamp(options.now),
    retry_count: (task.retry_count ?? 0) + 1,
    ...(options.reason ? { failure_reason: boundedText('log message', options.reason) } : {}),
  };
  const event = move(task, 'fail', options, set, options.reason ? [] : ['failure_reason'], `Failed${because(options)}`);
  return { events: [event], result: moved(id, 'failed') };
}

/** → abandoned: nobody will do it, and whatever comes after may go on. */
export function abandonTask(view: GraphView, id: string, options: MoveOptions): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(task, options.by);
  if (task.status === 'abandoned') return nothing(task);
  if (task.status === 'done') throw wrongStatus(task, 'abandoned');
  const set: NodeFields = { status: 'abandoned', completed_at: timestamp(options.now) };
  const event = move(task, 'abandon', options, set, ['assigned'], `Abandoned${because(options)}`);
  return { events: [event], result: moved(id, 'abandoned') };
}

/** One more line in a task's log. */
export function logTask(view: GraphView, id: string, message: string, options: MoveOptions): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(task, options.by);
  if (message.trim() === '') throw new TroupeError('bad_input', { what: 'A log entry needs a message.' });
  const event = move(task, 'log', options, {}, [], boundedText('log message', message));
  return { events: [event], result: moved(id, task.status) };
}

/** Registers (or forgets) files a task brought forth: paths relative to the project. */
export function artifactTask(
  view: GraphView,
  id: string,
  paths: readonly string[],
  options: MoveOptions & { remove?: boolean | undefined },
): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(task, options.by);
  const had = task.artifacts ?? [];
  const next = options.remove ? had.filter((artifact) => !paths.includes(artifact)) : [...new Set([...had, ...paths])];
  if (next.length === had.length && next.every((artifact) => had.includes(artifact))) return nothing(task);
  const event = move(task, options.remove ? 'artifact_remove' : 'artifact_add', options, { artifacts: next }, []);
  return { events: [event], result: moved(id, task.status) };
}

function move(
  task: Task,
  op: string,
  options: MoveOptions,
  set: NodeFields,
  unset: readonly string[],
  message?: string,
): EventDraft {
  const entry: LogEntry | undefined =
    message === undefined ? undefined : { timestamp: timestamp(options.now), actor: options.by.name, message };
  const gone = unset.filter((field) => task[field] !== undefined);
  return {
    op,
    task_id: task.id,
    actor: options.by.name,
    ...(options.detail ? { detail: options.detail } : {}),
    patch: [
      {
        id: task.id,
        ...(Object.keys(set).length > 0 ? { set } : {}),
        ...(gone.length > 0 ? { unset: gone } : {}),
        ...(entry ? { log_at: task.log?.length ?? 0, log: [entry] } : {}),
      },
    ],
  };
}

function moved(id: string, status: Status): Moved {
  return { id, status, changed: true, warnings: [] };
}

function nothing(task: Task): Plan<Moved> {
  return { events: [], result: { id: task.id, status: task.status, changed: false, warnings: [] } };
}

function because(options: MoveOptions): string {
  return options.reason ? `: ${boundedText('log message', options.reason)}` : '';
}

const HELP: Partial<Record<Status, string>> = {
  'in-progress': 'Ask its holder, or run `troupe unclaim ID` to take it back.',
  done: 'Add a new task for what is left to do.',
  failed: 'Run `troupe retry ID` to try again.',
  'pending-validation': 'It waits for a review.',
};

function wrongStatus(task: Task, wanted: string): TroupeError {
  const holder = task.assigned && task.status === 'in-progress' ? `, held by ${task.assigned}` : '';
  const help = HELP[task.status]?.replace('ID', task.id);
  return new TroupeError('wrong_status', {
    what: `${task.id} cannot be ${wanted}: it is ${task.status}${holder}.`,
    ...(help ? { hint: help } : {}),
    details: { id: task.id, status: task.status, ...(task.assigned ? { assigned: task.assigned } : {}) },
  });
}

/** A readiness reason in words, as shown beside a task that does not run. */
export function sayReason(reason: ReadinessReason): string {
  switch (reason.code) {
    case 'status':
      return 'it is not open';
    case 'paused':
      return 'it is paused';
    case 'time':
      return `not before ${reason.until ?? 'later'}`;
    case 'predecessor':
      return `waits for ${(reason.ids ?? []).join(', ')}`;
    case 'unplaced':
      return 'it waits for its place in the graph';
    case 'cycle-restart':
      return `the cycle of ${(reason.ids ?? []).join(', ')} is about to begin again`;
    case 'needs-success':
      return `needs ${(reason.ids ?? []).join(', ')} to be done`;
  }
}

/** Failed → open again, for another try that begins without the marks of the last. */
export function retryTask(view: GraphView, id: string, options: MoveOptions): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(task, options.by);
  if (task.status !== 'failed') throw wrongStatus(task, 'retried');
  const event = move(
    task,
    'retry',
    options,
    { status: 'open' },
    ['failure_reason', 'assigned', 'started_at', 'completed_at', 'ready_after', 'deaths'],
    `Retried${because(options)}`,
  );
  return { events: [event], result: moved(id, 'open') };
}
