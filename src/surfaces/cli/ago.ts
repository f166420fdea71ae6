import { formatDuration } from '#kernel/duration.js';

const SECOND = 1_000;

/** Elapsed time in words; `--json` answers contain the time itself. Empty if unknown. */
export function ago(at: string | null | undefined, now: number = Date.now()): string {
  const moment = Date.parse(at ?? '');
  if (Number.isNaN(moment)) return '';
  const passed = now - moment;
  return passed < SECOND ? 'just now' : `${formatDuration(passed)} ago`;
}
