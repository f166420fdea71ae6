import { TroupeError } from '#kernel/errors.js';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const LONGEST_MS = 36_500 * UNIT_MS.d;

/** Parses `30s`, `5m`, `2h` or `1d` into milliseconds. Errors: `bad_input`. */
export function parseDuration(text: string): number {
  const match = /^(\d{1,9})([smhd])$/.exec(text.trim());
  const unit = match?.[2] as keyof typeof UNIT_MS | undefined;
  if (!match || !unit) {
    throw new TroupeError('bad_input', {
      what: `Invalid duration: ${JSON.stringify(text.slice(0, 40))}`,
      hint: 'Use a whole number and a unit, such as 30s, 5m, 2h or 1d.',
    });
  }
  const milliseconds = Number(match[1]) * UNIT_MS[unit];
  if (milliseconds > LONGEST_MS) {
    throw new TroupeError('bad_input', { what: `${text.trim()} is too long.`, hint: 'The maximum is 36500d.' });
  }
  return milliseconds;
}

/** Parses an age, as `archive` and `gc` accept it: a duration, or whole weeks (`2w`). Errors: `bad_input`. */
export function parseAge(text: string): number {
  const weeks = /^(\d{1,4})w$/.exec(text.trim())?.[1];
  return parseDuration(weeks === undefined ? text : `${Number(weeks) * 7}d`);
}

/**
 * Formats a duration with its two largest units, as everywhere in the interface: `850ms`, `12s`, `2m 10s`, `3h 5m`, `2d
 * 4h`.
 */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.max(0, Math.round(milliseconds))}ms`;
  const seconds = Math.floor(milliseconds / 1_000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m ${seconds % 60}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours}h` : `${hours}h ${minutes % 60}m`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days}d` : `${days}d ${hours % 24}h`;
}
