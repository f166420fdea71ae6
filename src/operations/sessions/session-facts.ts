import type { WithSessions } from '#core/coordinator/chat.js';
import { allSessions, chatTask, type Session } from '#core/coordinator/sessions.js';
import { isTerminal } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { taskConversation, taskReader } from '#core/messages/message.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { Messages } from '#ports/messages.js';
import type { SessionFile } from '#ports/session-file.js';

/** What a tick has to know of sessions: none while there is only the rest, as it is. */
export class SessionReader {
  private readonly parts: { sessions(): Promise<SessionFile>; messages(): Promise<Messages> };
  private readonly note: (text: string) => void;
  private good: readonly Session[] = [];
  private told: string | undefined;

  constructor(
    parts: { sessions(): Promise<SessionFile>; messages(): Promise<Messages> },
    note: (text: string) => void,
  ) {
    this.parts = parts;
    this.note = note;
  }

  /** A broken file leaves what was known before, and is told of once. */
  async read(view: GraphView): Promise<WithSessions> {
    try {
      const read = await (await this.parts.sessions()).read();
      this.good = allSessions(read);
      this.told = undefined;
      if (read.coordinators.length === 0) return await this.withInbox([], view);
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      if (this.told !== error.message) this.note(`sessions stay as they were: ${error.message}`);
      this.told = error.message;
    }
    return await this.withInbox(this.good, view);
  }

  /** Only chats that have ended are looked at: one at work reads for itself, and without any nothing is asked. */
  private async withInbox(sessions: readonly Session[], view: GraphView): Promise<WithSessions> {
    const inbox = new Map<number, number>();
    for (const { id } of this.good) {
      const task = view.task(chatTask(id));
      if (!task || !isTerminal(task.status)) continue;
      const messages = await this.parts.messages();
      const [conversation, reader] = [taskConversation(task.id), taskReader(task.id)];
      const after = await messages.cursor(reader, conversation);
      const fresh = await messages.list(conversation, { after, limit: LIMITS.messagesListed });
      const last = fresh.filter(({ sender }) => sender.startsWith('human/')).at(-1);
      if (last) inbox.set(id, last.number);
    }
    return { sessions, inbox };
  }
}
