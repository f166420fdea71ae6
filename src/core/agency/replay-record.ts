import * as z from 'zod/mini';
import { recordText } from '#core/agency/entity-text.js';

export type ReplaySide = 'parent' | 'child';

/**
 * Method of a replay: attempts of a client, in worktrees from the task's original base commit, or a text answer of a
 * model without tools.
 */
export const REPLAY_KINDS = ['worktree', 'text'] as const;
export type ReplayKind = (typeof REPLAY_KINDS)[number];

/** Scores of a finished task, redone with a changed entity and with its parent. */
const pairSchema = z.object({
  task_id: z.string(),
  parent: z.number(),
  child: z.number(),
  /** Older reports omit it: they knew only text. */
  kind: z._default(z.enum(REPLAY_KINDS), 'text'),
  /** Reason why it was done as text; empty for attempts of a client. */
  why: z._default(z.string(), ''),
});

/** Result of a replay for one changed entity. */
export const replaySchema = z.object({
  kind: z.enum(['role', 'tradeoff']),
  id: z.string(),
  name: z.string(),
  parent_id: z.string(),
  /** Number of tasks held out for it. */
  held_out: z.number(),
  pairs: z.array(pairSchema),
  /** Tasks for which one of the two produced nothing that could be scored, with the reason. */
  unusable: z.array(z.object({ task_id: z.string(), reason: z.string() })),
  /** Mean of the differences, and its 95 percent bootstrap interval. */
  gain: z.nullable(z.number()),
  interval: z.nullable(z.tuple([z.number(), z.number()])),
  adopted: z.boolean(),
  reason: z.string(),
});
export type ReplayPair = z.infer<typeof pairSchema>;
export type ReplayRecord = z.infer<typeof replaySchema>;

/** Work of one of the two, with its score. */
export interface ReplayedWork {
  readonly score: number;
  readonly dimensions: Readonly<Record<string, number>>;
  readonly notes: string;
  /** Diff against the base commit, or the text of an answer; truncated, without secrets. */
  readonly work: string;
  /** Outcome of the attempt, its run and usage; null for a text. */
  readonly attempt: {
    readonly status: string;
    readonly run: string | null;
    readonly check_exit: number | null;
    readonly last_words: string;
    readonly usage: Readonly<Record<string, unknown>>;
  } | null;
}

/** One finished task redone by both, as stored in `replays/RUN/`. The records of roles and agents do not include it. */
export interface ReplayedTask {
  readonly task_id: string;
  readonly entity_id: string;
  readonly parent_id: string;
  readonly kind: ReplayKind;
  /** Base commit of both; null for texts. */
  readonly base: string | null;
  readonly first: ReplaySide;
  readonly parent: ReplayedWork;
  readonly child: ReplayedWork;
}

export function replayedText(replayed: ReplayedTask): string {
  return recordText({ ...replayed });
}
