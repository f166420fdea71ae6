/**
 * Conversations and messages in the tables of teams and mail, and their outbox for the graph; `.teaparty/`, which says who
 * may write to whom.
 * @packageDocumentation
 */
import { runDecision, type Statements } from '#adapters/teams-database/statement.js';
import { type Tables, writeOnce } from '#adapters/teams-database/tables.js';
import { type Conversation, MAIL_VIEW, type MailPlan, type MailView } from '#core/mail/conversation.js';
import type { Queried } from '#kernel/query.js';
import type { KnownRequest } from '#kernel/request.js';
import type { FoundMessage, Mail, MailStore, Page, TaskMail, Undelivered, UnreadTalk } from '#ports/mail-store.js';
import {
  commitTurn,
  conversationsOf,
  cursorOf,
  inboxOf,
  MAIL_ANSWERS,
  messagesOf,
  messagesWith,
  openConversations,
  show,
  taskMailOf,
  undeliveredMail,
  unreadTalks,
  writeMailPlan,
} from './mail-rows.js';

export class MailTables implements MailStore {
  private readonly tables: Tables;
  private readonly taskMailNow = new Latest<readonly TaskMail[]>();
  private readonly unreadNow = new Latest<readonly UnreadTalk[]>();

  constructor(tables: Tables) {
    this.tables = tables;
  }

  change<Result>(decide: (view: MailView) => Queried<MailPlan<Result>>): Promise<Result> {
    return this.tables.write(() => this.changed(decide));
  }

  changeOnce<Result>(request: KnownRequest, decide: (view: MailView) => Queried<MailPlan<Result>>): Promise<Result> {
    return writeOnce(this.tables, request, () => this.changed(decide));
  }

  conversation(id: string): Promise<Conversation | undefined> {
    return this.tables.read(undefined, () => MAIL_ANSWERS.conversation(id));
  }

  ofTask(task: string): Promise<Conversation | undefined> {
    return this.tables.read(undefined, () => MAIL_ANSWERS.ofTask(task));
  }

  conversations(member: string | undefined, limit: number): Promise<readonly Conversation[]> {
    return this.tables.read([], () => conversationsOf(member, limit));
  }

  open(): Promise<readonly Conversation[]> {
    return this.tables.read([], openConversations);
  }

  inbox(member: string, { task, limit }: { readonly task?: string; readonly limit: number }): Promise<readonly Mail[]> {
    return this.tables.read([], () => inboxOf(member, task, limit));
  }

  messages(conversation: string, page: Page): Promise<readonly Mail[]> {
    return this.tables.read([], () => messagesOf(conversation, page));
  }

  cursor(reader: string, conversation: string): Promise<number> {
    return this.tables.read(0, () => cursorOf(reader, conversation));
  }

  async show(task: string, fence: number, messages: readonly string[]): Promise<void> {
    if (messages.length > 0) await this.tables.write(() => show(task, fence, messages));
  }

  async commitTurn(task: string, fence: number): Promise<void> {
    if (this.tables.exists()) await this.tables.write(() => commitTurn(task, fence, this.tables.now()));
  }

  taskMail(): Promise<readonly TaskMail[]> {
    return this.tables.read([], () => this.taskMailNow.of(this.tables, [], taskMailOf));
  }

  unreadTalk(most: number, task?: string): Promise<readonly UnreadTalk[]> {
    return this.tables.read([], () => this.unreadNow.of(this.tables, [most, task], () => unreadTalks(most, task)));
  }

  find(words: readonly string[], limit: number): Promise<readonly FoundMessage[]> {
    return this.tables.read([], () => messagesWith(words, limit));
  }

  undelivered(limit: number): Promise<readonly Undelivered[]> {
    return this.tables.read([], () => undeliveredMail(limit));
  }

  close(): Promise<void> {
    return this.tables.close();
  }

  private *changed<Result>(decide: (view: MailView) => Queried<MailPlan<Result>>): Statements<Result> {
    const plan = yield* runDecision(decide(MAIL_VIEW), MAIL_ANSWERS);
    yield* writeMailPlan(plan, this.tables.now());
    return plan.result;
  }
}

/** Caches the last answer while query and tables are unchanged. */
class Latest<Answer> {
  private kept: { readonly state: string; readonly answer: Answer } | undefined;

  *of(tables: Tables, asked: readonly unknown[], answer: () => Statements<Answer>): Statements<Answer> {
    const state = JSON.stringify([yield* tables.state(), asked]);
    if (this.kept?.state !== state) this.kept = { state, answer: yield* answer() };
    return this.kept.answer;
  }
}
