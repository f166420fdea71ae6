import { useEffect } from 'react';
import type { NowAnswer, PictureAnswer, ProjectAnswer } from '#surfaces/http/contract.js';
import { ApiError, ask } from './api.js';
import { changes, follow, live, noteSilence } from './live.js';
import { Store, useStore } from './store.js';

export interface Loaded<Answer> {
  readonly answer?: Answer;
  readonly error?: ApiError;
}

/** Set when the server no longer knows this browser; only a fresh address from the terminal helps. */
export const lockedOut = new Store(false);

const QUIET_MS = 300;

/** One address of the API and what it last answered. */
export class Resource<Answer> {
  readonly state = new Store<Loaded<Answer>>({});
  private readonly address: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private loading = false;
  private again = false;

  constructor(address: string) {
    this.address = address;
  }

  /** Many events in a row cost one request. */
  loadSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.load();
    }, QUIET_MS);
  }

  async load(): Promise<void> {
    if (this.loading) {
      this.again = true;
      return;
    }
    this.loading = true;
    try {
      const answer = await ask<Answer>(this.address);
      this.state.set({ answer });
      const seq = (answer as { seq?: unknown }).seq;
      if (typeof seq === 'number') follow(seq);
    } catch (error) {
      const failure = error instanceof ApiError ? error : new ApiError('internal', String(error), 'Reload the page.');
      if (failure.code === 'unauthenticated') lockedOut.set(true);
      if (failure.code === 'unreachable') noteSilence();
      const { answer } = this.state.get();
      this.state.set(answer === undefined ? { error: failure } : { answer, error: failure });
    } finally {
      this.loading = false;
    }
    if (this.again) {
      this.again = false;
      this.loadSoon();
    }
  }
}

/** The tasks of the graph that one asks for: the server looks, whatever the page holds. */
export function picture(asked: { readonly state?: string; readonly search?: string; readonly limit?: number }) {
  const query = new URLSearchParams();
  for (const state of asked.state?.split(',') ?? []) query.append('state', state);
  if (asked.search !== undefined) query.set('search', asked.search);
  if (asked.limit !== undefined) query.set('limit', String(asked.limit));
  return new Resource<PictureAnswer>(`graph/picture?${query}`);
}

export const nowResource = new Resource<NowAnswer>('status/now');
export const pictureResource = new Resource<PictureAnswer>('graph/picture');
export const projectResource = new Resource<ProjectAnswer>('project');

// A stream cannot say why it was refused. Asking tells whether the server is gone or no longer knows this browser.
live.watch(() => {
  if (live.get().kind === 'dropped') void projectResource.load();
});

/** Watches a resource: loads it, and again when the log moves; `everyMs` also asks by the clock, for what the log does not tell. */
export function useResource<Answer>(resource: Resource<Answer>, everyMs?: number): Loaded<Answer> {
  const loaded = useStore(resource.state);
  useEffect(() => {
    void resource.load();
    const stop = changes.watch(() => resource.loadSoon());
    const ask = () => {
      if (live.get().kind !== 'dropped') void resource.load();
    };
    const timer = everyMs === undefined ? undefined : setInterval(ask, everyMs);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [resource, everyMs]);
  return loaded;
}
