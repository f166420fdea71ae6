import type { BaseDecision } from '#core/coordinator/decision.js';
import type { Part } from '#core/coordinator/part.js';
import { dueEvents } from '#core/graph/consequences.js';
import type { FileFacts } from '#core/graph/wait.js';

/** Of the files that tasks wait for. */
export interface WithFiles {
  readonly files: FileFacts;
}

/** What only time, a file or an earlier life brought to its end. */
export interface DueDecision extends BaseDecision {
  readonly do: 'settle-due';
}

/** Phases 2.5 to 2.7: cycles and waits whose time has come. */
export const waits: Part<WithFiles, DueDecision> = {
  none: { files: new Map() },
  decide: ({ graph, now, facts, want }) => {
    const events = dueEvents(graph, now, facts.files);
    if (events.length > 0) want({ do: 'settle-due', reason: 'Waits and cycles whose time had come', events });
  },
};
