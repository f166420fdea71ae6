import type { GraphEvent } from '#surfaces/http/contract.js';
import { Store } from './store.js';

export type LiveState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** Nothing shown is newer than `asOf` (milliseconds); the next attempt is at `retryAt`. */
  | { readonly kind: 'dropped'; readonly asOf: number; readonly retryAt: number };

/** A stream that held this long was a good one: the next attempt comes soon again. */
const STEADY_MS = 5_000;
const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

/** Is what the page shows what is really happening? */
export const live = new Store<LiveState>({ kind: 'connecting' });

/** Incremented with every event; components that show data reload then. */
export const changes = new Store(0);

/** Grows only with events that tell of roles, whose files the others leave as they are. */
export const roleChanges = new Store(0);

let last = 0;
let attempts = 0;
let openedAt: number | undefined;
let source: EventSource | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Follows the log from after `seq`, the last event the loaded data contains. Goes on after every drop. */
export function follow(seq: number): void {
  if (source !== undefined || timer !== undefined) return;
  last = Math.max(last, seq);
  connect();
}

/** Tries now instead of at the next planned time. */
export function retryNow(): void {
  if (live.get().kind !== 'dropped') return;
  clearTimeout(timer);
  connect();
}

/** The server was seen not to answer: what is shown is no longer live, also while the stream has not noticed. */
export function noteSilence(): void {
  if (source !== undefined && live.get().kind === 'live') drop();
}

function connect(): void {
  timer = undefined;
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
