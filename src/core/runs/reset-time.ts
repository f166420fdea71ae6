// Time at which a provider accepts requests again, parsed from its notice of a limit.
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { numberOf } from '#kernel/numbers.js';

/**
 * Parsed form: a time, a duration from now, or a time of day in a zone (IANA name; undefined: zone of this machine).
 */
export type Reset =
  | { readonly at: number }
  | { readonly inMs: number }
  | {
      readonly hour: number;
      readonly minute: number;
      readonly zone?: string;
      /** 0 is Sunday. */
      readonly weekday?: number;
      /** 1 is January. */
      readonly month?: number;
      readonly day?: number;
    };

const UNITS = new Map(Object.entries({ d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 }));
const SPAN = String.raw`\d{1,6}(?:\.\d+)?\s*(?:days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])`;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const EPOCH = /(?:\||resets?_?(?:at)?\W{1,6})(\d{13}|\d{10})(?!\d)/i;
const MOMENT = /\b(20\d\d-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s?(Z|UTC|[+-]\d\d:?\d\d)?/;
const IN = new RegExp(String.raw`\b(?:in|after|within)\s+(${SPAN}(?:(?:,|\s|and)*${SPAN})*)`, 'i');
const RETRY_AFTER = /\bretry[- ]after\W{1,4}(\d{1,7})(?!\d)/i;
const CLOCK = new RegExp(
  [
    String.raw`\b(?:resets?|again|until|available)\b[^.\n|]{0,20}?\s`,
    String.raw`(?:(${WEEKDAYS.join('|')})[a-z]*,?\s+)?`,
    String.raw`(?:(${MONTHS.join('|')})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(?:20\d\d,?\s+)?)?(?:at\s+)?`,
    String.raw`(\d{1,2})(?::(\d\d))?\s*([ap])?\.?(?:m\b)?\.?`,
    String.raw`(?:\s*\(?\b(UTC|GMT|[A-Z][A-Za-z]+(?:\/[A-Za-z_+-]+\d*)+)\b\)?)?`,
  ].join(''),
  'i',
);

/** Parses the reset time in a notice; undefined if there is none. */
export function resetIn(text: string): Reset | undefined {
  const epoch = EPOCH.exec(text)?.[1];
  if (epoch !== undefined) return { at: Number(epoch) * (epoch.length === 10 ? 1_000 : 1) };
  const [, date, time, zone = 'Z'] = MOMENT.exec(text) ?? [];
  if (date !== undefined) {
    const at = Date.parse(`${date}T${time}${zone === 'UTC' ? 'Z' : zone}`);
    if (!Number.isNaN(at)) return { at };
  }
  const span = IN.exec(text)?.[1];
  if (span !== undefined) return { inMs: spanOf(span) };
  const seconds = RETRY_AFTER.exec(text)?.[1];
  if (seconds !== undefined) return { inMs: Number(seconds) * 1_000 };
  return clockIn(text);
}

function spanOf(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/gi)];
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * numberOf(UNITS, unit.toLowerCase()), 0);
}

function clockIn(text: string): Reset | undefined {
  const [whole, weekday, month, day, hours, minutes, half, zone] = CLOCK.exec(text) ?? [];
  if (whole === undefined || (minutes === undefined && half === undefined)) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (hour > 23 || Number(minutes ?? 0) > 59) return undefined;
  return {
    hour,
    minute: Number(minutes ?? 0),
    ...(zone === undefined ? {} : { zone: /^(utc|gmt)$/i.test(zone) ? 'UTC' : zone }),
    ...(weekday === undefined ? {} : { weekday: WEEKDAYS.indexOf(weekday.toLowerCase()) }),
    ...(month === undefined ? {} : { month: MONTHS.indexOf(month.toLowerCase()) + 1, day: Number(day) }),
  };
}

/**
 * Time of a reset announced at `now`, in milliseconds: for a time of day, its next occurrence in its zone or in that of
 * this machine (`zone`). Undefined if it is past, further away than any limit lasts, or in an unknown zone.
 */
export function resetMoment(reset: Reset, now: number, zone: string): number | undefined {
  const at = 'at' in reset ? reset.at : 'inMs' in reset ? now + reset.inMs : nextTime(reset, now, zone);
  return at !== undefined && at > now && at - now <= WORK_LIMITS.resetMostMs ? at : undefined;
}

function nextTime(
  { hour, minute, weekday, month, day, ...named }: Exclude<Reset, { at: number } | { inMs: number }>,
  now: number,
  own: string,
): number | undefined {
  const zone = named.zone ?? own;
  const offset = offsetAt(zone, now);
  if (offset === undefined) return undefined;
  const today = new Date(now + offset);
  for (let ahead = 0; ahead * 86_400_000 <= WORK_LIMITS.resetMostMs; ahead++) {
    const local = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + ahead, hour, minute);
    const then = new Date(local);
    if (weekday !== undefined && then.getUTCDay() !== weekday) continue;
    if (month !== undefined && (then.getUTCMonth() + 1 !== month || then.getUTCDate() !== day)) continue;
    const at = local - (offsetAt(zone, local - offset) ?? offset);
    if (at > now) return at;
  }
  return undefined;
}

/** Offset of a zone from UTC in milliseconds; undefined for an unknown zone. */
function offsetAt(zone: string, at: number): number | undefined {
  try {
    const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...fields }).formatToParts(at);
    const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
    const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
    return local - Math.floor(at / 60_000) * 60_000;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
