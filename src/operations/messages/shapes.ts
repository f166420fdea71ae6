import * as z from 'zod/mini';
import { type Message, PRIORITIES } from '#core/messages/message.js';
import { timestamp } from '#kernel/clock.js';
import { LIMITS } from '#kernel/limits.js';

export const messageShape = z.object({
  id: z.string(),
  /** Its place in the conversation. */
  number: z.number(),
  from: z.string(),
  sender: z.string(),
  text: z.string(),
  priority: z.enum(PRIORITIES),
  at: z.string(),
  /** For whoever asks. */
  unread: z.boolean(),
});
export const messagesShape = z.readonly(z.array(messageShape));

/** A message as it is answered to this reader. */
export function shown(message: Message, who: { reader: string }, cursor: number): z.infer<typeof messageShape> {
  const { id, number, sender_name, sender, body, priority, created_at } = message;
  const unread = isUnread(message, who, cursor);
  return { id, number, from: sender_name, sender, text: body, priority, at: timestamp(created_at), unread };
}

export function isUnread(message: Message, who: { reader: string }, cursor: number): boolean {
  return message.number > cursor && message.speaks_for !== who.reader;
}

/** As many messages from the beginning as one answer carries; at least one. */
export function fitting(messages: readonly Message[]): readonly Message[] {
  let bytes = 0;
  const end = messages.findIndex(({ body }, index) => {
    bytes += body.length * 3;
    return index > 0 && bytes > LIMITS.messagesListedBytes;
  });
  return end === -1 ? messages : messages.slice(0, end);
}
