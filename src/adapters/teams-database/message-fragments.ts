import { sql } from 'kysely';
import { LIMITS } from '#kernel/limits.js';

/** The columns of a message, for those who read messages. */
export const MESSAGE = [
  ...(['m.id', 'm.conversation_id', 'm.seq', 'm.sender', 'm.sender_name', 'm.speaks_for'] as const),
  ...(['m.priority', 'm.body', 'm.created_at'] as const),
] as const;

/**
 * Holds for a message `m` that may be handed on. Whatever is refused at the door, another program may have written it here: what
 * is empty or huge is in quarantine. It is given to nobody, wakes nobody and fills no inbox; `undelivered` tells of it. The
 * text itself is not read for that.
 */
export const DELIVERABLE = sql<boolean>`octet_length("m"."body") between 1 and ${sql.lit(LIMITS.messageStoredBytes)}`;
