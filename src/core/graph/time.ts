import { TroupeError } from '#kernel/errors.js';

/** Parses a stored time to milliseconds; negative infinity if it is missing or unreadable. */
export function timeOf(text: string | undefined): number {
  const value = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
}

/** Parses a time given by a person to milliseconds. Errors: `bad_input`. */
export function momentOf(text: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time) && namesDay(text)) return time;
  throw new TroupeError('bad_input', {
    what: `Not a time: ${JSON.stringify(text.slice(0, 40))}`,
    hint: 'Write it as 2026-03-21T10:00:00Z.',
  });
}

/** Whether the day of a date exists: `Date.parse` takes the 30th of February for the 1st of March. */
function namesDay(text: string): boolean {
  const [, year, month, day] = /^\s*(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  return day === undefined || Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}
