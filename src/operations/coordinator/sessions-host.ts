import type { WithSessions } from '#core/coordinator/chat.js';
import { allSessions, chatTask, type TaskSession } from '#core/coordinator/sessions.js';
import { isTerminal } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { taskConversation, taskReader } from '#core/mail/message.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { MailStore } from '#ports/mail-store.js';
import type { SessionFile } from '#ports/session-file.js';
import type { Clients } from './clients.js';
import type { HostTools } from './host.js';
import { commitOnly, type FactsInput, type HostOf } from './host.js';

interface SessionsHostParts {
  sessions(): Promise<SessionFile>;
  mail(): Promise<MailStore>;
  note(text: string): void;
}

/** Host for sessions and their messages; empty if there is only an unchanged session 0. */
export class SessionsHost implements HostOf<'sessions'> {
  private readonly parts: SessionsHostParts;
  private readonly clients: Pick<Clients, 'usableAmong'>;
  private good: readonly TaskSession[] = [];
  private lastNote: string | undefined;

  constructor({ clients }: Pick<HostTools, 'clients'>, parts: SessionsHostParts) {
    this.clients = clients;
    this.parts = parts;
  }

  readonly facts = async ({ view }: FactsInput): Promise<WithSessions> => {
    const sessions = await this.read();
    const named = sessions.flatMap(({ executor }) => (executor === null ? [] : [executor]));
    const executors = named.length > 0 ? await this.clients.usableAmong(named) : new Set<string>();
    return { sessions, inbox: await this.inbox(view), executors };
  };

  readonly carryOut = { 'deliver-chat': commitOnly };

  /** While the file is invalid, the sessions read last stay in force; the log notes it once. */
  private async read(): Promise<readonly TaskSession[]> {
    try {
      const read = await (await this.parts.sessions()).read();
      this.good = allSessions(read);
      this.lastNote = undefined;
      if (read.coordinators.length === 0) return [];
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      if (this.lastNote !== error.message) this.parts.note(`sessions are unchanged: ${error.message}`);
      this.lastNote = error.message;
    }
    return this.good;
  }

  /** Reads only the chats whose task has ended: a running one reads its messages itself. */
  private async inbox(view: GraphView): Promise<ReadonlyMap<number, number>> {
    const inbox = new Map<number, number>();
    for (const { id } of this.good) {
      const task = view.task(chatTask(id));
      if (!task || !isTerminal(task.status)) continue;
      const mail = await this.parts.mail();
      const [conversation, reader] = [taskConversation(task.id), taskReader(task.id)];
      const after = await mail.cursor(reader, conversation);
      const fresh = await mail.messages(conversation, { after, limit: TEAM_LIMITS.messagesListed });
      const last = fresh.filter(({ sender }) => sender.startsWith('human/')).at(-1);
      if (last) inbox.set(id, last.number);
    }
    return inbox;
  }
}
