import { conversations, type WithConversations } from '#core/coordinator/conversations.js';
import { end } from '#core/mail/close.js';
import type { Conversation } from '#core/mail/conversation.js';
import { type Directory, isDerivable } from '#core/mail/directory.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut } from '#kernel/text.js';
import type { WorkContext } from '#operations/contexts.js';
import { loadDirectory } from '#operations/mail/load-directory.js';
import { relayOutbox } from '#operations/relay-outbox.js';
import { commitOnly, type HostOf } from './host.js';

/** Facts about conversations: expected replies, tasks that are over, and participants who may no longer write. */
export class ConversationsHost implements HostOf<'conversations'> {
  private readonly context: WorkContext;
  private latest: { readonly at: number; readonly directory: Directory | undefined } | undefined;

  constructor(context: WorkContext) {
    this.context = context;
  }

  /** An unreadable teams.db must not stop the runs. */
  readonly facts = async (): Promise<WithConversations> => {
    try {
      const mailStore = await this.context.mail();
      const mail = new Map((await mailStore.taskMail()).map(({ task, ...fact }) => [task, fact]));
      const open = (await mailStore.open()).filter(({ kind }) => kind === 'work');
      const directory = open.length === 0 ? undefined : await this.directory();
      return { mail, conversations: open.flatMap((one) => factOf(one, directory)) };
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      return conversations.none;
    }
  };

  readonly carryOut: HostOf<'conversations'>['carryOut'] = {
    'end-conversation': async ({ conversation: id, how, words }) => {
      const at = this.context.clock.now();
      const ending = { how, words: cut(words, TEAM_LIMITS.messageBytes / 4) };
      const mailStore = await this.context.mail();
      await mailStore.change((view) => end(view, { id, ending, at, messageId: `end:${id}` }));
      await relayOutbox(this.context);
      return 1;
    },
    'wake-mail': commitOnly,
  };

  /**
   * The directory, cached for a moment. If it cannot be read, no participant is expelled: no messages can be sent
   * either.
   */
  private async directory(): Promise<Directory | undefined> {
    const now = this.context.clock.now();
    if (this.latest && now - this.latest.at < TEAM_LIMITS.rosterLookMs) return this.latest.directory;
    const directory = await loadDirectory(this.context).catch((error: unknown) => {
      if (!(error instanceof TroupeError)) throw error;
      return undefined;
    });
    this.latest = { at: now, directory };
    return directory;
  }
}

function factOf(one: Conversation, directory: Directory | undefined) {
  const { id, taskId: task, openedBy } = one;
  if (task === null) return [];
  return [{ id, task, openedBy, expelled: directory !== undefined && !isDerivable(directory, one) }];
}
