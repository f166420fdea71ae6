import type { EventDraft, Plan } from '#core/graph/event.js';
import { withinLimit } from '#core/graph/lib/checks.js';
import { because, type MoveOptions, move, moved, wrongStatus } from '#core/graph/lib/move.js';
import { checkFence, type Moved } from '#core/graph/moves.js';
import { isTerminal, STATUSES, type Status, type Task, type WaitCondition, type WaitSpec } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { timeOf } from '#core/graph/time.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { parseDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { didYouMean } from '#kernel/text.js';

/** Modification time in milliseconds and size in bytes; both 0 if the file does not exist. */
export interface FileFact {
  readonly mtime: number;
  readonly size: number;
}
export type FileFacts = ReadonlyMap<string, FileFact>;

const NO_FILE: FileFact = { mtime: 0, size: 0 };

/** Paths named in a wait, as given, for the caller that reads their state. */
export function pathsOfWait(until: string): string[] {
  return parts(until).words.flatMap((word) => (word.startsWith('file:') ? [word.slice('file:'.length)] : []));
}

/**
 * Parses `task:ID=STATUS | timer:DUR | human-input | message | file:PATH`; commas mean all, bars any. Errors: `usage`,
 * also when both separators are mixed.
 */
export function parseWait(
  view: GraphView,
  until: string,
  context: { readonly now: number; readonly by?: string; readonly files: FileFacts },
): WaitSpec {
  const { mode, words } = parts(until);
  return {
    mode,
    since: timestamp(context.now),
    ...(context.by === undefined ? {} : { by: context.by }),
    conditions: words.map((word) => conditionOf(view, word, context)),
  };
}

function parts(until: string): { mode: WaitSpec['mode']; words: string[] } {
  const all = until.includes(',');
  if (all && until.includes('|')) throw misuse('Commas (all) and bars (any) cannot be mixed.');
  const words = until.split(all ? ',' : '|').map((word) => word.trim());
  if (words.length > WORK_LIMITS.waitConditions)
    throw misuse(`At most ${WORK_LIMITS.waitConditions} conditions are allowed.`);
  if (words.includes('')) throw misuse('A condition is empty.');
  return { mode: until.includes('|') ? 'any' : 'all', words };
}

function conditionOf(
  view: GraphView,
  word: string,
  context: { readonly now: number; readonly files: FileFacts },
): WaitCondition {
  if (word === 'human-input' || word === 'message') return { type: word };
  const colon = word.indexOf(':');
  const [kind, rest] = [word.slice(0, colon), word.slice(colon + 1)];
  if (kind === 'timer')
    return { type: 'timer', resume_after: timestamp(context.now + asUsage(() => parseDuration(rest))) };
  if (kind === 'file') {
    const { mtime, size } = context.files.get(rest) ?? NO_FILE;
    return { type: 'file-changed', path: rest, mtime_at_wait: mtime, size_at_wait: size };
  }
  if (kind !== 'task') throw misuse(`Not a condition: ${JSON.stringify(word.slice(0, 80))}`);
  const equals = rest.lastIndexOf('=');
  const [id, status] = [rest.slice(0, equals), rest.slice(equals + 1)];
  if (equals < 1 || !STATUSES.includes(status as Status))
    throw misuse(`Not a status to wait for: ${JSON.stringify(rest.slice(0, 80))}`);
  if (!view.task(id)) {
    const near = didYouMean(id.slice(0, WORK_LIMITS.idCharacters), ids(view));
    throw misuse(
      `There is no task ${id.slice(0, WORK_LIMITS.idCharacters)} to wait for.`,
      near && `Did you mean ${near}?`,
    );
  }
  return { type: 'task-status', task_id: id, status: status as Status };
}

function* ids(view: GraphView): Iterable<string> {
  for (const node of view.nodes()) yield node.id;
}

function asUsage<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw misuse((error as Error).message);
  }
}

function misuse(what: string, hint?: string): TroupeError {
  return new TroupeError('usage', {
    what,
    hint: hint || 'Write task:ID=STATUS, timer:5m, human-input, message or file:PATH; several with , (all) or | (any).',
  });
}

/** In-progress → waiting, under the same claim: it holds no slot until its condition is met. */
export function waitTask(
  view: GraphView,
  id: string,
  wait: WaitSpec,
  options: MoveOptions & { readonly checkpoint?: string | undefined },
): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(view, task, options.by);
  if (task.status !== 'in-progress') throw wrongStatus(task, 'parked');
  const set = {
    status: 'waiting',
    wait_condition: wait,
    ...(options.checkpoint ? { checkpoint: withinLimit('description', options.checkpoint) } : {}),
  };
  const event = move(task, 'wait', options, set, [], `Waits for ${formatWait(wait)}${because(options)}`);
  return { events: [event], result: moved(id, 'waiting') };
}

/** Text of a wait, such as `review=done and a message`. */
export function formatWait(wait: WaitSpec): string {
  return wait.conditions.map(formatCondition).join(wait.mode === 'all' ? ' and ' : ' or ');
}

function formatCondition(condition: WaitCondition): string {
  switch (condition.type) {
    case 'task-status':
      return `${condition.task_id}=${condition.status}`;
    case 'timer':
      return `the time ${condition.resume_after}`;
    case 'file-changed':
      return `a change of ${condition.path}`;
    case 'human-input':
      return 'input from a person';
    case 'message':
      return 'a message';
  }
}

export interface WaitState {
  readonly met: boolean;
  /** Reason why it can never be met. */
  readonly hopeless?: string;
  /** The wait with newly met conditions marked as seen; undefined if there are none. */
  readonly progress?: WaitSpec;
}

/** Files that waiting tasks wait for, by their stored paths, and the earliest time they wait for. */
export function awaitedOutside(view: GraphView): { paths: ReadonlySet<string>; at: number } {
  const paths = new Set<string>();
  let at = Number.POSITIVE_INFINITY;
  for (const id of view.waiting()) {
    const conditions = view.task(id)?.wait_condition?.conditions;
    for (const condition of Array.isArray(conditions) ? (conditions as readonly WaitCondition[]) : []) {
      if (condition.type === 'file-changed') paths.add(condition.path);
      if (condition.type === 'timer') at = Math.min(at, timeOf(condition.resume_after));
    }
  }
  return { paths, at };
}

/**
 * Evaluates a wait. `settled` returns whether the status of an awaited task is final, or the task may still be
 * reopened.
 */
export function evaluateWait(
  view: GraphView,
  wait: WaitSpec,
  facts: { readonly now: number; readonly files?: FileFacts | undefined; readonly settled: (task: Task) => boolean },
): WaitState {
  const occurred = wait.conditions.map((condition) => isSeen(condition) || isMet(view, condition, facts));
  const met = wait.mode === 'all' ? occurred.every(Boolean) : occurred.some(Boolean);
  if (met) return { met };
  const reasons = wait.conditions.map((condition, index) =>
    occurred[index] ? undefined : unreachableReason(view, condition, facts.settled),
  );
  const hopeless =
    wait.mode === 'all'
      ? reasons.find((reason) => reason !== undefined)
      : reasons.every(Boolean)
        ? reasons[0]
        : undefined;
  const news = wait.conditions.some((condition, index) => occurred[index] && !isSeen(condition));
  const conditions = wait.conditions.map((condition, index) =>
    occurred[index] ? { ...condition, seen: true } : condition,
  );
  return {
    met,
    ...(hopeless === undefined ? {} : { hopeless }),
    ...(news ? { progress: { ...wait, conditions } } : {}),
  };
}

/** Whether a condition was met before: a status reached only for a moment counts, even if the others follow later. */
function isSeen(condition: WaitCondition): boolean {
  return (condition as { seen?: unknown }).seen === true;
}

function isMet(
  view: GraphView,
  condition: WaitCondition,
  facts: { readonly now: number; readonly files?: FileFacts | undefined },
): boolean {
  switch (condition.type) {
    case 'task-status':
      return view.task(condition.task_id)?.status === condition.status;
    case 'timer':
      return timeOf(condition.resume_after) <= facts.now;
    case 'file-changed': {
      const fact = facts.files?.get(condition.path);
      if (!fact) return false;
      return fact.mtime !== condition.mtime_at_wait || (condition.size_at_wait ?? fact.size) !== fact.size;
    }
    case 'human-input':
    case 'message':
      return false;
  }
}

function unreachableReason(
  view: GraphView,
  condition: WaitCondition,
  settled: (task: Task) => boolean,
): string | undefined {
  if (condition.type !== 'task-status') return undefined;
  const awaited = view.task(condition.task_id);
  if (!awaited) return `${condition.task_id} no longer exists`;
  if (isTerminal(awaited.status) && settled(awaited))
    return `${awaited.id} is ${awaited.status}, not ${condition.status}`;
  return undefined;
}

/** Resumes a waiting task: in progress under the same claim if it is still held, else open. */
export function wake(task: Task, why: string, options: MoveOptions): EventDraft {
  const isClaimed = task.assigned !== undefined;
  const set = { status: isClaimed ? 'in-progress' : 'open' };
  return move(task, 'wake', options, set, ['wait_condition', ...(isClaimed ? [] : ['started_at'])], `Goes on: ${why}`);
}
