import { formatDuration } from '#kernel/duration.js';
import type { ReadOnlyCause } from '#ports/storage.js';

const SECOND = 1_000;

/** Notice that data came from a replica, with the age of its newest change; undefined for any other cause. */
export function readingInWords({ by, ageMs }: ReadOnlyCause): string | undefined {
  if (by !== 'replica') return undefined;
  if (ageMs === undefined) return 'Read from a replica, which has received no change since it started.';
  return `Read from a replica: its newest change is ${ageInWords(ageMs)} old, and later ones are missing here.`;
}

export function ageInWords(milliseconds: number): string {
  return milliseconds < SECOND ? 'less than a second' : formatDuration(milliseconds);
}
