import { lastWordsOf } from '#core/graph/last-words.js';
import { isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { wake } from '#core/graph/wait.js';
import type { BaseDecision, Part, Tick } from './tick.js';

/** State of the conversations of one task. */
export interface MailFact {
  /** Number of conversations opened by it whose reply is still expected. */
  readonly open: number;
  /**
   * Unread messages; `shownTo`: fence of the claim whose prompt contains the message; `asked`: the sender waits for an
   * answer.
   */
  readonly unread: readonly { readonly shownTo: number | null; readonly asked: boolean }[];
}

/** An open conversation that is handled in a task. */
export interface ConversationFact {
  readonly id: string;
  readonly task: string;
  /** The task that opened it. */
  readonly openedBy: string | null;
  /** Its two ends may no longer exchange messages. */
  readonly expelled: boolean;
}

export interface WithConversations {
  readonly conversations: readonly ConversationFact[];
  readonly mail: ReadonlyMap<string, MailFact>;
}

export interface EndConversationDecision extends BaseDecision {
  readonly do: 'end-conversation';
  readonly conversation: string;
  readonly how: 'answered' | 'agent_lost' | 'withdrawn';
  /** Text that replaces the missing reply. Foreign text. */
  readonly words: string;
}

interface WakeDecision extends BaseDecision {
  readonly do: 'wake-mail';
  readonly task: string;
}

export const conversations: Part<WithConversations, EndConversationDecision | WakeDecision> = {
  none: { conversations: [], mail: new Map() },
  decide: converse,
};

/**
 * Next step after a turn of a task: another turn for messages it has not seen, if a sender waits for an answer or all
 * replies have arrived; `park` while replies are expected. Undefined: the task may be done.
 */
export function nextTurn(mail: MailFact | undefined, fence: number | undefined): 'again' | 'park' | undefined {
  if (mail === undefined) return undefined;
  const unseen = mail.unread.filter(({ shownTo }) => shownTo !== fence);
  if (unseen.some(({ asked }) => asked)) return 'again';
  if (mail.open > 0) return 'park';
  return unseen.length > 0 ? 'again' : undefined;
}

/** Phase 2.6: wakes tasks whose replies have arrived, and ends conversations whose task is over. */
function converse(tick: Tick<WithConversations, EndConversationDecision | WakeDecision>): void {
  const { mail } = tick.facts;
  if (mail.size > 0)
    for (const id of [...tick.graph.waiting()]) {
      const task = tick.graph.task(id);
      if (!task || !waitsForMessage(task) || nextTurn(mail.get(id), task.fence) !== 'again') continue;
      const event = wake(task, 'its mail is there', { now: tick.now, by: { name: 'coordinator' } });
      const events = tick.act({ events: [event], result: undefined });
      tick.want({ do: 'wake-mail', task: id, reason: 'It has unread mail', events });
    }
  for (const fact of tick.facts.conversations) {
    const ending = endingOf(tick.graph, fact);
    if (ending) tick.want({ do: 'end-conversation', conversation: fact.id, ...ending, events: [] });
  }
}

/**
 * Derived from the task rather than from an event: a process killed in between must not leave others waiting for ever.
 */
function waitsForMessage({ wait_condition: wait }: Task): boolean {
  return wait?.conditions.some(({ type }) => type === 'message') === true;
}

function endingOf(
  graph: GraphView,
  { task: id, openedBy, expelled }: ConversationFact,
): Pick<EndConversationDecision, 'how' | 'words' | 'reason'> | undefined {
  const task = graph.task(id);
  if (task?.status === 'done')
    return { how: 'answered', words: lastWordsOf(task) ?? 'It is done, without a word.', reason: `${id} is done` };
  if (task && isTerminal(task.status)) {
    const why = task.failure_reason ?? task.status;
    return { how: 'agent_lost', words: `No one will answer: ${why}`, reason: `${id} is ${task.status}` };
  }
  // A task that never existed is still in the outbox and will be added.
  if (!task && graph.wasUsed(id))
    return { how: 'agent_lost', words: 'No one will answer: the task no longer exists', reason: `${id} is gone` };
  const asker = openedBy === null ? undefined : graph.task(openedBy);
  if (openedBy !== null && (asker ? isTerminal(asker.status) : graph.wasUsed(openedBy)))
    return { how: 'withdrawn', words: 'The requestor is done', reason: `${openedBy} has ended` };
  if (expelled)
    return {
      how: 'withdrawn',
      words: 'The rosters no longer allow this conversation',
      reason: 'The rosters have changed',
    };
  return undefined;
}
