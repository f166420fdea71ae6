import * as z from 'zod/mini';
import { recordText } from '#core/agency/entity-text.js';

export type ReplaySide = 'parent' | 'child';

/**
 * How a finished task was done again: by attempts of a client, in worktrees from the commit it began from, or by a model that was
 * asked for text and had no tools.
 */
export const REPLAY_KINDS = ['worktree', 'text'] as const;
export type ReplayKind = (typeof REPLAY_KINDS)[number];

/** A finished task that a changed role or trade-off and the one it comes from did again, each with its score. */
const pairSchema = z.object({
  task_id: z.string(),
  parent: z.number(),
  child: z.number(),
  /** Reports from before there were others say nothing. */
  kind: z._default(z.enum(REPLAY_KINDS), 'text'),
  /** Why it was done in text alone; empty for attempts of a client. */
  why: z._default(z.string(), ''),
});

/** What a replay showed of one changed entity. */
export const replaySchema = z.object({
  kind: z.enum(['role', 'tradeoff']),
  id: z.string(),
  name: z.string(),
  parent_id: z.string(),
  /** How many tasks were held out for it. */
  held_out: z.number(),
  pairs: z.array(pairSchema),
  /** Tasks of which one of the two gave nothing that could be scored, with the reason. */
  unusable: z.array(z.object({ task_id: z.string(), reason: z.string() })),
  /** The mean of the differences, and where it lies in 95 of 100 resamples. */
  gain: z.nullable(z.number()),
  interval: z.nullable(z.tuple([z.number(), z.number()])),
  adopted: z.boolean(),
  reason: z.string(),
});
export type ReplayPair = z.infer<typeof pairSchema>;
export type ReplayRecord = z.infer<typeof replaySchema>;

/** What one of the two did, and how it was judged. */
export interface ReplayedWork {
  readonly score: number;
  readonly dimensions: Readonly<Record<string, number>>;
  readonly notes: string;
  /** The difference to the commit it began from, or the text of an answer; bounded, without secrets. */
  readonly work: string;
  /** How an attempt ended, as which run, and what it used; null for a text. */
  readonly attempt: {
    readonly status: string;
    readonly run: string | null;
    readonly check_exit: number | null;
    readonly last_words: string;
    readonly usage: Readonly<Record<string, unknown>>;
  } | null;
}

/** One finished task done again by both, as `replays/RUN/` keeps it. No record of a role or an agent knows of it. */
export interface ReplayedTask {
  readonly task_id: string;
  readonly entity_id: string;
  readonly parent_id: string;
  readonly kind: ReplayKind;
  /** The commit both began from; null for texts. */
  readonly base: string | null;
  readonly first: ReplaySide;
  readonly parent: ReplayedWork;
  readonly child: ReplayedWork;
}

export function replayedText(replayed: ReplayedTask): string {
  return recordText({ ...replayed });
}
