import type { Queried } from '#kernel/query.js';
import { inert } from '#kernel/text.js';
import type { BusPlan, BusView } from './conversation.js';
import { checkTurn, refusal, type Speaker } from './send.js';

/** The recipient begins to work: from now on nobody writes under an older claim. */
export function* beginTurn(
  view: BusView,
  { task, fence }: { readonly task: string; readonly fence: number },
): Queried<BusPlan<undefined>> {
  const conversation = yield* view.ofTask(task);
  const changes = conversation && (conversation.turn !== fence || conversation.state === 'pending');
  const state = conversation?.state === 'pending' ? 'active' : conversation?.state;
  return {
    conversations: changes && state ? [{ ...conversation, state, turn: fence }] : [],
    ...{ messages: [], cursors: [], outbox: [], result: undefined },
  };
}

/** A message and those before it in its conversation count as read. Errors: `not_a_participant`, `stale_attempt`. */
export function* acknowledge(
  view: BusView,
  { speaker, message }: { readonly speaker: Speaker; readonly message: string },
): Queried<BusPlan<{ readonly conversation: string; readonly number: number }>> {
  yield* checkTurn(view, speaker);
  const stored = yield* view.message(message);
  if (!stored?.to.includes(speaker.id))
    throw refusal('not_a_participant', `There is no message ${inert(message)} for ${inert(speaker.id)}.`);
  const { conversation, number } = stored;
  return {
    ...{ conversations: [], messages: [], outbox: [], result: { conversation, number } },
    cursors: [{ reader: speaker.id, conversation, to: number }],
  };
}
