import { ErrandKind } from './errand.js';
import type { BaseDecision, Part, Tick } from './tick.js';

/** Exchanges issues with the forge of the settings; only one such errand exists at a time. */
export const SYNC = new ErrandKind<{ readonly of: 'synced'; readonly text: string }>('sync');

/** Facts about the exchange of issues. */
export interface WithIssues {
  readonly issues: {
    /** A forge is set, and the time of the next exchange has come. */
    readonly due: boolean;
  };
}

type IssueDecision =
  | (BaseDecision & { readonly do: 'sync-issues' })
  /** The exchange is over; it has committed what it found, also its failure. */
  | (BaseDecision & { readonly do: 'hear-sync' });

/** Asks for an exchange whenever one is due, also while the service is paused: it starts nothing. */
export const issues: Part<WithIssues, IssueDecision> = {
  none: { issues: { due: false } },
  decide: ({ facts, want }: Tick<WithIssues, IssueDecision>) => {
    const key = SYNC.key();
    const answer = SYNC.answer(facts.errands, key);
    if (answer !== undefined) want({ do: 'hear-sync', reason: answer.text, events: [] });
    else if (facts.issues.due && !facts.errands.underWay.has(key))
      want({ do: 'sync-issues', reason: 'Issues are exchanged', events: [] });
  },
};
