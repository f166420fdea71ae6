// Decisions of a person about changes made without commands: an edit of the graph's file, and changes a run left in the
// checkout.

import { type Moved, type MoveOptions, move, moved, nothing } from '#core/graph/lib/move.js';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert, shellWord } from '#kernel/text.js';
import type { Plan } from './event.js';
import { OUTSIDE, outsideText } from './outside.js';
import type { LogEntry, Task } from './task.js';
import { fieldsOf } from './task-field.js';
import { taskOf } from './task-of.js';
import { UNVERIFIED_EDIT } from './unverified-edit.js';
import type { GraphView } from './view.js';

/**
 * Applies the held-back changes, and accepts what a run left in the checkout. A command in them still needs trust: it
 * was not entered here.
 */
export function acceptEdit(view: GraphView, id: string, options: MoveOptions): Plan<Moved> {
  const task = taskOf(view, id);
  const edit = UNVERIFIED_EDIT.of(task);
  if (edit === undefined && OUTSIDE.of(task) === undefined) return nothing(task);
  if (edit === undefined)
    return { events: [move(task, 'accept_edit', options, {}, [OUTSIDE.name])], result: moved(id, task.status) };
  if (edit.whole === 'removed') return gone(task, 'accept_edit', options);
  const { log, ...set } = edit.set;
  const event = move(task, 'accept_edit', options, set, [...edit.unset, UNVERIFIED_EDIT.name, OUTSIDE.name]);
  const patch = event.patch.map((part) => (log === undefined ? part : { ...part, log_at: 0, log: log as LogEntry[] }));
  const { status = task.status } = set as Partial<Pick<Task, 'status'>>;
  return { events: [{ ...event, patch }], result: moved(id, status) };
}

/** Discards the held-back changes; a task added by them is removed. */
export function discardEdit(view: GraphView, id: string, options: MoveOptions): Plan<Moved> {
  const task = taskOf(view, id);
  const edit = UNVERIFIED_EDIT.of(task);
  if (edit === undefined && OUTSIDE.of(task) !== undefined)
    throw new TroupeError('wrong_status', {
      what: `Troupe does not change your branch and files. ${outsideText(task)}.`,
      hint: `Go back with git, then run \`troupe accept-edit ${shellWord(id)}\`.`,
    });
  if (edit === undefined) return nothing(task);
  if (edit.whole === 'added') return gone(task, 'discard_edit', options);
  const event = move(task, 'discard_edit', options, {}, [UNVERIFIED_EDIT.name], 'Discarded an unverified edit');
  return { events: [event], result: moved(id, task.status) };
}

function gone({ id, status }: Task, op: string, { by }: MoveOptions): Plan<Moved> {
  return { events: [{ op, task_id: id, actor: by.name, patch: [{ id, del: true }] }], result: moved(id, status) };
}

/** The difference in one line: each field with its present and its proposed value. */
export function editDifference(task: Task): string | undefined {
  const edit = UNVERIFIED_EDIT.of(task);
  if (edit === undefined) return undefined;
  const { set, unset, whole } = edit;
  if (whole === 'removed') return 'its line was removed';
  const value = (of: unknown) => (of === undefined ? 'none' : cut(inert(JSON.stringify(of)), VALUE_MOST));
  const changes = [
    ...Object.entries(set).map(([field, to]) => [field, to] as const),
    ...unset.map((field) => [field, undefined] as const),
  ];
  const lines = changes
    .filter(([field]) => whole === undefined || field !== 'paused')
    .map(([field, to]) =>
      whole === 'added'
        ? `${inert(field)}: ${value(to)}`
        : `${inert(field)}: ${value(fieldsOf(task)[field])} → ${value(to)}`,
    );
  return [...(whole === 'added' ? ['the task was added'] : []), ...lines].join('; ');
}

const VALUE_MOST = 80;
