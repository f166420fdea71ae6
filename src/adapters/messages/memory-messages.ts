import type { MemoryOutbox } from '#adapters/teams-database/memory-outbox.js';
import type { MessageFact } from '#core/graph/message.js';
import {
  checkInbox,
  type Message,
  type NewMessage,
  sameMessage,
  taskConversation,
  taskReader,
} from '#core/messages/message.js';
import { LIMITS } from '#kernel/limits.js';
import type { ConversationTask, Messages } from '#ports/messages.js';

/** Messages as long as this process lives. */
export class MemoryMessages implements Messages {
  private readonly all: Message[] = [];
  private readonly cursors = new Map<string, Map<string, number>>();
  private readonly outbox: MemoryOutbox;

  constructor(outbox: MemoryOutbox) {
    this.outbox = outbox;
  }

  async send(message: NewMessage, to: ConversationTask, by: Pick<MessageFact, 'from' | 'kind'>): Promise<Message> {
    const existing = this.all.find(({ id }) => id === message.id);
    if (existing) return sameMessage(existing, message);
    const before = this.of(message.conversation);
    const read = this.readUpTo(message.conversation, to.holder, message.speaks_for !== to.holder);
    const own = (other: Message) => (other.speaks_for === to.holder) === (message.speaks_for === to.holder);
    checkInbox(before.filter((other) => other.number > read && own(other)).length, to.task);
    const stored = { ...message, number: before.length + 1 };
    this.all.push(stored);
    const args = { task_id: to.task, ...by, number: stored.number };
    this.outbox.write([{ id: message.id, op: 'task.message', args }]);
    return stored;
  }

  async list(conversation: string, options: { after?: number; limit: number }): Promise<readonly Message[]> {
    const { after, limit } = options;
    const messages = this.of(conversation);
    return after === undefined
      ? messages.slice(-limit)
      : messages.filter(({ number }) => number > after).slice(0, limit);
  }

  async cursor(reader: string, conversation: string): Promise<number> {
    return this.cursors.get(conversation)?.get(reader) ?? 0;
  }

  async moveCursor(reader: string, conversation: string, to: number): Promise<void> {
    if (this.of(conversation).length === 0) return;
    const readers = this.cursors.get(conversation) ?? new Map<string, number>();
    readers.set(reader, Math.max(to, readers.get(reader) ?? 0));
    this.cursors.set(conversation, readers);
  }

  async unread(most: number, task?: string): Promise<readonly { task: string; messages: readonly Message[] }[]> {
    const tasks = [...new Set(this.all.map(({ conversation }) => conversation.slice('task:'.length)))];
    const conversations = tasks
      .filter((id) => task === undefined || id === task)
      .map((id) => {
        const read = this.cursors.get(taskConversation(id))?.get(taskReader(id)) ?? 0;
        const messages = this.of(taskConversation(id)).filter(
          (message) => message.number > read && message.speaks_for !== taskReader(id),
        );
        return { task: id, messages: messages.slice(-LIMITS.promptMessages) };
      });
    return conversations.filter(({ messages }) => messages.length > 0).slice(0, most);
  }

  async close(): Promise<void> {
    this.all.length = 0;
  }

  private of(conversation: string): Message[] {
    return this.all.filter((message) => message.conversation === conversation);
  }

  /** How far the holder has read, or the one of all others who read furthest. */
  private readUpTo(conversation: string, holder: string, byHolder: boolean): number {
    const readers = [...(this.cursors.get(conversation) ?? [])];
    return Math.max(0, ...readers.filter(([reader]) => (reader === holder) === byHolder).map(([, number]) => number));
  }
}
