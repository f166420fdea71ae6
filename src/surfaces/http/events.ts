import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { GraphEvent } from '#surfaces/http/contract.js';

/** Yields each log entry from `from` on once, until the signal aborts. */
export type Follow = (from: number, signal: AbortSignal) => AsyncIterable<GraphEvent>;

/**
 * Calls back every `milliseconds` until the returned function is called. Injected, so that tests control the heartbeat.
 */
export type Every = (milliseconds: number, callback: () => void) => () => void;

export const systemEvery: Every = (milliseconds, callback) => {
  const timer = setInterval(callback, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
};

/** Heartbeats without a read after which a reader counts as gone, even if its socket is still open. */
const MAX_MISSED_HEARTBEATS = 2;

/** Open event streams of one server. */
export class EventStreams {
  private readonly follow: Follow;
  private readonly every: Every;
  private readonly open = new Set<EventStream>();

  constructor(follow: Follow, every: Every) {
    this.follow = follow;
    this.every = every;
  }

  /**
   * Streams server-sent events from `from` on as a response body. `refused` returns the reason as soon as its reader may
   * read no longer; `hangUp` closes the connection of a browser that stopped reading. Errors: `too_many` at the maximum
   * number of streams.
   */
  stream(from: number, refused: () => TroupeError | undefined, hangUp: () => void): ReadableStream<Uint8Array> {
    if (this.open.size >= SURFACE_LIMITS.eventStreams) throw new TroupeError('too_many');
    const { follow, every } = this;
    const stream = new EventStream({ follow, every, refused, hangUp, ended: () => this.open.delete(stream) });
    this.open.add(stream);
    return stream.body(from);
  }

  /** Ends the streams of readers that may read no longer. */
  check(): void {
    for (const stream of [...this.open]) stream.check();
  }

  close(): void {
    for (const stream of [...this.open]) stream.end();
  }
}

interface StreamParts {
  readonly follow: Follow;
  readonly every: Every;
  refused(): TroupeError | undefined;
  hangUp(): void;
  ended(): void;
}

/**
 * Event stream of one reader. The next event is fetched only after the last one was read, so a slow reader costs no
 * memory. A reader that stops reading is disconnected and resumes from its last event when it reconnects.
 */
class EventStream {
  private readonly parts: StreamParts;
  private readonly abort = new AbortController();
  private readonly encoder = new TextEncoder();
  private controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  private stopHeartbeat: (() => void) | undefined;
  private wake: (() => void) | undefined;
  private stuck = 0;

  constructor(parts: StreamParts) {
    this.parts = parts;
  }

  body(from: number): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.controller = controller;
        this.stopHeartbeat = this.parts.every(SURFACE_LIMITS.eventHeartbeatMs, () => this.beat());
        this.send(': connected\n\n');
        void this.pump(from).finally(() => this.end());
      },
      pull: () => this.wake?.(),
      cancel: () => this.end(),
    });
  }

  /** Idempotent; the browser, the log or the server may end the stream. */
  end(): void {
    if (this.abort.signal.aborted) return;
    this.abort.abort();
    this.stopHeartbeat?.();
    this.wake?.();
    try {
      this.controller?.close();
    } catch {
      // the browser cancelled, so the stream is already closed
    }
    this.parts.ended();
  }

  /** Ends the stream with the reason if its reader may read no longer. Returns whether it goes on. */
  check(): boolean {
    const refusal = this.abort.signal.aborted ? undefined : this.parts.refused();
    if (refusal === undefined) return true;
    this.send(`event: end\ndata: ${JSON.stringify({ error: refusal })}\n\n`);
    this.end();
    return false;
  }

  private beat(): void {
    if (!this.check()) return;
    this.stuck = this.hasRoom() ? 0 : this.stuck + 1;
    if (this.stuck >= MAX_MISSED_HEARTBEATS) {
      this.end();
      this.parts.hangUp();
    } else if (this.stuck === 0) this.send(': alive\n\n');
  }

  private async pump(from: number): Promise<void> {
    try {
      for await (const event of this.parts.follow(from, this.abort.signal)) {
        while (!this.hasRoom() && !this.abort.signal.aborted) await new Promise<void>((wake) => (this.wake = wake));
        if (this.abort.signal.aborted || !this.check()) return;
        const { seq, op, task_id } = event;
        this.send(
          `id: ${seq}\ndata: ${JSON.stringify({ seq, op, ...(task_id === undefined ? {} : { task_id }) })}\n\n`,
        );
      }
    } catch {
      // the log can no longer be followed: ending the stream makes the browser reconnect and show that it is not live
    }
  }

  private hasRoom(): boolean {
    return (this.controller?.desiredSize ?? 0) > 0;
  }

  private send(text: string): void {
    this.controller?.enqueue(this.encoder.encode(text));
  }
}

/** Returns the start of a stream: after the browser's last event id, else at `?from=`. */
export function firstEvent(lastEventId: string | undefined, from: string | undefined): number {
  const text = lastEventId ?? from;
  const value = text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (value === undefined) {
    throw new TroupeError('bad_input', {
      what: 'The stream needs a starting point.',
      hint: 'Use ?from=SEQ, the first event you want, or send Last-Event-ID.',
    });
  }
  return lastEventId === undefined ? Math.max(1, value) : value + 1;
}
