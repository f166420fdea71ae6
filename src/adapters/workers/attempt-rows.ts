import type { EndReason } from '#core/coordinator/snapshot.js';
import type { AttemptCard, AttemptOutcome, PostedAttempt } from './attempt-board.js';
import { toldOf } from './told-schema.js';

/** Columns of an `AttemptRow`. */
export const ATTEMPT_COLUMNS =
  'card_json, state, labels, worker, wish_end, outcome, reason, report_json AS report, end_json';

export interface AttemptRow {
  readonly card_json: string;
  readonly state: PostedAttempt['state'] | 'forgotten';
  readonly labels: readonly string[];
  readonly worker: string | null;
  readonly wish_end: EndReason | null;
  readonly outcome: AttemptOutcome | null;
  readonly reason: string | null;
  readonly report: string | null;
  readonly end_json: string | null;
}

/** Parses a row. The leader wrote the card, so it is trusted; the worker's reports are validated. */
export function attemptIn(row: AttemptRow): PostedAttempt {
  const { card_json, state, labels, worker, wish_end, outcome, reason, report, end_json } = row;
  return {
    card: JSON.parse(card_json) as AttemptCard,
    state: state === 'forgotten' ? 'ended' : state,
    labels,
    ...(worker === null ? {} : { worker }),
    ...(wish_end === null ? {} : { wishedEnd: wish_end }),
    ...(outcome === null ? {} : { outcome }),
    ...(reason === null ? {} : { reason }),
    ...toldOf(report ?? undefined, end_json ?? undefined),
  };
}
