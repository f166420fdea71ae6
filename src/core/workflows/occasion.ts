import { LIMITS } from '#kernel/limits.js';

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
  return moved(today, -back);
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
    const at = startOf(moved(present, days), zone);
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

function moved(date: string, days: number): string {
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
