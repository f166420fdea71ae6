import { appendMessage, lastNumber, messageOf } from '#adapters/teams-database/message-rows.js';
import { writeOutbox } from '#adapters/teams-database/outbox-rows.js';
import {
  type AnsweredBy,
  perform,
  performCount,
  type RowOf,
  type Statements,
} from '#adapters/teams-database/statement.js';
import { known } from '#adapters/teams-database/words.js';
import {
  CONVERSATION_KINDS,
  CONVERSATION_STATES,
  type Conversation,
  type MailAnswers,
  type MailPlan,
  MESSAGE_TYPES,
  type PostedMessage,
} from '#core/mail/conversation.js';
import { TEAM_STATUSES } from '#core/teams/team.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { FoundMessage, Mail, Page, TaskMail, Undelivered, UnreadMail, UnreadTalk } from '#ports/mail-store.js';
import {
  ADD_READER,
  AWAITED_BY_TASKS,
  CONVERSATION,
  CONVERSATIONS,
  CONVERSATIONS_OF,
  CURSOR,
  INBOX,
  INBOX_OF_TASK,
  KEEP_CONVERSATION,
  LATEST_MESSAGES,
  LATEST_ROUND,
  MESSAGES_AFTER,
  MESSAGES_WITH,
  MOVE_CURSOR,
  OPEN,
  OPENED_BY,
  READ_UP_TO,
  READERS,
  SHOW,
  SHOWN,
  STORED_MESSAGE,
  TALK_WITH_UNREAD,
  TALKS_WITH_UNREAD,
  TEAM_STATUS,
  UNDELIVERED,
  UNREAD_BY_HOLDER,
  UNREAD_BY_OTHERS,
  UNREAD_COUNT,
  UNREAD_MESSAGES,
  UNREAD_OF_TASKS,
  UNREAD_ROWS,
  WORK_OF_TASK,
} from './mail-statements.js';

/** Queries of a mail decision; each runs only when it is needed. */
export const MAIL_ANSWERS: AnsweredBy<MailAnswers> = {
  *conversation(id) {
    return (yield* perform(CONVERSATION, { id })).map(conversationOf)[0];
  },
  *ofTask(task) {
    return (yield* perform(WORK_OF_TASK, { task })).map(conversationOf)[0];
  },
  *openedBy(task) {
    return (yield* perform(OPENED_BY, { task })).map(conversationOf);
  },
  *latestRound(task) {
    return yield* performCount(LATEST_ROUND, { task });
  },
  *unreadAtLeast(member, least) {
    // Whether each message is deliverable needs a lookup of each, so all are counted first: an index has their number.
    if ((yield* performCount(UNREAD_ROWS, { member })) < least) return undefined;
    const unread = yield* performCount(UNREAD_COUNT, { member });
    return unread < least ? undefined : unread;
  },
  *unreadTalk(conversation, holder, byHolder) {
    const statement = byHolder ? UNREAD_BY_HOLDER : UNREAD_BY_OTHERS;
    return yield* performCount(statement, { conversation, holder });
  },
  *message(id) {
    const [row] = yield* perform(STORED_MESSAGE, { id });
    if (!row) return undefined;
    const { conversation_id: conversation, seq: number, sender, body } = row;
    return { conversation, number, sender, body, to: (yield* perform(READERS, { id })).map(({ member }) => member) };
  },
  lastNumber,
  *teamStatus(id) {
    const [row] = yield* perform(TEAM_STATUS, { id });
    return row && known(TEAM_STATUSES, row.status, 'teams', id, 'status');
  },
};

/** Writes a plan within the transaction that answered its queries. */
export function* writeMailPlan(
  { conversations, messages, cursors, outbox }: MailPlan<unknown>,
  at: number,
): Statements<void> {
  for (const conversation of conversations) yield* perform(KEEP_CONVERSATION, conversation);
  for (const message of messages) yield* writeMessage(message);
  for (const { reader, conversation, to } of cursors) yield* moveCursor(reader, conversation, to, at);
  yield* writeOutbox(outbox, at);
}

function* writeMessage(message: PostedMessage): Statements<void> {
  const { id, type, to, toTask } = message;
  yield* appendMessage(message, { type, subject: null, reply_to: null, thread_id: null, expires_at: null });
  if (to !== null) yield* perform(ADD_READER, { message: id, member: to, task: toTask });
}

/** Moves the cursor and marks earlier messages as read. */
function* moveCursor(reader: string, conversation: string, to: number, at: number): Statements<void> {
  yield* perform(MOVE_CURSOR, { reader, conversation, to });
  yield* perform(READ_UP_TO, { reader, conversation, to, at });
}

export function* cursorOf(reader: string, conversation: string): Statements<number> {
  return (yield* perform(CURSOR, { reader, conversation }))[0]?.last_seq ?? 0;
}

export function* show(task: string, fence: number, messages: readonly string[]): Statements<void> {
  for (const message of messages) yield* perform(SHOW, { task, fence, message });
}

/** Marks everything shown in this turn's prompt as read. */
export function* commitTurn(task: string, fence: number, at: number): Statements<void> {
  for (const { member, conversation_id: conversation, seq } of yield* perform(SHOWN, { task, fence }))
    yield* moveCursor(member, conversation, seq, at);
}

export function* conversationsOf(member: string | undefined, limit: number): Statements<readonly Conversation[]> {
  const rows = member === undefined ? perform(CONVERSATIONS, { limit }) : perform(CONVERSATIONS_OF, { member, limit });
  return (yield* rows).map(conversationOf);
}

export function* openConversations(): Statements<readonly Conversation[]> {
  return (yield* perform(OPEN, {})).map(conversationOf);
}

export function* inboxOf(member: string, task: string | undefined, limit: number): Statements<readonly Mail[]> {
  const rows = task === undefined ? perform(INBOX, { member, limit }) : perform(INBOX_OF_TASK, { member, task, limit });
  return (yield* rows).map(mailOf);
}

export function* messagesOf(conversation: string, { after, limit }: Page): Statements<readonly Mail[]> {
  if (after === undefined) return (yield* perform(LATEST_MESSAGES, { conversation, limit })).toReversed().map(mailOf);
  return (yield* perform(MESSAGES_AFTER, { conversation, after, limit })).map(mailOf);
}

/** Words become one pattern; what a pattern would read as a wildcard stands for itself. */
export function* messagesWith(words: readonly string[], limit: number): Statements<readonly FoundMessage[]> {
  const pattern = ['', ...words.map((word) => word.replaceAll(/[\\%_]/g, '\\$&')), ''].join('%');
  return (yield* perform(MESSAGES_WITH, { pattern, limit })).map((row) => ({
    ...messageOf(row),
    task: row.task_id,
    team: row.team,
  }));
}

/** Scans conversations once, then reads only those with unread messages. */
export function* unreadTalks(most: number, task: string | undefined): Statements<readonly UnreadTalk[]> {
  const talks = task === undefined ? perform(TALKS_WITH_UNREAD, { most }) : perform(TALK_WITH_UNREAD, { task, most });
  const unread: UnreadTalk[] = [];
  for (const { id: conversation, task_id: task, read: after } of yield* talks) {
    const values = { conversation, after, reader: `task/${task}`, limit: TEAM_LIMITS.promptMessages };
    const messages = (yield* perform(UNREAD_MESSAGES, values)).toReversed().map(messageOf);
    if (messages.length > 0) unread.push({ task: String(task), messages });
  }
  return unread;
}

export function* taskMailOf(): Statements<readonly TaskMail[]> {
  const mail = new Map<string, { open: number; unread: UnreadMail[] }>();
  const of = (task: string | null) => {
    const entry = mail.get(String(task)) ?? { open: 0, unread: [] };
    mail.set(String(task), entry);
    return entry;
  };
  for (const { opened_by: task, open } of yield* perform(AWAITED_BY_TASKS, {})) of(task).open = open;
  for (const { task_id: task, shown_to: shownTo, type, seq, kind } of yield* perform(UNREAD_OF_TASKS, {}))
    of(task).unread.push({ shownTo, asked: type === 'message' && (seq > 1 || kind === 'question') });
  return [...mail].map(([task, entry]) => ({ task, ...entry }));
}

export function* undeliveredMail(limit: number): Statements<readonly Undelivered[]> {
  return (yield* perform(UNDELIVERED, { limit })).map((row) => ({
    message: row.id,
    conversation: row.conversation_id,
    member: row.member,
    task: row.task_id,
    state: known(CONVERSATION_STATES, row.state, 'conversations', row.conversation_id, 'state'),
    at: row.created_at,
    quarantined: row.quarantined === 1,
  }));
}

function conversationOf(row: RowOf<typeof CONVERSATION>): Conversation {
  return {
    id: row.id,
    teamId: row.team_id,
    parentId: row.parent_id,
    initiator: row.initiator,
    recipient: row.recipient,
    kind: known(CONVERSATION_KINDS, row.kind, 'conversations', row.id, 'kind'),
    openedBy: row.opened_by,
    taskId: row.task_id,
    state: known(CONVERSATION_STATES, row.state, 'conversations', row.id, 'state'),
    round: row.round,
    depth: row.depth,
    turn: row.turn,
    createdAt: row.created_at,
  };
}

function mailOf(row: RowOf<typeof INBOX>): Mail {
  return {
    ...messageOf(row),
    type: known(MESSAGE_TYPES, row.type, 'messages', row.id, 'type'),
    kind: known(CONVERSATION_KINDS, row.kind, 'conversations', row.conversation_id, 'kind'),
  };
}
