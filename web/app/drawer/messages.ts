import type { Answer } from '#surfaces/http/contract.js';

export type Message = Answer<'msg.list'>['messages'][number];

/** Messages of two answers in their order, those of the later answer as it says them. */
export function mergedMessages(known: readonly Message[], page: readonly Message[]): readonly Message[] {
  const byNumber = new Map([...known, ...page].map((message) => [message.number, message]));
  return [...byNumber.values()].sort((one, other) => one.number - other.number);
}
