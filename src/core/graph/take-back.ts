import type { Entry, EventDraft, Plan } from '#core/graph/event.js';
import { type MoveOptions, move } from '#core/graph/lib/move.js';
import { abandonTask } from '#core/graph/moves.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';

/** Moves that change only the task itself and start nothing: with the fields as they were, nothing of them is left. */
const UNDOABLE: ReadonlySet<string> = new Set(['retry', 'reopen', 'block', 'pause', 'resume', 'publish']);

/** An addition leaves nothing to restore: the task is abandoned. */
const ADDED = 'add_task';

/** Fields that stay: the log of a task only grows, and the numbers of its claim and of its changes only rise. */
const KEPT: ReadonlySet<string> = new Set(['log', 'fence', 'rev']);

export interface TakenBack {
  readonly taken: readonly string[];
  /** Tasks that have moved on since, with the reason. */
  readonly kept: readonly { readonly id: string; readonly why: string }[];
}

/**
 * Takes the one move back that each of these tasks had in `entries`, which are all entries since the graph `before`. A
 * task that was added is abandoned. A task with another event since, or on a cycle, keeps its state. Errors:
 * `wrong_status` if that is so for all of them.
 */
export function takeBack(
  view: GraphView,
  { before, entries }: { readonly before: GraphView; readonly entries: readonly Entry[] },
  ids: readonly string[],
  options: MoveOptions,
): Plan<TakenBack> {
  const events: EventDraft[] = [];
  const kept: { id: string; why: string }[] = [];
  for (const id of new Set(ids)) {
    const task = taskOf(view, id);
    const former = before.task(id);
    const [entry, ...later] = entries.filter(({ patch }) => patch.some((part) => part.id === id));
    const why = reasonToKeep(view, task, former, entry, later.length);
    if (why !== undefined || entry === undefined) kept.push({ id, why: why ?? 'has not changed since' });
    else if (former === undefined) events.push(...abandonTask(view, id, { ...options, reason: 'Taken back' }).events);
    else events.push(restoring(task, former, entry.op, options));
  }
  const [first] = kept;
  if (events.length === 0 && first !== undefined) {
    throw new TroupeError('wrong_status', {
      what: `${first.id} stays as it is: it ${first.why}.`,
      hint: `Run \`troupe show ${first.id}\` to see what happened to it.`,
      details: { id: first.id, kept },
    });
  }
  const taken = [...new Set(ids)].filter((id) => !kept.some((one) => one.id === id));
  return { events, result: { taken, kept } };
}

function reasonToKeep(
  view: GraphView,
  task: Task,
  former: Task | undefined,
  entry: Entry | undefined,
  later: number,
): string | undefined {
  if (entry === undefined) return 'has not changed since';
  if (later > 0) return 'has moved on since';
  if (former === undefined) return entry.op === ADDED ? undefined : 'is new';
  if (!UNDOABLE.has(entry.op) || entry.task_id !== task.id) return `cannot be restored after ${entry.op}`;
  if (entry.patch.length > 1 || (view.mayIterate() && view.cyclesOf(task.id).length > 0))
    return 'is on a cycle, which has moved on with it';
  return undefined;
}

function restoring(task: Task, former: Task, op: string, options: MoveOptions): EventDraft {
  const [now, then] = [fieldsOf(task), fieldsOf(former)];
  const names = [...new Set([...Object.keys(now), ...Object.keys(then)])].filter((name) => !KEPT.has(name));
  const changed = names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(then[name]));
  const set: NodeFields = Object.fromEntries(
    changed.filter((name) => then[name] !== undefined).map((name) => [name, then[name]]),
  );
  const unset = changed.filter((name) => then[name] === undefined);
  return move(task, 'undo', options, set, unset, `Taken back: ${op}`);
}
