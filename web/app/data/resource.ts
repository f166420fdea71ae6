/**
 * State shared by the pages: requests, the event stream, the route, the theme.
 * @packageDocumentation
 */
import { useEffect, useRef } from 'react';
import type { Answer, ApiInput, ApiOperation, ProjectAnswer } from '#surfaces/http/contract.js';
import { ApiError, addressOf, ask } from './api.js';
import { changes, follow, live, noteSilence } from './live.js';
import { Store, useStore } from './store.js';

export interface Loaded<Value> {
  readonly answer?: Value;
  readonly error?: ApiError;
}

/** Set when the server no longer accepts the session of this browser; only a new address from the terminal helps. */
export const lockedOut = new Store(false);

/** Least time between the end of a request and the next. */
const REST_MS = 300;

/** An address of the API and its latest answer. */
export class Resource<Value> {
  readonly state = new Store<Loaded<Value>>({});
  private readonly address: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private loading = false;
  private again = false;
  private taken = 0;
  private endedAt = -REST_MS;

  constructor(address: string) {
    this.address = address;
  }

  /**
   * Stores the response of a change. A running request may predate the change, so its answer is discarded and requested
   * again.
   */
  take(answer: Value): void {
    this.taken += 1;
    this.again = this.loading;
    this.state.set({ answer });
  }

  /** Loads at once after a pause; many events in a row share the next request. */
  loadSoon(): void {
    const wait = Math.max(0, this.endedAt + REST_MS - performance.now());
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.load();
    }, wait);
  }

  async load(): Promise<void> {
    if (this.loading) {
      this.again = true;
      return;
    }
    this.loading = true;
    const { taken } = this;
    try {
      const answer = await ask<Value>(this.address);
      if (taken === this.taken) this.state.set({ answer });
      const seq = (answer as { seq?: unknown }).seq;
      if (typeof seq === 'number') follow(seq);
    } catch (error) {
      const failure = error instanceof ApiError ? error : new ApiError('internal', String(error), 'Reload the page.');
      if (failure.code === 'unauthenticated') lockedOut.set(true);
      if (failure.code === 'unreachable') noteSilence();
      const { answer } = this.state.get();
      if (taken === this.taken) this.state.set(answer === undefined ? { error: failure } : { answer, error: failure });
    } finally {
      this.loading = false;
      this.endedAt = performance.now();
    }
    if (this.again) {
      this.again = false;
      this.loadSoon();
    }
  }
}

/** Placeholder for a resource that need not be loaded. */
class Unasked extends Resource<never> {
  override async load(): Promise<void> {
    await Promise.resolve();
  }
}
export const UNASKED = new Unasked('');

/** Resource of the answer of a read operation. */
export function resourceOf<Name extends ApiOperation>(name: Name, input: ApiInput<Name>): Resource<Answer<Name>> {
  return new Resource<Answer<Name>>(addressOf(name, input));
}

/** News for data that no event of the log changes. */
export const NO_NEWS = new Store(0);

export const nowResource = resourceOf('status.now', {});
export const workResource = resourceOf('status.work', {});
/** Teams are stored in a database whose changes are not in the event log. */
export const teamsResource = resourceOf('team.list', {});
export const projectResource = new Resource<ProjectAnswer>('project');

// A stream does not tell why it was refused. A request shows whether the server is gone or rejects this session.
live.watch(() => {
  if (live.get().kind === 'dropped') void projectResource.load();
});

/**
 * Loads a resource, and reloads it with every event of the log, or only with those that `news` counts. With `everyMs`
 * it also polls, for data that is not in the log.
 */
export function useResource<Value>(
  resource: Resource<Value>,
  everyMs?: number,
  news: Store<number> = changes,
): Loaded<Value> {
  const loaded = useStore(resource.state);
  useEffect(() => {
    void resource.load();
    const stop = news.watch(() => resource.loadSoon());
    const ask = () => {
      if (live.get().kind !== 'dropped') void resource.load();
    };
    const timer = everyMs === undefined ? undefined : setInterval(ask, everyMs);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [resource, everyMs, news]);
  return loaded;
}

/** Like `useResource`; while another resource loads, the last answer stays, so that the page does not jump. */
export function useSteadyResource<Value>(resource: Resource<Value>): Loaded<Value> {
  const loaded = useResource(resource);
  const last = useRef<Value>(undefined);
  if (loaded.answer !== undefined) last.current = loaded.answer;
  return loaded.answer === undefined && last.current !== undefined ? { ...loaded, answer: last.current } : loaded;
}
