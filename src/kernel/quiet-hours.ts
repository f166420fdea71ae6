import { QUIET_HOURS } from './quiet-hours-form.js';

const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;

/** Quiet hours of each day, in minutes since local midnight; they may pass midnight. */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
}

/** Parses `22:00-07:00`; undefined for any other text, and if both times are equal. */
export function quietHoursIn(text: string): QuietHours | undefined {
  if (!QUIET_HOURS.test(text)) return undefined;
  const [from = 0, to = 0] = text.split('-').map(minutesOf);
  return from === to ? undefined : { from, to };
}

function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}

/** End of the present quiet hours in milliseconds; undefined if it is not quiet. */
export function quietUntil({ from, to }: QuietHours, now: number, zone: string): number | undefined {
  const minute = minuteOfDay(now, zone);
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isQuiet) return undefined;
  const left = (to - minute + DAY_MINUTES) % DAY_MINUTES;
  return Math.floor(now / MINUTE_MS) * MINUTE_MS + left * MINUTE_MS;
}

function minuteOfDay(now: number, zone: string): number {
  const parts = clockOf(zone).formatToParts(now);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value ?? 0);
  return part('hour') * 60 + part('minute');
}

/** Cached, because creating one costs more than all its uses; a process uses a single zone. */
let latest: { readonly zone: string; readonly clock: Intl.DateTimeFormat } | undefined;

function clockOf(zone: string): Intl.DateTimeFormat {
  if (latest?.zone !== zone) {
    const fields = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    latest = { zone, clock: new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...fields }) };
  }
  return latest.clock;
}
