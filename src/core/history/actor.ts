import type { Entry } from '#core/graph/event.js';

export type ActorKind = 'human' | 'agent' | 'system';

/** How runs are named; a person may call herself anything else. */
const RUN_NAME = /^agent-\d{1,9}$/;
/** Names under which Troupe itself writes. */
const OURSELVES: ReadonlySet<string> = new Set(['coordinator', 'service', 'troupe']);

/** Who stands behind an entry: a person, a run, or Troupe. What a hand changed in the file has no name, but is a person's. */
export function actorKind(entry: Pick<Entry, 'op' | 'actor'>): ActorKind {
  if (entry.actor === undefined) return entry.op === 'hand_edit' ? 'human' : 'system';
  if (RUN_NAME.test(entry.actor)) return 'agent';
  return OURSELVES.has(entry.actor) ? 'system' : 'human';
}
