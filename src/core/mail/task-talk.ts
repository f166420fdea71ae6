import type { MessageFact } from '#core/graph/message.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Queried } from '#kernel/query.js';
import {
  type Conversation,
  EMPTY_MAIL_PLAN,
  type MailPlan,
  type MailView,
  type PostedMessage,
} from './conversation.js';
import { type NewMessage, taskConversation, taskReader } from './message.js';

/** A message about a task, with its author as recorded in the graph. */
export interface TaskTalk {
  readonly task: string;
  readonly message: Omit<NewMessage, 'conversation'>;
  readonly kind: MessageFact['kind'];
}

/**
 * Posts a message about a task for its workers and readers, and notifies the graph in the same transaction. Returns the
 * number of the message in its conversation; for a known id the existing number. Errors: `inbox_full`,
 * `request_id_reused`.
 */
export function* talk(view: MailView, { task, message, kind }: TaskTalk): Queried<MailPlan<number>> {
  const conversation = taskConversation(task);
  const before = yield* view.message(message.id);
  if (before) {
    const same = before.conversation === conversation && before.sender === message.sender;
    if (same && before.body === message.body) return { ...EMPTY_MAIL_PLAN, result: before.number };
    throw new TroupeError('request_id_reused', { details: { request_id: message.id } });
  }
  const holder = taskReader(task);
  const unread = yield* view.unreadTalk(conversation, holder, message.speaks_for === holder);
  if (unread >= TEAM_LIMITS.messagesUnread)
    throw new TroupeError('inbox_full', {
      what: `${unread} messages about ${task} have not been read yet.`,
      hint: `Read them with \`troupe msg read ${task}\`, or wait until its agent reads them.`,
      details: { id: task, unread },
    });
  const number = (yield* view.lastNumber(conversation)) + 1;
  const posted: PostedMessage = { ...message, conversation, type: 'message', to: null, toTask: null };
  const args = { task_id: task, from: message.sender_name, kind, number };
  return {
    conversations: (yield* view.conversation(conversation)) ? [] : [opened(posted, task)],
    messages: [posted],
    cursors: [],
    outbox: [{ id: message.id, op: 'task.message', args }],
    result: number,
  };
}

/** Opens the conversation of a task, which never ends. */
function opened(first: PostedMessage, task: string): Conversation {
  return {
    id: first.conversation,
    teamId: null,
    parentId: null,
    initiator: first.sender,
    recipient: taskReader(task),
    kind: 'talk',
    openedBy: null,
    taskId: task,
    state: 'active',
    round: 0,
    depth: 0,
    turn: 0,
    createdAt: first.created_at,
  };
}
