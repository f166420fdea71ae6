import { TroupeError } from '#kernel/errors.js';

/** A whole number from 1 to `most`, or `usage` with the flag's name. */
export function wholeNumber(value: unknown, fallback: number, flag: string, most: number): number {
  if (value === undefined) return fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new TroupeError('usage', { what: `--${flag} takes a whole number from 1 to ${most}.` });
}
