import { appendMessage, lastNumber, PLAIN } from '#adapters/teams-database/message-rows.js';
import {
  type AnsweredBy,
  perform,
  performCount,
  type RowOf,
  type Statements,
} from '#adapters/teams-database/statement.js';
import { corrupt, known } from '#adapters/teams-database/words.js';
import {
  MAIL_TYPES,
  type NewTeamMessage,
  RECIPIENT_ROLES,
  type Recipient,
  type TeamMessage,
  teamConversation,
} from '#core/teams/mail.js';
import { STRATA_STATES, type Strata } from '#core/teams/strata.js';
import { storedPlan } from '#core/teams/strata-plan.js';
import type { TalkQueries, TalkRows, WakeUp } from '#core/teams/talk.js';
import { POSITIONS } from '#core/teams/team.js';
import { parseJsonObject } from '#kernel/json.js';
import { storedSession, writeSession } from './session-rows.js';
import {
  ADD_MAIL,
  ADD_RECIPIENT,
  ADD_WAKE_UP,
  BEGIN_CONVERSATION,
  CHAT_AFTER,
  KEEP_STRATA,
  LATEST_CHAT,
  MEMBER_MAIL,
  MESSAGE_BY_ID,
  READ_UNTIL,
  RECIPIENTS_OF_CHAT_AFTER,
  RECIPIENTS_OF_LATEST_CHAT,
  RECIPIENTS_OF_MEMBER_MAIL,
  RECIPIENTS_OF_MESSAGE,
  STRATA,
  TEAM_IN_USE,
  THREAD_LENGTH,
  USE_TEAM,
  WAKE_UP,
  WAKE_UPS,
  WAKE_UPS_BY,
  WAKE_UPS_OF,
} from './talk-statements.js';

/** Prefix of a member's slug as author. */
const MEMBER = 'member/';

/** Queries of a talk decision; each runs only when it is needed. */
export const TALK_ANSWERS: AnsweredBy<TalkQueries> = {
  strata: strataOf,
  *lastNumber(team) {
    return yield* lastNumber(teamConversation(team));
  },
  *message(id) {
    return withRecipients(yield* perform(MESSAGE_BY_ID, { id }), yield* perform(RECIPIENTS_OF_MESSAGE, { id }))[0];
  },
  *threadLength(thread) {
    return yield* performCount(THREAD_LENGTH, { thread });
  },
  *wakeUp(task) {
    return (yield* perform(WAKE_UP, { task })).map(wakeUpOf)[0];
  },
  *wakeUpsOf(origin) {
    return yield* performCount(WAKE_UPS_OF, { origin });
  },
  *wakeUpsBy(cause) {
    return yield* performCount(WAKE_UPS_BY, { cause });
  },
  *latestTurn(team, member) {
    return (yield* wakeUpsOf(team, member, 1))[0]?.task;
  },
  session: storedSession,
};

export function* strataOf(team: string): Statements<readonly Strata[]> {
  return (yield* perform(STRATA, { team })).map(stratumOf);
}

/** Messages of a team after a number, oldest first; without a number, the latest ones. */
export function* chatOf(
  team: string,
  { after, limit }: { readonly after?: number; readonly limit: number },
): Statements<readonly TeamMessage[]> {
  const values = { conversation: teamConversation(team), limit };
  if (after === undefined) {
    const recipients = yield* perform(RECIPIENTS_OF_LATEST_CHAT, values);
    return withRecipients((yield* perform(LATEST_CHAT, values)).toReversed(), recipients);
  }
  const recipients = yield* perform(RECIPIENTS_OF_CHAT_AFTER, { ...values, after });
  return withRecipients(yield* perform(CHAT_AFTER, { ...values, after }), recipients);
}

/** Latest messages to one member, in order. */
export function* memberMail(team: string, member: string, limit: number): Statements<readonly TeamMessage[]> {
  const values = { conversation: teamConversation(team), member, limit };
  const recipients = yield* perform(RECIPIENTS_OF_MEMBER_MAIL, values);
  return withRecipients((yield* perform(MEMBER_MAIL, values)).toReversed(), recipients);
}

/** Turns of a member, newest first. */
export function* wakeUpsOf(team: string, member: string, limit: number): Statements<readonly WakeUp[]> {
  return (yield* perform(WAKE_UPS, { team, member, limit })).map(wakeUpOf);
}

export function* teamInUse(person: string): Statements<string | undefined> {
  return (yield* perform(TEAM_IN_USE, { person }))[0]?.team_id;
}

export function* writeTalk({ strata, messages, wakeUps, sessions, reads, inUse }: TalkRows): Statements<void> {
  for (const { plan, ...row } of strata) yield* perform(KEEP_STRATA, { ...row, plan: plan && JSON.stringify(plan) });
  for (const message of messages) yield* writeMessage(message);
  for (const wakeUp of wakeUps) yield* perform(ADD_WAKE_UP, wakeUp);
  for (const session of sessions) yield* writeSession(session);
  for (const { teamId, member, until, at } of reads)
    yield* perform(READ_UNTIL, { conversation: teamConversation(teamId), member, until, at });
  for (const { person, teamId: team } of inUse) yield* perform(USE_TEAM, { person, team });
}

function* writeMessage(message: NewTeamMessage): Statements<void> {
  const { id, teamId: team, sender, senderName: sender_name, member, type, body, createdAt } = message;
  const conversation = teamConversation(team);
  yield* perform(BEGIN_CONVERSATION, { id: conversation, team, initiator: sender, createdAt });
  const speaks_for = member === null ? sender : `${MEMBER}${member}`;
  yield* appendMessage(
    { id, conversation, sender, sender_name, speaks_for, body, priority: 'normal', created_at: createdAt },
    { ...PLAIN, type, reply_to: message.replyTo, thread_id: message.thread },
  );
  const { position, task, origin, depth, recipients } = message;
  yield* perform(ADD_MAIL, { message: id, team, position, task, origin, depth });
  for (const recipient of recipients) yield* perform(ADD_RECIPIENT, { ...recipient, message: id });
}

function stratumOf(row: RowOf<typeof STRATA>): Strata {
  const { team_id: teamId, plan_json: json } = row;
  const plan = json === null ? null : storedPlan(parseJsonObject(json));
  if (plan === undefined) throw corrupt('strata', teamId, 'plan_json', json);
  const state = known(STRATA_STATES, row.state, 'strata', teamId, 'state');
  const { version, sha256, claim_fence: claimFence, tries, created_at: createdAt } = row;
  return { teamId, version, state, plan, sha256, claimFence, tries, createdAt };
}

function wakeUpOf(row: RowOf<typeof WAKE_UPS>): WakeUp {
  const { task_id: task, team_id: teamId, member, origin, depth, cause, created_at: createdAt } = row;
  return { task, teamId, member, origin, depth, cause, createdAt };
}

type MessageRow = RowOf<typeof LATEST_CHAT>;

/** Adds the recipients to each message of a page. */
function withRecipients(
  messages: readonly MessageRow[],
  recipients: readonly RowOf<typeof RECIPIENTS_OF_MESSAGE>[],
): TeamMessage[] {
  const byMessage = new Map<string, Recipient[]>();
  for (const { message_id: id, member, role: word, read_at: readAt } of recipients) {
    const role = known(RECIPIENT_ROLES, word, 'recipients', id, 'role');
    byMessage.set(id, [...(byMessage.get(id) ?? []), { member, role, readAt }]);
  }
  return messages.map((row) => messageOf(row, byMessage.get(row.id) ?? []));
}

function messageOf(row: MessageRow, recipients: readonly Recipient[]): TeamMessage {
  const { position, speaks_for: speaker } = row;
  return {
    id: row.id,
    teamId: row.team_id,
    number: row.seq,
    sender: row.sender,
    senderName: row.sender_name,
    member: speaker.startsWith(MEMBER) ? speaker.slice(MEMBER.length) : null,
    position: position === null ? null : known(POSITIONS, position, 'mail', row.id, 'position'),
    type: known(MAIL_TYPES, row.type, 'messages', row.id, 'type'),
    body: row.body,
    thread: String(row.thread_id),
    replyTo: row.reply_to,
    task: row.task_id,
    origin: row.origin,
    depth: row.depth,
    recipients,
    createdAt: row.created_at,
  };
}
