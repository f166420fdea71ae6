import type { EventDraft } from '#core/graph/event.js';
import type { GraphDraft } from '#core/graph/view.js';

/** Does on a copy what will be committed, so that the next decision sees it. */
export function applyDraft(graph: GraphDraft, event: EventDraft): void {
  graph.apply({ ...event, seq: graph.seq, id: '', timestamp: '' });
}
