import { formatDuration } from '#kernel/duration.js';
import { live } from './live.js';
import { Store, useStore } from './store.js';

/**
 * Current time, updated every second. It stops while the page is not live, so that durations do not run on beside stale
 * data.
 */
const second = new Store(Date.now());
setInterval(() => {
  if (live.get().kind !== 'dropped') second.set(Date.now());
}, 1_000);

export function useNow(): number {
  return useStore(second);
}

/** Duration since a timestamp, such as `2m 10s`; empty without one. */
export function elapsed(since: string | undefined, until: number): string {
  const start = since === undefined ? Number.NaN : Date.parse(since);
  return Number.isNaN(start) ? '' : formatDuration(until - start);
}

/** The absolute local time, for tooltips and reports. */
export function absolute(time: string): string {
  const value = Date.parse(time);
  return Number.isNaN(value) ? time : new Date(value).toLocaleString();
}

export function clockTime(milliseconds: number): string {
  return new Date(milliseconds).toLocaleTimeString();
}
