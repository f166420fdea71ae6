import { formatDuration } from '#kernel/duration.js';
import { live } from './live.js';
import { Store, useStore } from './store.js';

/** The present second. It stands still while the page is not live: a frozen picture has no running clocks. */
const second = new Store(Date.now());
setInterval(() => {
  if (live.get().kind !== 'dropped') second.set(Date.now());
}, 1_000);

export function useNow(): number {
  return useStore(second);
}

/** `2m 10s` since a written time, empty for a missing one. */
export function elapsed(since: string | undefined, until: number): string {
  const start = since === undefined ? Number.NaN : Date.parse(since);
  return Number.isNaN(start) ? '' : formatDuration(until - start);
}

/** The absolute time, for hovering and for reports. */
export function absolute(time: string): string {
  const value = Date.parse(time);
  return Number.isNaN(value) ? time : new Date(value).toLocaleString();
}

export function clockTime(milliseconds: number): string {
  return new Date(milliseconds).toLocaleTimeString();
}
