import * as z from 'zod/mini';
import { CONVERSATION_KINDS, CONVERSATION_STATES, type Conversation, MESSAGE_TYPES } from '#core/mail/conversation.js';
import { timestamp } from '#kernel/clock.js';
import type { Mail } from '#ports/mail-store.js';

export const conversationShape = z.object({
  conversation_id: z.string(),
  kind: z.enum(CONVERSATION_KINDS),
  state: z.enum(CONVERSATION_STATES),
  initiator: z.string(),
  recipient: z.string(),
  task_id: z.nullable(z.string()),
  opened_by: z.nullable(z.string()),
  depth: z.number(),
  created_at: z.string(),
});

export const mailShape = z.object({
  message_id: z.string(),
  conversation_id: z.string(),
  number: z.number(),
  type: z.enum(MESSAGE_TYPES),
  from: z.string(),
  text: z.string(),
  at: z.string(),
});

export function conversationRow(one: Conversation): z.infer<typeof conversationShape> {
  const { id, kind, state, initiator, recipient, taskId, openedBy, depth, createdAt } = one;
  return {
    conversation_id: id,
    kind,
    state,
    initiator,
    recipient,
    task_id: taskId,
    opened_by: openedBy,
    depth,
    created_at: timestamp(createdAt),
  };
}

export function mailRow({ id, conversation, number, type, sender, body, created_at }: Mail): z.infer<typeof mailShape> {
  return {
    message_id: id,
    conversation_id: conversation,
    number,
    type,
    from: sender,
    text: body,
    at: timestamp(created_at),
  };
}
