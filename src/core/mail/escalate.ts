import { checkedBody, personReader } from '#core/mail/message.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Queried } from '#kernel/query.js';
import { inert } from '#kernel/text.js';
import { type Closed, reply } from './close.js';
import { type Conversation, isPersonId, type MailPlan, type MailView } from './conversation.js';
import { ancestors, type Directory, type DirectoryParty } from './directory.js';
import { checkTurn, type NewSend, open, refusal, type Sent } from './send.js';

export type Escalated = { readonly to: string } & (Sent | Closed);

/**
 * Sends a question to the next participant above: the lead, its lead, the office manager, then the person who decides.
 * A requestor that is above is asked back. An agent that leads none returns its work with the question. Errors: those
 * of `send`; `unresolved_member` if there is no participant above.
 */
export function* escalate(
  view: MailView,
  request: Omit<NewSend, 'to' | 'conversation' | 'text'> & {
    readonly question: string;
    readonly options: readonly string[];
    /** Name of the person who started the work; undefined if none did. */
    readonly starter: string | undefined;
  },
): Queried<MailPlan<Escalated>> {
  const { speaker, directory } = request;
  yield* checkTurn(view, speaker);
  const party = directory.get(speaker.id);
  if (!party) throw refusal('routing_refused', `${inert(speaker.id)} is not in the rosters of this project.`);
  const choices = request.options
    .slice(0, TEAM_LIMITS.promptListRows)
    .map((option, index) => `${index + 1}. ${option}`);
  const text = checkedBody([request.question, ...choices].join('\n'));
  const own = speaker.task === undefined ? undefined : yield* view.ofTask(speaker.task);
  if (!party.listener && own) {
    const plan = yield* reply(view, { ...request, conversation: own.id, text, type: 'needs-answer' });
    return { ...plan, result: { ...plan.result, to: own.initiator } };
  }
  const to = yield* nextAbove(view, request, party, own);
  const kind = own?.initiator === to && !isPersonId(to) ? 'question' : 'work';
  const plan = yield* open(view, request, text, { id: to, kind });
  return { ...plan, result: { ...plan.result, to } };
}

/**
 * Id to escalate to: the requestor if it is an ancestor, else the next lead; at the top the decider, else the person
 * who started the work.
 */
function* nextAbove(
  view: MailView,
  { directory, starter }: { readonly directory: Directory; readonly starter: string | undefined },
  party: DirectoryParty,
  own: Conversation | undefined,
): Queried<string> {
  const above = [...ancestors(directory, party)];
  if (own && above.includes(own.initiator)) return own.initiator;
  if (above[0] !== undefined) return above[0];
  const decider = party.humans.find(({ role }) => role === 'decider');
  if (decider) return personReader(decider.name);
  const first = own && (yield* beginningOf(view, own));
  if (first && isPersonId(first.initiator)) return first.initiator;
  if (starter !== undefined) return personReader(starter);
  throw refusal(
    'unresolved_member',
    `No one is above ${inert(party.id)}, and no person can decide.`,
    'Add a decider under `humans`.',
  );
}

function* beginningOf(view: MailView, conversation: Conversation): Queried<Conversation> {
  let first = conversation;
  for (let steps = 0; first.parentId !== null && steps <= TEAM_LIMITS.conversationDepth; steps++)
    first = (yield* view.conversation(first.parentId)) ?? first;
  return first;
}
