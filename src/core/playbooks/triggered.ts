import { isTerminal, type Task } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import type { GraphView } from '#core/graph/view.js';
import { sha256 } from '#kernel/hash.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';

/** A workflow that starts automatically. */
export interface TriggeredWorkflow {
  readonly id: string;
  /** Base name of its runs: its prefix, or its id. */
  readonly base: string;
  readonly trigger: Trigger;
  /** Modification time of its file in milliseconds: earlier occasions were not missed. */
  readonly since: number;
  /** Reason why it cannot start now. */
  readonly blocked?: Obstacle;
}

/** Causes that prevent an automatic start: untrusted commands, its last run, or others. */
export const OBSTACLES = ['trust', 'run', 'other'] as const;

export interface Obstacle {
  readonly cause: (typeof OBSTACLES)[number];
  /** A sentence. */
  readonly text: string;
}

/** Last automatic start of a workflow. Stored in the graph, committed with the tasks of its run. */
export interface LastStart {
  readonly occasion: string;
  /** In milliseconds. */
  readonly at: number;
  readonly run: string;
  readonly tasks: readonly string[];
}

const KIND = 'trigger';
/** Field of a task with the workflow run it waits for, or waited for. */
export const RUN_FIELD = 'workflow_run';
const TAG = 'workflow:';
const LONG_ID = 40;
/** A start this far in the future came from a wrong clock. */
const PUT_BACK_MS = 2 * 86_400_000;

/** Id of the node that stores the last start. Only the coordinator creates ids that begin with a full stop. */
export function triggerNode(id: string): string {
  return `.trigger-${id}`;
}

/** The node that stores a start. */
export function startNode(id: string, { occasion, at, run, tasks }: LastStart) {
  return {
    kind: KIND,
    id: triggerNode(id),
    workflow: id,
    occasion,
    at: new Date(at).toISOString(),
    run,
    tasks: [...tasks],
  };
}

export function lastStart(view: GraphView, id: string): LastStart | undefined {
  const node = view.node(triggerNode(id)) as Readonly<Record<string, unknown>> | undefined;
  if (node?.['kind'] !== KIND) return undefined;
  const { occasion, at, run, tasks } = node;
  if (typeof occasion !== 'string' || typeof run !== 'string') return undefined;
  const ids = Array.isArray(tasks) ? tasks.filter((task): task is string => typeof task === 'string') : [];
  return { occasion, at: Date.parse(String(at)) || 0, run, tasks: ids };
}

/** Whether the run is over; tasks that left the graph count as over. */
export function isOver(view: GraphView, { tasks }: LastStart): boolean {
  return tasks.every((id) => {
    const task = view.task(id);
    return task === undefined || isTerminal(task.status);
  });
}

/**
 * The current occasion of a scheduled workflow if it has not been started, whether or not it can start now. An occasion
 * in the future, recorded before the clock was set back, is ignored.
 */
export function dueOccasion(
  view: GraphView,
  { id, trigger, since }: TriggeredWorkflow,
  now: number,
  zone: string,
): string | undefined {
  const occasion = occasionAt(trigger, now, zone);
  if (occasion === undefined) return undefined;
  const last = lastStart(view, id);
  if (last === undefined) return (occasionBegan(trigger, now, zone) ?? 0) < since ? undefined : occasion;
  return last.at > now + PUT_BACK_MS || occasion > last.occasion ? occasion : undefined;
}

/** The workflow whose run a task waits for before it may start: named by its tag, and not started yet. */
export function awaitedWorkflow(task: Task, ids: ReadonlySet<string>): string | undefined {
  if (fieldsOf(task)[RUN_FIELD] !== undefined) return undefined;
  const tag = task.tags?.find((one) => one.startsWith(TAG) && ids.has(one.slice(TAG.length)));
  return tag?.slice(TAG.length);
}

/** Name of a run for an occasion, or for a task. */
export function runName({ base }: TriggeredWorkflow, occasion: string, task?: string): string {
  if (task === undefined) return `${base}-${occasion}`;
  return `${base}-${task.length > LONG_ID ? sha256(task).slice(0, 12) : task}`;
}

/** The tasks of a run without dependents in it; all if there are none, as in a cycle. */
export function endsOf(tasks: readonly { readonly id: string; readonly after?: readonly string[] }[]): string[] {
  const before = new Set(tasks.flatMap(({ after = [] }) => after));
  const ends = tasks.map(({ id }) => id).filter((id) => !before.has(id));
  return ends.length > 0 ? ends : tasks.map(({ id }) => id);
}

/** Status of an automatic workflow, for display. */
export interface TriggerStanding {
  /** Time of the next start in milliseconds; the current time if it is due. Undefined without a schedule. */
  readonly next: number | undefined;
  readonly due: boolean;
  /** The last automatic run. */
  readonly last: string | undefined;
  /** Reason why it does not start although it is due, or could not if it were. */
  readonly held: Obstacle | undefined;
}

export function triggerStanding(
  view: GraphView,
  workflow: TriggeredWorkflow,
  now: number,
  zone: string,
): TriggerStanding {
  const last = lastStart(view, workflow.id);
  const due = dueOccasion(view, workflow, now, zone) !== undefined;
  const busy = due && last !== undefined && !isOver(view, last);
  return {
    next: due ? now : nextOccasion(workflow.trigger, now, zone),
    due,
    last: last?.run,
    held: workflow.blocked ?? (busy ? { cause: 'run', text: `Its run ${last.run} has not ended.` } : undefined),
  };
}

/** The trigger as written in its file. */
export function triggerText({ type, every, event }: Trigger): string {
  return [type, every ?? event].filter((word) => word !== undefined).join(' ');
}

/** Condition for the automatic start of a workflow, as in its file. */
export interface Trigger {
  readonly type: 'manual' | 'schedule' | 'event' | 'heartbeat';
  readonly every?: string | undefined;
  readonly event?: string | undefined;
}

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Maximum days between two occasions: a week, plus an hour for a change of daylight saving time. */
const DAYS_AHEAD = 8;

/**
 * Key of the latest occasion that has begun; keys sort chronologically. A day begins at midnight in `zone`; a heartbeat
 * is an interval of fixed length. Undefined without a schedule. Missed occasions in between are dropped: only the
 * latest is made up for.
 */
export function occasionAt({ type, every = '' }: Trigger, now: number, zone: string): string | undefined {
  if (type === 'heartbeat') return new Date(beatAt(now)).toISOString().slice(0, 16).replace(':', '').toLowerCase();
  if (type !== 'schedule') return undefined;
  const today = dateIn(zone, now);
  const back = every === 'daily' ? 0 : (weekdayOf(today) - WEEKDAYS.indexOf(every.slice('weekly:'.length)) + 7) % 7;
  return addDays(today, -back);
}

/** Start of the latest occasion in milliseconds. */
export function occasionBegan(trigger: Trigger, now: number, zone: string): number | undefined {
  const key = occasionAt(trigger, now, zone);
  if (key === undefined) return undefined;
  return trigger.type === 'heartbeat' ? beatAt(now) : startOf(key, zone);
}

function beatAt(now: number): number {
  return Math.floor(now / WORK_LIMITS.workflowHeartbeatMs) * WORK_LIMITS.workflowHeartbeatMs;
}

/** Start of the next occasion; undefined without a schedule. */
export function nextOccasion(trigger: Trigger, now: number, zone: string): number | undefined {
  const present = occasionAt(trigger, now, zone);
  if (present === undefined) return undefined;
  if (trigger.type === 'heartbeat') return beatAt(now) + WORK_LIMITS.workflowHeartbeatMs;
  for (let days = 1; days <= DAYS_AHEAD; days++) {
    const at = startOf(addDays(present, days), zone);
    if (at > now && occasionAt(trigger, at, zone) !== present) return at;
  }
  return undefined;
}

/** Local date, as `2026-11-22`. */
function dateIn(zone: string, now: number): string {
  const parts = calendarOf(zone).formatToParts(now);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** Cached, because creating a calendar costs more than all its uses; a process uses a single zone. */
let latest: { readonly zone: string; readonly calendar: Intl.DateTimeFormat } | undefined;

function calendarOf(zone: string): Intl.DateTimeFormat {
  if (latest?.zone !== zone) {
    const fields = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    const calendar = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      ...fields,
    });
    latest = { zone, calendar };
  }
  return latest.calendar;
}

function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The first moment of a local day. Zone offsets are at most 14 hours from UTC, and transitions happen at quarters of an
 * hour.
 */
function startOf(date: string, zone: string): number {
  let [before, since] = [
    Date.parse(`${date}T00:00:00Z`) - 15 * HOUR_MS,
    Date.parse(`${date}T00:00:00Z`) + 15 * HOUR_MS,
  ];
  while (since - before > HOUR_MS / 60) {
    const between = Math.floor((before + since) / 2 / 60_000) * 60_000;
    if (dateIn(zone, between) < date) before = between;
    else since = between;
  }
  return since;
}
