import { TroupeError } from '#kernel/errors.js';

/** Milliseconds of a stored time; a missing or unreadable one counts as long past. */
export function timeOf(text: string | undefined): number {
  const value = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
}

/** A time a person wrote, in milliseconds; `bad_input` for anything else. */
export function momentOf(text: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new TroupeError('bad_input', {
    what: `Not a time: ${JSON.stringify(text.slice(0, 40))}`,
    hint: 'Write it as 2026-03-21T10:00:00Z.',
  });
}
