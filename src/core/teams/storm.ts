import { TALK_LIMITS } from '#kernel/limits/talk.js';

/** What one message of a person, or one task, has set off until now. */
export interface ChainSoFar {
  /** How many turns lie before the message that is being sent; 0 for what a person says. */
  readonly depth: number;
  /** Turns that the run which writes has begun already; 0 for a person. */
  readonly wakeUps: number;
  /** Turns in all. */
  readonly activations: number;
}

/** Why nobody else is woken. */
export type StormLimit = 'depth' | 'wake-ups' | 'activations';

export interface Admitted {
  /** Of those wanted, in their order. */
  readonly members: readonly string[];
  /** The first bound that left somebody out. */
  readonly limit: StormLimit | undefined;
}

/**
 * Who of those a message is for gets a turn because of it. Agents that write to one another could go on for ever; a chain is as deep and
 * as long as this, and what is over it stays unread until a person says something.
 */
export function admitWakeUps(wanted: readonly string[], { depth, wakeUps, activations }: ChainSoFar): Admitted {
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

const WORDS: Readonly<Record<StormLimit, string>> = {
  depth: `Answers to answers are ${TALK_LIMITS.stormDepth} deep`,
  'wake-ups': `One turn has called ${TALK_LIMITS.stormWakeUpsPerTurn} others`,
  activations: `One message has led to ${TALK_LIMITS.stormActivations} turns`,
};

/** What the team is told of it, once. */
export function stormNotice(limit: StormLimit): string {
  return `${WORDS[limit]}: no one else is called. The messages stay unread until a person writes.`;
}
