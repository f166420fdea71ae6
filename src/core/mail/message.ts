import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** A stored message. `number` orders a conversation: 1, 2, … without gaps; timestamps order nothing. */
export interface Message {
  readonly id: string;
  readonly conversation: string;
  readonly number: number;
  /** Author id on the channel: `human/ann`, `run/agent-7`. */
  readonly sender: string;
  readonly sender_name: string;
  /** Reader for whom it counts as read: the person who wrote it, or the task of the run that wrote it. */
  readonly speaks_for: string;
  readonly body: string;
  readonly priority: Priority;
  /** Milliseconds. */
  readonly created_at: number;
}

export type NewMessage = Omit<Message, 'number'>;

/** Id of the conversation about one task. */
export function taskConversation(id: string): string {
  return `task:${id}`;
}

/** Reader id of a task: its successive runs share one cursor. */
export function taskReader(id: string): string {
  return `task/${id}`;
}

/** Reader id of a person, independent of case and spacing of the name. Errors: `bad_input`. */
export function personReader(name: string): string {
  const slug = name.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, '-');
  const most = TEAM_LIMITS.messageNameCharacters;
  if (slug !== '' && slug.length <= most && !/[/:\p{C}]/u.test(slug)) return `human/${slug}`;
  throw new TroupeError('bad_input', {
    what: `A name must have 1 to ${most} characters, without slashes, colons or control characters.`,
  });
}

/**
 * Returns the text unchanged or rejects it; text is never truncated silently. Errors: `empty_message`, `bad_input`,
 * `message_too_large`.
 */
export function checkedBody(text: string): string {
  if (text.trim() === '') throw new TroupeError('empty_message');
  // Some libraries end a string at NUL and would return it truncated.
  if (text.includes('\0')) throw new TroupeError('bad_input', { what: 'A message cannot contain NUL.' });
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= TEAM_LIMITS.messageBytes) return text;
  throw new TroupeError('message_too_large', {
    what: `The message has ${bytes} bytes; the limit is ${TEAM_LIMITS.messageBytes}.`,
    details: { bytes, limit: TEAM_LIMITS.messageBytes },
  });
}
