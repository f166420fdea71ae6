import { TroupeError } from '#kernel/errors.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { compareText } from '#kernel/order.js';
import { slugOf } from '#kernel/slug.js';
import { leaderOf, type MemberPosition, memberNamed, present, type Team } from './team.js';

export const MAIL_TYPES = [
  'message',
  'system_notification',
  'idle',
  'plan_approval_request',
  'plan_approved',
  'plan_rejected',
  'shutdown_request',
  'shutdown_approved',
  'shutdown_rejected',
  'custom',
] as const;
/** What somebody says; the other is said by the system alone. */
export const SAID_TYPES = MAIL_TYPES.filter((type) => type !== 'system_notification');
export type MailType = (typeof MAIL_TYPES)[number];
export const RECIPIENT_ROLES = ['to', 'cc'] as const;
export const SENDER_KINDS = ['person', 'agent', 'system'] as const;
export type SenderKind = (typeof SENDER_KINDS)[number];

/** Who is told of a message, by the slug of the member, and since when they have read it. */
export interface Recipient {
  readonly member: string;
  readonly role: (typeof RECIPIENT_ROLES)[number];
  readonly readAt: number | null;
}

/** A message of a team, as it is kept. Everybody on the team may read all of them; recipients are those it is for. */
export interface TeamMessage {
  readonly id: string;
  readonly teamId: string;
  /** Its place in the conversation of the team: 1, 2, … */
  readonly number: number;
  /** `human/ann`, `crew/lead`, `crew/hicks`, `system`. */
  readonly sender: string;
  /** As they were called when they wrote. */
  readonly senderName: string;
  /** The slug, of whoever was on the team. */
  readonly member: string | null;
  /** As it was then; null for the system, and for a person who is not on the team. */
  readonly position: MemberPosition | null;
  readonly type: MailType;
  readonly body: string;
  readonly thread: string;
  readonly replyTo: string | null;
  /** The task it is about. */
  readonly task: string | null;
  /** The message, or the task, that set all this off, and how many turns lie between. */
  readonly origin: string;
  readonly depth: number;
  readonly recipients: readonly Recipient[];
  readonly createdAt: number;
}

export type NewTeamMessage = Omit<TeamMessage, 'number'>;

/** The conversation in which a team talks. */
export function teamConversation(teamId: string): string {
  return `team:${teamId}`;
}

/** Who says what nobody says. */
export const SYSTEM = { sender: 'system', senderName: 'Troupe', member: null, position: null } as const;

export function senderKind({ sender }: Pick<TeamMessage, 'sender'>): SenderKind {
  if (sender === SYSTEM.sender) return 'system';
  return sender.startsWith('human/') ? 'person' : 'agent';
}

/** A reply goes on in the thread of what it answers; any other message begins one. */
export function threadOf(id: string, answered: Pick<TeamMessage, 'thread'> | undefined): string {
  return answered?.thread ?? id;
}

/** The members meant, `to` before `cc`, each once. Errors: `not_found` for somebody who is not on the team, `bad_input`. */
export function recipientsOf(
  team: Team,
  { to, cc }: { readonly to: readonly string[]; readonly cc: readonly string[] },
): readonly Recipient[] {
  const roles = new Map<string, Recipient['role']>();
  for (const name of to) roles.set(memberNamed(team, name).slug, 'to');
  for (const name of cc) {
    const { slug } = memberNamed(team, name);
    if (!roles.has(slug)) roles.set(slug, 'cc');
  }
  if (roles.size > TALK_LIMITS.mailRecipients) {
    throw new TroupeError('bad_input', {
      what: `A message can have at most ${TALK_LIMITS.mailRecipients} recipients.`,
    });
  }
  const all = [...roles].map(([member, role]): Recipient => ({ member, role, readAt: null }));
  const order = ({ role, member }: Recipient) => `${role === 'to' ? 0 : 1} ${member}`;
  return all.sort((left, right) => compareText(order(left), order(right)));
}

/** `@hicks` in a text, as far as there is such a member, in the order of the text. */
export function mentionsIn(text: string, team: Pick<Team, 'members'>): readonly string[] {
  const slugs = new Set(present(team).map(({ slug }) => slug));
  const words = [...text.matchAll(/(?:^|[\s(,;])@([\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*)/gu)].map(([, word]) =>
    slugOf(word ?? ''),
  );
  return [...new Set(words)].filter((slug) => slug !== undefined && slugs.has(slug)) as string[];
}

/** Whom a message without an addressee is for. */
export function usualRecipients(team: Team, sender: string | undefined): readonly string[] {
  const leader = leaderOf(team);
  return leader === undefined || leader.slug === sender ? [] : [leader.slug];
}

/** When this recipient is told of it for the last time; undefined: nobody knows yet. Milliseconds. */
export function mailExpiry(
  message: Pick<TeamMessage, 'sender' | 'createdAt'>,
  recipient: Recipient,
): number | undefined {
  if (senderKind(message) === 'system') return message.createdAt + TALK_LIMITS.mailSystemMs;
  if (recipient.role === 'cc') return message.createdAt + TALK_LIMITS.mailCopyMs;
  return recipient.readAt === null ? undefined : recipient.readAt + TALK_LIMITS.mailReadMs;
}

/** What a member is told when the next turn begins, in order. The transcript keeps everything. */
export function mailFor(messages: readonly TeamMessage[], member: string, now: number): readonly TeamMessage[] {
  return messages.filter((message) => {
    const recipient = message.recipients.find((one) => one.member === member);
    return recipient !== undefined && now <= (mailExpiry(message, recipient) ?? Number.POSITIVE_INFINITY);
  });
}

/** A turn of a member that is over: when its run was told of the mail, and when it ended. Milliseconds. */
export interface EndedTurn {
  readonly toldAt: number;
  readonly endedAt: number;
}

/** Who did a turn to its end has read what it was told of, also where they wrote nothing. */
export function withTurnsRead(
  messages: readonly TeamMessage[],
  member: string,
  turns: readonly EndedTurn[],
): readonly TeamMessage[] {
  return messages.map((message) => {
    const times = turns.filter(({ toldAt }) => message.createdAt <= toldAt).map(({ endedAt }) => endedAt);
    if (times.length === 0) return message;
    const read = (one: Recipient) =>
      one.member === member && one.readAt === null ? { ...one, readAt: Math.min(...times) } : one;
    return { ...message, recipients: message.recipients.map(read) };
  });
}
