import { allowsAnother } from '#core/graph/attempts.js';
import type { EventDraft } from '#core/graph/event.js';
import { withinLimit } from '#core/graph/lib/checks.js';
import type { LogEntry, NodeFields, Status, Task } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';

/** Actor of a move. A run has its task and the fence of its claim; a person has neither. */
export interface Mover {
  readonly name: string;
  /** Account of a person who acts under another name: recorded in the log in addition to that name. */
  readonly account?: string;
  readonly fence?: number;
  readonly taskId?: string;
}

export interface Moved {
  readonly id: string;
  readonly status: Status;
  /** False if the task already was in the target state. */
  readonly changed: boolean;
  readonly warnings: readonly string[];
}

export interface MoveOptions {
  readonly now: number;
  readonly by: Mover;
  readonly reason?: string | undefined;
  /** Persons only: continue although something is not finished. */
  readonly force?: boolean | undefined;
  /** Facts for the event, such as an exit code. */
  readonly detail?: NodeFields | undefined;
}

/** Builds the event of a move: fields set and removed, and an entry in the task's log. */
export function move(
  task: Task,
  op: string,
  options: MoveOptions,
  set: NodeFields,
  unset: readonly string[],
  message?: string,
): EventDraft {
  const entry: LogEntry | undefined =
    message === undefined ? undefined : { timestamp: timestamp(options.now), actor: options.by.name, message };
  // A review result concerns the status it was given in.
  const over = 'status' in set && set['status'] !== task.status ? ['accepted', 'review_task'] : [];
  // A request to report, and a reservation for the next session, hold until the task moves on or ends.
  const answered =
    'status' in set && set['status'] !== 'open' && set['status'] !== 'in-progress'
      ? ['asked_to_report', 'reserve_next']
      : [];
  const unsetFields = [...unset, ...over, ...answered].filter(
    (field) => fieldsOf(task)[field] !== undefined && !(field in set),
  );
  const { name, account } = options.by;
  const detail = account === undefined ? options.detail : { ...options.detail, account };
  return {
    op,
    task_id: task.id,
    actor: name,
    ...(detail ? { detail } : {}),
    patch: [
      {
        id: task.id,
        ...(Object.keys(set).length > 0 ? { set } : {}),
        ...(unsetFields.length > 0 ? { unset: [...new Set(unsetFields)] } : {}),
        ...(entry ? { log_at: task.log?.length ?? 0, log: [entry] } : {}),
      },
    ],
  };
}

export function moved(id: string, status: Status, warnings: readonly string[] = []): Moved {
  return { id, status, changed: true, warnings };
}

export function nothing(task: Task): { events: readonly EventDraft[]; result: Moved } {
  return { events: [], result: { id: task.id, status: task.status, changed: false, warnings: [] } };
}

export function because(options: MoveOptions): string {
  return options.reason ? `: ${withinLimit('log message', options.reason)}` : '';
}

/** Refuses an action reserved for persons. Errors: `not_yours` for a run. */
export function personsOnly(by: Mover, what: string): void {
  if (by.fence === undefined) return;
  throw new TroupeError('not_yours', {
    what: `A run may not ${what}.`,
    hint: 'Log in your task why it is needed; a person will decide.',
    details: { actor: by.name },
  });
}

const HELP: Partial<Record<Status, string>> = {
  open: 'Run `troupe why ID` to see who starts it, and when.',
  'in-progress': 'Ask its holder, or run `troupe unclaim ID` to take it back.',
  waiting: 'Run `troupe resume ID` to continue it.',
  done: 'Run `troupe reopen ID` to do it again.',
  failed: 'Run `troupe retry ID` to try again.',
  blocked: 'Run `troupe reopen ID` to unblock it.',
  abandoned: 'Run `troupe reopen ID` to do it after all.',
  'pending-validation': 'It needs review: run `troupe approve ID`, or `troupe reject ID --reason "…"`.',
};

/** Returns a `wrong_status` error that names the status, the holder and a command that helps. */
export function wrongStatus(task: Task, action: string): TroupeError {
  const holder = task.assigned && task.status === 'in-progress' ? `, held by ${task.assigned}` : '';
  return new TroupeError('wrong_status', {
    what: `${task.id} cannot be ${action}: it is ${task.status}${holder}.`,
    hint: (task.status === 'failed' && !allowsAnother(task) ? HELP.done : HELP[task.status]) ?? '',
    details: { id: task.id, status: task.status, ...(task.assigned ? { assigned: task.assigned } : {}) },
  });
}
