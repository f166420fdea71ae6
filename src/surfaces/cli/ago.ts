import { formatDuration } from '#kernel/duration.js';

const SECOND = 1_000;

/** How long ago it was, as people say it; the moment itself stands in the answer with `--json`. Empty where nothing is known. */
export function ago(at: string | null | undefined, now: number = Date.now()): string {
  const moment = Date.parse(at ?? '');
  if (Number.isNaN(moment)) return '';
  const passed = now - moment;
  return passed < SECOND ? 'just now' : `${formatDuration(passed)} ago`;
}
