import { participantId, type Roster } from '#core/mail/derive.js';
import { checkedBody, personReader } from '#core/mail/message.js';
import type { OutboxRow } from '#core/mail/outbox.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Queried } from '#kernel/query.js';
import { cut, didYouMean, inert } from '#kernel/text.js';
import {
  type Conversation,
  type ConversationKind,
  conversationId,
  EMPTY_MAIL_PLAN,
  isAwaited,
  isOpen,
  isPersonId,
  type MailPlan,
  type MailView,
  type MessageType,
  type PostedMessage,
  taskOfConversation,
} from './conversation.js';
import { type Directory, type DirectoryParty, entryNamed, nameOf, roleOf, rosterOf } from './directory.js';

/** Author of a message, as identified by the channel. */
export interface Speaker {
  /** `teaparty/coding/lead`, `human/ann`. */
  readonly id: string;
  /** Name of the person, or id of the run. */
  readonly by: string;
  /** Task of the run, and its claim below; both undefined for a person. */
  readonly task: string | undefined;
  readonly fence: number | undefined;
}

/** Input common to all changes of a conversation. */
export interface MailCall {
  readonly speaker: Speaker;
  readonly directory: Directory;
  readonly at: number;
  /** Unique to this request, which makes a repeated request idempotent. */
  readonly messageId: string;
}

export interface NewSend extends MailCall {
  /** Roster key or id. */
  readonly to: string;
  readonly text: string;
  /** Conversation to continue; undefined opens a new one. */
  readonly conversation: string | undefined;
  readonly uuid: string;
  /** Maximum awaited conversations open from one task. */
  readonly most: number;
}

export interface Sent {
  readonly conversation: string;
  readonly message: string;
  /** Task in which the message is handled. */
  readonly task: string | null;
}

/**
 * Opens a conversation, or adds a message to an open one. Errors: `empty_message`, `message_too_large`,
 * `unresolved_member`, `routing_refused`, `no_listener`, `slot_limit`, `depth_limit`, `inbox_full`, `paused`,
 * `team_inactive`, `conversation_unknown`, `conversation_closed`, `not_a_participant`, `stale_attempt`.
 */
export function* send(view: MailView, request: NewSend): Queried<MailPlan<Sent>> {
  const text = checkedBody(request.text);
  const before = yield* view.message(request.messageId);
  if (before) return yield* sentBefore(view, before.conversation, request.messageId);
  yield* checkTurn(view, request.speaker);
  if (request.conversation !== undefined) return yield* goOn(view, request, text, request.conversation);
  const { speaker, directory, to } = request;
  if (isPersonId(speaker.id)) return yield* open(view, request, text, { id: anybody(directory, to), kind: 'work' });
  const party = directory.get(speaker.id);
  const own = speaker.task === undefined ? undefined : yield* view.ofTask(speaker.task);
  if (!party) throw refusal('routing_refused', `${inert(speaker.id)} is not in the rosters of this project.`);
  if (!party.listener)
    throw refusal('no_listener', `${inert(speaker.id)} leads no one: it can only answer those who ask it.`);
  const roster = rosterOf(directory, party, own?.initiator);
  const named = entryNamed(roster, to);
  if (!named) throw unreachable(directory, roster, to);
  if (named.entry.type === 'requestor' && own && !isPersonId(own.initiator))
    return yield* open(view, request, text, { id: named.id, kind: 'question' });
  const isNote = named.entry.type === 'human' && !['decider', undefined].includes(roleOf(party.humans, named.id));
  return yield* open(view, request, text, { id: named.id, kind: isNote ? 'note' : 'work' });
}

/** Opens a conversation. The recipient need not be in the roster, since parties above may always be asked. */
export function* open(
  view: MailView,
  request: Omit<NewSend, 'to' | 'conversation' | 'text'>,
  text: string,
  target: { readonly id: string; readonly kind: Exclude<ConversationKind, 'talk'> },
): Queried<MailPlan<Sent>> {
  const { speaker, at, messageId, uuid } = request;
  const party = request.directory.get(target.id);
  const recipient = party?.person === undefined ? target.id : personReader(party.person);
  const { kind } = target;
  const own = speaker.task === undefined ? undefined : yield* view.ofTask(speaker.task);
  if (own && !isOpen(own)) throw closed(own);
  if (own?.state === 'paused') throw refusal('paused', 'Your conversation is paused.');
  yield* checkRecipient(view, recipient, party);
  const opened = speaker.task === undefined ? [] : yield* view.openedBy(speaker.task);
  const awaited = opened.filter(isAwaited);
  if (kind !== 'note' && awaited.length >= request.most) {
    throw refusal('slot_limit', `${awaited.length} of your conversations are open; the limit is ${request.most}.`);
  }
  const depth = (own?.depth ?? 0) + 1;
  if (depth > TEAM_LIMITS.conversationDepth)
    throw refusal(
      'depth_limit',
      `This conversation would be nested ${depth} deep; the limit is ${TEAM_LIMITS.conversationDepth}.`,
    );
  const round = awaited[0]?.round ?? (speaker.task === undefined ? 0 : (yield* view.latestRound(speaker.task)) + 1);
  const taskId = kind === 'work' ? taskOfConversation(uuid) : kind === 'question' ? (own?.openedBy ?? null) : null;
  const conversation: Conversation = {
    id: conversationId(speaker.id, recipient, uuid),
    teamId: party?.team ?? null,
    parentId: own?.id ?? null,
    initiator: speaker.id,
    recipient,
    kind,
    openedBy: speaker.task ?? null,
    taskId,
    state: kind === 'work' ? 'pending' : 'active',
    depth,
    turn: 0,
    createdAt: at,
    round,
  };
  const message = messageIn(conversation, request, text, 'message');
  const outbox = kind === 'work' ? [taskRow(conversation, request, party)] : wakes(conversation, message);
  return {
    conversations: [conversation],
    messages: [message],
    cursors: [],
    outbox,
    result: { conversation: conversation.id, message: messageId, task: taskId },
  };
}

/** Adds a message to an open conversation and resumes the recipient. */
function* goOn(view: MailView, request: NewSend, text: string, id: string): Queried<MailPlan<Sent>> {
  const conversation = yield* participated(view, id, request.speaker);
  if (conversation.state === 'paused') throw refusal('paused', 'The conversation is paused.');
  const other = otherEnd(conversation, request.speaker.id);
  yield* checkRecipient(view, other, request.directory.get(other));
  const message = messageIn(conversation, request, text, 'message');
  const task = message.toTask;
  return {
    ...EMPTY_MAIL_PLAN,
    messages: [message],
    outbox: wakes(conversation, message),
    result: { conversation: id, message: request.messageId, task },
  };
}

/**
 * Returns an open conversation in which the speaker is one of the two participants. Errors: `conversation_unknown`,
 * `not_a_participant`, `conversation_closed`.
 */
export function* participated(view: MailView, id: string, speaker: Speaker): Queried<Conversation> {
  const conversation = yield* view.conversation(id);
  if (!conversation || conversation.kind === 'talk')
    throw refusal('conversation_unknown', `There is no conversation ${cut(inert(id), WORK_LIMITS.idCharacters)}.`);
  const ends = [conversation.initiator, conversation.recipient];
  const task = speaker.id === conversation.initiator ? conversation.openedBy : conversation.taskId;
  // If an agent works on two tasks, each run may write only for its own.
  if (!ends.includes(speaker.id) || (speaker.task !== undefined && task !== null && task !== speaker.task))
    throw refusal('not_a_participant', `${inert(speaker.id)} is not part of ${inert(id)}.`);
  if (!isOpen(conversation)) throw closed(conversation);
  return conversation;
}

/** Rejects writes by a run whose task has a later claim. Errors: `stale_attempt`. */
export function* checkTurn(view: MailView, { task, fence, by }: Speaker): Queried<void> {
  if (task === undefined || fence === undefined) return;
  const turn = (yield* view.ofTask(task))?.turn ?? 0;
  if (turn > fence)
    throw new TroupeError('stale_attempt', {
      what: `${by} no longer holds ${task}: its claim was ${fence}, the task is at ${turn}.`,
      details: { id: task, fence: turn, yours: fence },
    });
}

/** Builds a message from the speaker to the other participant. */
export function messageIn(
  conversation: Conversation,
  { speaker, at, messageId }: Pick<MailCall, 'speaker' | 'at' | 'messageId'>,
  body: string,
  type: MessageType,
): PostedMessage {
  const to = otherEnd(conversation, speaker.id);
  return {
    id: messageId,
    conversation: conversation.id,
    sender: speaker.id,
    sender_name: speaker.id,
    speaks_for: speaker.id,
    body,
    priority: 'normal',
    created_at: at,
    type,
    to,
    toTask: to === conversation.recipient ? conversation.taskId : conversation.openedBy,
  };
}

function otherEnd({ initiator, recipient }: Conversation, id: string): string {
  return id === recipient ? initiator : recipient;
}

/** Outbox row that makes the recipient's task read the message before it does anything else. */
function wakes({ round }: Conversation, { id, toTask, sender }: PostedMessage): OutboxRow[] {
  if (toTask === null) return [];
  return [{ id, op: 'task.message', args: { task_id: toTask, from: sender, kind: 'coordinator', number: round } }];
}

function taskRow(
  { id, initiator, recipient, taskId, teamId }: Conversation,
  request: Pick<MailCall, 'speaker' | 'directory' | 'messageId'>,
  party: DirectoryParty | undefined,
): OutboxRow {
  const { speaker, directory, messageId } = request;
  const task = {
    id: taskId ?? '',
    title: `Answer ${nameOf(directory, initiator)} as ${nameOf(directory, recipient)}`,
    tags: ['message'],
    conversation: id,
    ...(isPersonId(recipient) ? { human: true as const } : {}),
    ...(party?.member === undefined ? {} : { member: party.member }),
    ...(party?.agent === undefined ? {} : { agent: party.agent }),
    ...(teamId === null ? {} : { team: teamId }),
  };
  return { id: messageId, op: 'task.add', args: { created_by: speaker.by, task } };
}

/** Errors: `paused`, `team_inactive`, `inbox_full`. */
function* checkRecipient(view: MailView, id: string, party: DirectoryParty | undefined): Queried<void> {
  if (party?.paused) throw refusal('paused', `${inert(party.name)} is paused.`);
  if (party?.team !== undefined) {
    const status = yield* view.teamStatus(party.team);
    if (status !== 'active') throw refusal('team_inactive', `The team of ${inert(party.name)} is ${status ?? 'gone'}.`);
  }
  const unread = yield* view.unreadAtLeast(id, TEAM_LIMITS.messagesUnread);
  if (unread !== undefined)
    throw new TroupeError('inbox_full', {
      what: `${inert(id)} has not read ${unread} messages yet.`,
      details: { id, unread },
    });
}

/** Resolves a recipient for a person, who may write to any id. */
function anybody(directory: Directory, word: string): string {
  if (directory.has(word) || isPersonId(word)) return word;
  const ids = idsCalled(directory, word);
  const shown = cut(inert(word), WORK_LIMITS.idCharacters);
  if (ids.length > 0)
    throw refusal('unresolved_member', `${shown} is a name: use the id.`, `Use ${inert(ids.join(' or '))}.`);
  throw refusal('unresolved_member', `No one has the id ${shown}.`, idsThatHelp(directory, word));
}

/** Hint with the closest id, else with the existing ids. */
function idsThatHelp(directory: Directory, word: string): string {
  const near = didYouMean(word, directory.keys());
  if (near !== undefined) return `Did you mean ${inert(near)}?`;
  const ids = [...directory.keys()].slice(0, TEAM_LIMITS.promptListRows);
  if (ids.length === 0) return 'There is no team yet: `troupe cast propose GOAL` proposes one.';
  const more = directory.size > ids.length ? ', …' : '';
  return `The ids: ${inert(ids.join(', '))}${more}.`;
}

/** Ids of the parties with this name. */
function idsCalled(directory: Directory, name: string): string[] {
  const called = [...directory.values()].filter((party) => party.name === name).map(({ id }) => id);
  return called.slice(0, TEAM_LIMITS.promptListRows);
}

function unreachable(directory: Directory, roster: Roster, word: string): TroupeError {
  const list = [...roster]
    .slice(0, TEAM_LIMITS.promptListRows)
    .map(([key, entry]) => `${key} (${participantId(key, entry)})`);
  const hint = list.length === 0 ? 'Your roster is empty.' : `Your roster: ${inert(list.join(', '))}.`;
  const name = cut(inert(word), WORK_LIMITS.idCharacters);
  return directory.has(word) || isPersonId(word) || idsCalled(directory, word).length > 0
    ? refusal('routing_refused', `${name} is not in your roster.`, hint)
    : refusal('unresolved_member', `No one is called ${name}.`, hint);
}

export function closed({ id, state }: Conversation): TroupeError {
  return refusal('conversation_closed', `${inert(id)} is ${state} and cannot be reopened.`);
}

type RefusalCode =
  | ('unresolved_member' | 'routing_refused' | 'no_listener' | 'slot_limit' | 'paused' | 'team_inactive')
  | ('depth_limit' | 'conversation_unknown' | 'conversation_closed' | 'not_a_participant');

export function refusal(code: RefusalCode, what: string, hint?: string): TroupeError {
  return new TroupeError(code, { what, ...(hint === undefined ? {} : { hint }) });
}

function* sentBefore(view: MailView, conversation: string, message: string): Queried<MailPlan<Sent>> {
  const task = (yield* view.conversation(conversation))?.taskId ?? null;
  return { ...EMPTY_MAIL_PLAN, result: { conversation, message, task } };
}
