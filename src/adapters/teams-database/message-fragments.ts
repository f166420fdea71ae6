import { sql } from 'kysely';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

/** Columns of a message. */
export const MESSAGE = [
  ...(['m.id', 'm.conversation_id', 'm.seq', 'm.sender', 'm.sender_name', 'm.speaks_for'] as const),
  ...(['m.priority', 'm.body', 'm.created_at'] as const),
] as const;

/**
 * Condition for a message `m` that may be delivered. Other programs may have written messages that Troupe would reject:
 * empty or huge ones are quarantined, wake no member and fill no inbox; `undelivered` reports them. Checks only the
 * length, without reading the text.
 */
export const DELIVERABLE = sql<boolean>`octet_length("m"."body") between 1 and ${sql.lit(TEAM_LIMITS.messageStoredBytes)}`;
