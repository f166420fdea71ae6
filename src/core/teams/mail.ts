import { TroupeError } from '#kernel/errors.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { compareText } from '#kernel/order.js';
import { slugOf } from '#kernel/slug.js';
import { leaderOf, type MemberPosition, memberNamed, presentMembers, type Team } from './team.js';

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
/** Types a sender may choose; the remaining one is reserved for the system. */
export const SENDABLE_MAIL_TYPES = MAIL_TYPES.filter((type) => type !== 'system_notification');
export type MailType = (typeof MAIL_TYPES)[number];
export const RECIPIENT_ROLES = ['to', 'cc'] as const;
export const SENDER_KINDS = ['person', 'agent', 'system'] as const;
export type SenderKind = (typeof SENDER_KINDS)[number];

/** Recipient of a message by member slug, with the time it was read. */
export interface Recipient {
  readonly member: string;
  readonly role: (typeof RECIPIENT_ROLES)[number];
  readonly readAt: number | null;
}

/** A stored team message. Every member may read all messages; recipients are the addressees. */
export interface TeamMessage {
  readonly id: string;
  readonly teamId: string;
  /** Position in the team's conversation: 1, 2, … */
  readonly number: number;
  /** `human/ann`, `crew/lead`, `crew/hicks`, `system`. */
  readonly sender: string;
  /** Display name at the time of writing. */
  readonly senderName: string;
  /** Slug, if the sender was on the team. */
  readonly member: string | null;
  /** Position at the time of writing; null for the system and for a person outside the team. */
  readonly position: MemberPosition | null;
  readonly type: MailType;
  readonly body: string;
  readonly thread: string;
  readonly replyTo: string | null;
  readonly task: string | null;
  /** Message or task that started the chain, and the number of turns since. */
  readonly origin: string;
  readonly depth: number;
  readonly recipients: readonly Recipient[];
  readonly createdAt: number;
}

export type NewTeamMessage = Omit<TeamMessage, 'number'>;

/** Id of the team's conversation. */
export function teamConversation(teamId: string): string {
  return `team:${teamId}`;
}

/** Sender fields of system messages. */
export const SYSTEM = { sender: 'system', senderName: 'Troupe', member: null, position: null } as const;

export function senderKind({ sender }: Pick<TeamMessage, 'sender'>): SenderKind {
  if (sender === SYSTEM.sender) return 'system';
  return sender.startsWith('human/') ? 'person' : 'agent';
}

/** Thread of a message: that of the answered message, else its own id. */
export function threadOf(id: string, answered: Pick<TeamMessage, 'thread'> | undefined): string {
  return answered?.thread ?? id;
}

/**
 * Resolves the addressed members, `to` before `cc`, without duplicates. Errors: `not_found` for a name not on the team,
 * `bad_input`.
 */
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

/** Slugs of existing members mentioned as `@slug`, in text order. */
export function mentionsIn(text: string, team: Pick<Team, 'members'>): readonly string[] {
  const slugs = new Set(presentMembers(team).map(({ slug }) => slug));
  const words = [...text.matchAll(/(?:^|[\s(,;])@([\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*)/gu)].map(([, word]) =>
    slugOf(word ?? ''),
  );
  return [...new Set(words)].filter((slug) => slug !== undefined && slugs.has(slug)) as string[];
}

/** Default recipients of a message without addressees. */
export function defaultRecipients(team: Team, sender: string | undefined): readonly string[] {
  const leader = leaderOf(team);
  return leader === undefined || leader.slug === sender ? [] : [leader.slug];
}

/** Delivery deadline of a message for a recipient, in milliseconds; undefined if not known yet. */
export function mailExpiry(
  message: Pick<TeamMessage, 'sender' | 'createdAt'>,
  recipient: Recipient,
): number | undefined {
  if (senderKind(message) === 'system') return message.createdAt + TALK_LIMITS.mailSystemMs;
  if (recipient.role === 'cc') return message.createdAt + TALK_LIMITS.mailCopyMs;
  return recipient.readAt === null ? undefined : recipient.readAt + TALK_LIMITS.mailReadMs;
}

/** Messages delivered at the start of a member's next turn, in order. The transcript keeps all. */
export function mailFor(messages: readonly TeamMessage[], member: string, now: number): readonly TeamMessage[] {
  return messages.filter((message) => {
    const recipient = message.recipients.find((one) => one.member === member);
    return recipient !== undefined && now <= (mailExpiry(message, recipient) ?? Number.POSITIVE_INFINITY);
  });
}

/** An ended turn of a member: mail delivery and end, in milliseconds. */
export interface EndedTurn {
  readonly toldAt: number;
  readonly endedAt: number;
}

/** Marks delivered messages as read once a turn has ended, even if the member wrote nothing. */
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
