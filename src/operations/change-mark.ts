import type { EventDraft } from '#core/graph/event.js';
import type { CommitCheck } from '#ports/agency.js';
import { graphIfAny } from './graph-if-any.js';
import type { Context } from './operation.js';

/** The events of a change of files, the first with the name of the change: `committedIn` finds it by that. */
export function withChangeMark(events: readonly EventDraft[], change: string): EventDraft[] {
  return events.map((event, index) =>
    index === 0 && change !== '' ? { ...event, detail: { ...event.detail, change } } : event,
  );
}

/** Tells of a change of files whether the log of the graph has it. */
export function committedIn(context: Pick<Context, 'graph'>): CommitCheck {
  return async (change, from) => {
    const store = await graphIfAny(context);
    if (!store) return true;
    for await (const entry of store.entries(from + 1)) if (entry.detail?.['change'] === change) return true;
    return false;
  };
}
