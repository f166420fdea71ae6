import type { GraphEvent } from '#surfaces/http/contract.js';
import { Store } from './store.js';

export type LiveState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** The data shown is as old as `asOf` (milliseconds); the next attempt is at `retryAt`. */
  | { readonly kind: 'dropped'; readonly asOf: number; readonly retryAt: number };

/** A stream that lasted longer resets the backoff. */
const STEADY_MS = 5_000;
const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

/** State of the event stream, and so whether the page shows current data. */
export const live = new Store<LiveState>({ kind: 'connecting' });

/** Incremented with every event; components that show data reload then. */
export const changes = new Store(0);

/** Incremented with every event about roles; other events do not change role files. */
export const roleChanges = new Store(0);

let last = 0;
let attempts = 0;
let openedAt: number | undefined;
let source: EventSource | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Follows the log from after `seq`, the last event in the loaded data. Reconnects after every drop. */
export function follow(seq: number): void {
  if (source !== undefined || timer !== undefined) return;
  last = Math.max(last, seq);
  connect();
}

/** Reconnects now instead of at the scheduled time. */
export function retryNow(): void {
  if (live.get().kind !== 'dropped') return;
  clearTimeout(timer);
  connect();
}

/** Marks the page as not live after a request got no response, even if the stream has not failed yet. */
export function noteSilence(): void {
  if (source !== undefined && live.get().kind === 'live') drop();
}

function connect(): void {
  timer = undefined;
  source?.close(); // an attempt that is still connecting would count each event twice
  const attempt = new EventSource(`/api/events?from=${last + 1}`);
  source = attempt;
  attempt.onopen = () => {
    openedAt = Date.now();
    live.set({ kind: 'live' });
    changes.set(changes.get() + 1);
    roleChanges.set(roleChanges.get() + 1);
  };
  attempt.onmessage = (message: MessageEvent<string>) => {
    const event = JSON.parse(message.data) as GraphEvent;
    last = Math.max(last, event.seq);
    changes.set(changes.get() + 1);
    if (event.op.startsWith('role')) roleChanges.set(roleChanges.get() + 1);
  };
  attempt.onerror = () => {
    if (source === attempt) drop();
  };
}

function drop(): void {
  source?.close();
  source = undefined;
  const before = live.get();
  if (openedAt !== undefined && Date.now() - openedAt > STEADY_MS) attempts = 0;
  openedAt = undefined;
  const wait = RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)] ?? 15_000;
  attempts++;
  live.set({
    kind: 'dropped',
    asOf: before.kind === 'dropped' ? before.asOf : Date.now(),
    retryAt: Date.now() + wait,
  });
  timer = setTimeout(connect, wait);
}
