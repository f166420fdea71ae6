import type { EventDraft } from '#core/graph/event.js';
import type { CommitCheck } from '#ports/agency.js';
import { graphIfAny } from './graph-if-any.js';
import type { Context } from './operation.js';

/** Adds the name of a file change to the first of its events, by which `committedIn` finds it. */
export function withChangeMark(events: readonly EventDraft[], change: string): EventDraft[] {
  return events.map((event, index) =>
    index === 0 && change !== '' ? { ...event, detail: { ...event.detail, change } } : event,
  );
}

/** Returns a check whether the log of the graph has an entry of a file change. */
export function committedIn(context: Pick<Context, 'graph'>): CommitCheck {
  return async (change, from) => {
    const store = await graphIfAny(context);
    if (!store) return true;
    for await (const entry of store.entries(from + 1)) if (entry.detail?.['change'] === change) return true;
    return false;
  };
}
