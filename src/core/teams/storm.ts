import { TALK_LIMITS } from '#kernel/limits/talk.js';

/** Counters of the wake-up chain that a person's message or a task started. */
export interface WakeUpChain {
  /** Turns before the message being sent; 0 for a person's message. */
  readonly depth: number;
  /** Turns already started by the sending run; 0 for a person. */
  readonly wakeUps: number;
  /** Turns in total. */
  readonly activations: number;
}

/** Limit that stopped further wake-ups. */
export type WakeUpLimit = 'depth' | 'wake-ups' | 'activations';

export interface Admitted {
  /** Admitted members, in the requested order. */
  readonly members: readonly string[];
  /** Limit with the least room, if it excluded a member. */
  readonly limit: WakeUpLimit | undefined;
}

/**
 * Selects the recipients that get a turn because of a message. Agents that write to one another could continue forever,
 * so depth and length of a chain are bounded; messages over the limit stay unread until a person writes.
 */
export function admitWakeUps(wanted: readonly string[], { depth, wakeUps, activations }: WakeUpChain): Admitted {
  if (wanted.length === 0) return { members: [], limit: undefined };
  if (depth >= TALK_LIMITS.stormDepth) return { members: [], limit: 'depth' };
  const free = [
    ['wake-ups', TALK_LIMITS.stormWakeUpsPerTurn - wakeUps],
    ['activations', TALK_LIMITS.stormActivations - activations],
  ] as const;
  const [limit, room] = free.reduce((least, one) => (one[1] < least[1] ? one : least));
  const members = wanted.slice(0, Math.max(0, room));
  return { members, limit: members.length < wanted.length ? limit : undefined };
}

const WORDS: Readonly<Record<WakeUpLimit, string>> = {
  depth: `Answers to answers are ${TALK_LIMITS.stormDepth} deep`,
  'wake-ups': `One turn has called ${TALK_LIMITS.stormWakeUpsPerTurn} others`,
  activations: `One message has led to ${TALK_LIMITS.stormActivations} turns`,
};

/** Notice to the team about a limit, sent once. */
export function wakeUpLimitNotice(limit: WakeUpLimit): string {
  return `${WORDS[limit]}: no one else is called. The messages stay unread until a person writes.`;
}
