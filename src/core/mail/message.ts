import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';

export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** A message as it is kept. `number` orders a conversation: 1, 2, … without gaps; a clock orders nothing. */
export interface Message {
  readonly id: string;
  readonly conversation: string;
  readonly number: number;
  /** Who wrote, as the channel knows them: `human/ann`, `run/agent-7`. */
  readonly sender: string;
  readonly sender_name: string;
  /** The reader for whom this is nothing new: the person, or the task of the run that wrote. */
  readonly speaks_for: string;
  readonly body: string;
  readonly priority: Priority;
  /** Milliseconds. */
  readonly created_at: number;
}

export type NewMessage = Omit<Message, 'number'>;

/** The conversation in which everybody talks about one task. */
export function taskConversation(id: string): string {
  return `task:${id}`;
}

/** Whoever works at a task, one run after the other, reads with one cursor. */
export function taskReader(id: string): string {
  return `task/${id}`;
}

/** A person by name: the same one however it is typed. */
export function personReader(name: string): string {
  const slug = name.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, '-');
  const most = LIMITS.messageNameCharacters;
  if (slug !== '' && slug.length <= most && !/[/:\p{C}]/u.test(slug)) return `human/${slug}`;
  throw new TroupeError('bad_input', {
    what: `A name must have 1 to ${most} characters, without slashes, colons or control characters.`,
  });
}

/** The text as it is, or why it cannot be one. Nothing is cut in silence. */
export function checkedBody(text: string): string {
  if (text.trim() === '') throw new TroupeError('empty_message');
  // Some libraries end a text there: it would not come back whole.
  if (text.includes('\0')) throw new TroupeError('bad_input', { what: 'A message cannot contain NUL.' });
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= LIMITS.messageBytes) return text;
  throw new TroupeError('message_too_large', {
    what: `The message has ${bytes} bytes; the limit is ${LIMITS.messageBytes}.`,
    details: { bytes, limit: LIMITS.messageBytes },
  });
}
