import { isTerminal, type Task } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import type { GraphView } from '#core/graph/view.js';
import { sha256 } from '#kernel/hash.js';
import { LIMITS } from '#kernel/limits.js';

/** A workflow that begins by itself. */
export interface TriggeredWorkflow {
  readonly id: string;
  /** What its runs are called first: its prefix, or its id. */
  readonly base: string;
  readonly trigger: Trigger;
  /** Since when its file stands as it does, in milliseconds: what was before that it has not missed. */
  readonly since: number;
  /** Why it cannot begin now. */
  readonly blocked?: Obstacle;
}

/** What keeps a workflow from beginning by itself: that its commands are not trusted, its last run, or anything else. */
export const OBSTACLES = ['trust', 'run', 'other'] as const;

export interface Obstacle {
  readonly cause: (typeof OBSTACLES)[number];
  /** A sentence. */
  readonly text: string;
}

/** The last time a workflow began by itself. It stands in the graph, committed with the tasks of its run. */
export interface LastStart {
  readonly occasion: string;
  /** Milliseconds. */
  readonly at: number;
  readonly run: string;
  readonly tasks: readonly string[];
}

const KIND = 'trigger';
/** The field of a task that names the run it waits for, or waited for. */
export const RUN_FIELD = 'workflow_run';
const TAG = 'workflow:';
const LONG_ID = 40;
/** A start this far ahead was made by a clock that was wrong. */
const PUT_BACK_MS = 2 * 86_400_000;

/** Nobody but the coordinator gives ids that begin with a full stop. */
export function triggerNode(id: string): string {
  return `.trigger-${id}`;
}

/** The node that remembers it. */
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

/** Whether nothing of it goes on; what left the graph is over. */
export function isOver(view: GraphView, { tasks }: LastStart): boolean {
  return tasks.every((id) => {
    const task = view.task(id);
    return task === undefined || isTerminal(task.status);
  });
}

/**
 * The occasion that a workflow of a clock has not begun for yet, whether or not it can begin now. A later clock that was put
 * back leaves an occasion in the future: that one counts as none.
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

/** The workflow whose run a task waits for before anybody begins it: named by its tag, and not begun yet. */
export function awaitedWorkflow(task: Task, ids: ReadonlySet<string>): string | undefined {
  if (fieldsOf(task)[RUN_FIELD] !== undefined) return undefined;
  const tag = task.tags?.find((one) => one.startsWith(TAG) && ids.has(one.slice(TAG.length)));
  return tag?.slice(TAG.length);
}

/** What a run of an occasion, or for a task, is called. */
export function runName({ base }: TriggeredWorkflow, occasion: string, task?: string): string {
  if (task === undefined) return `${base}-${occasion}`;
  return `${base}-${task.length > LONG_ID ? sha256(task).slice(0, 12) : task}`;
}

/** The tasks of a run after which nothing of it comes; all, where each is before another. */
export function endsOf(tasks: readonly { readonly id: string; readonly after?: readonly string[] }[]): string[] {
  const before = new Set(tasks.flatMap(({ after = [] }) => after));
  const ends = tasks.map(({ id }) => id).filter((id) => !before.has(id));
  return ends.length > 0 ? ends : tasks.map(({ id }) => id);
}

/** How it stands with a workflow that begins by itself, for those who look. */
export interface TriggerStanding {
  /** When it begins next, in milliseconds; the present moment where it is due. Undefined where no clock begins it. */
  readonly next: number | undefined;
  readonly due: boolean;
  /** The last run that began by itself. */
  readonly last: string | undefined;
  /** Why it does not begin although it is due, or could not if it were. */
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

/** In the words of its file. */
export function triggerText({ type, every, event }: Trigger): string {
  return [type, every ?? event].filter((word) => word !== undefined).join(' ');
}

/** When a workflow begins by itself, as its file says it. */
export interface Trigger {
  readonly type: 'manual' | 'schedule' | 'event' | 'heartbeat';
  readonly every?: string | undefined;
  readonly event?: string | undefined;
}

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The longest time between two occasions is a week, which may have an hour more. */
const DAYS_AHEAD = 8;

/**
 * The latest occasion that has begun, by its name; later ones have names that come later in order. A day begins at midnight in `zone`, a heartbeat is a span of fixed length. Undefined for
 * what no clock begins. Those that were missed in between are none: whoever comes late makes up for one.
 */
export function occasionAt({ type, every = '' }: Trigger, now: number, zone: string): string | undefined {
  if (type === 'heartbeat') return new Date(beatAt(now)).toISOString().slice(0, 16).replace(':', '').toLowerCase();
  if (type !== 'schedule') return undefined;
  const today = dateIn(zone, now);
  const back = every === 'daily' ? 0 : (weekdayOf(today) - WEEKDAYS.indexOf(every.slice('weekly:'.length)) + 7) % 7;
  return addDays(today, -back);
}

/** When the latest occasion began, in milliseconds. */
export function occasionBegan(trigger: Trigger, now: number, zone: string): number | undefined {
  const key = occasionAt(trigger, now, zone);
  if (key === undefined) return undefined;
  return trigger.type === 'heartbeat' ? beatAt(now) : startOf(key, zone);
}

function beatAt(now: number): number {
  return Math.floor(now / LIMITS.workflowHeartbeatMs) * LIMITS.workflowHeartbeatMs;
}

/** When the occasion after the present one begins; undefined for what no clock begins. */
export function nextOccasion(trigger: Trigger, now: number, zone: string): number | undefined {
  const present = occasionAt(trigger, now, zone);
  if (present === undefined) return undefined;
  if (trigger.type === 'heartbeat') return beatAt(now) + LIMITS.workflowHeartbeatMs;
  for (let days = 1; days <= DAYS_AHEAD; days++) {
    const at = startOf(addDays(present, days), zone);
    if (at > now && occasionAt(trigger, at, zone) !== present) return at;
  }
  return undefined;
}

/** The day it is there, as `2026-11-22`. */
function dateIn(zone: string, now: number): string {
  const parts = calendarOf(zone).formatToParts(now);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** Making one takes longer than all that is asked of it; there is one zone in a process. */
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

/** The first moment of a day there. Zones are at most 14 hours apart from UTC, and change by whole quarters of an hour. */
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
