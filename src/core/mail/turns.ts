import { type Queried, withoutQueries } from '#kernel/query.js';
import { inert } from '#kernel/text.js';
import { type CursorMove, EMPTY_MAIL_PLAN, type MailPlan, type MailView } from './conversation.js';
import { checkTurn, refusal, type Speaker } from './send.js';

/** Starts the recipient's turn: from now on, writes under an older claim are rejected. */
export function* beginTurn(
  view: MailView,
  { task, fence }: { readonly task: string; readonly fence: number },
): Queried<MailPlan<undefined>> {
  const conversation = yield* view.ofTask(task);
  const changes = conversation && (conversation.turn !== fence || conversation.state === 'pending');
  const state = conversation?.state === 'pending' ? 'active' : conversation?.state;
  return {
    ...EMPTY_MAIL_PLAN,
    conversations: changes && state ? [{ ...conversation, state, turn: fence }] : [],
    result: undefined,
  };
}

/** Marks a message and all earlier ones of its conversation as read. Errors: `not_a_participant`, `stale_attempt`. */
export function* acknowledge(
  view: MailView,
  { speaker, message }: { readonly speaker: Speaker; readonly message: string },
): Queried<MailPlan<{ readonly conversation: string; readonly number: number }>> {
  yield* checkTurn(view, speaker);
  const stored = yield* view.message(message);
  if (!stored?.to.includes(speaker.id))
    throw refusal('not_a_participant', `There is no message ${inert(message)} for ${inert(speaker.id)}.`);
  const { conversation, number } = stored;
  return {
    conversations: [],
    messages: [],
    outbox: [],
    result: { conversation, number },
    cursors: [{ reader: speaker.id, conversation, to: number }],
  };
}

/** Moves a reader's cursor to a message number. */
export function markRead(cursor: CursorMove): Queried<MailPlan<undefined>> {
  return withoutQueries({ conversations: [], messages: [], outbox: [], result: undefined, cursors: [cursor] });
}
