/**
 * Conversations and messages in `teams.db`, and what they left for the graph.
 * @packageDocumentation
 */
import type { Database } from '#adapters/teams-database/database.js';
import { DELIVERABLE } from '#adapters/teams-database/message-rows.js';
import { type Tables, writeOnce } from '#adapters/teams-database/tables.js';
import { type Conversation, MAIL_VIEW, type MailPlan, type MailView } from '#core/mail/conversation.js';
import { answered, type Queried } from '#kernel/query.js';
import type { KnownRequest } from '#kernel/request.js';
import type { Mail, MailStore, Page, TaskMail, Undelivered, UnreadMail, UnreadTalk } from '#ports/mail-store.js';
import {
  commitTurn,
  conversationsIn,
  inboxIn,
  mailAnswersIn,
  messagesIn,
  OPEN,
  undeliveredIn,
  unreadTalkIn,
  writeMailPlan,
} from './mail-rows.js';

/** Conversations in `.workgraph/teams.db`. */
export class SqliteMailStore implements MailStore {
  private readonly database: Tables;
  private readonly taskMailNow = new Latest<readonly TaskMail[]>();
  private readonly unreadNow = new Latest<readonly UnreadTalk[]>();

  constructor(database: Tables) {
    this.database = database;
  }

  change<Result>(decide: (view: MailView) => Queried<MailPlan<Result>>): Promise<Result> {
    return this.database.write((database) => this.decided(database, decide));
  }

  changeOnce<Result>(request: KnownRequest, decide: (view: MailView) => Queried<MailPlan<Result>>): Promise<Result> {
    return writeOnce(this.database, request, (database) => this.decided(database, decide));
  }

  conversation(id: string): Promise<Conversation | undefined> {
    return this.database.read(undefined, (database) => mailAnswersIn(database).conversation(id));
  }

  ofTask(task: string): Promise<Conversation | undefined> {
    return this.database.read(undefined, (database) => mailAnswersIn(database).ofTask(task));
  }

  conversations(member: string | undefined, limit: number): Promise<readonly Conversation[]> {
    const mine = member === undefined ? '' : 'AND (initiator = ? OR recipient = ?)';
    const order = "ORDER BY state IN ('closed', 'withdrawn'), created_at DESC, rowid DESC LIMIT ?";
    return this.database.read([], (database) =>
      conversationsIn(
        database,
        `kind <> 'talk' ${mine} ${order}`,
        ...(member === undefined ? [] : [member, member]),
        limit,
      ),
    );
  }

  open(): Promise<readonly Conversation[]> {
    return this.database.read([], (database) => conversationsIn(database, `${OPEN} ORDER BY created_at, rowid`));
  }

  inbox(member: string, { task, limit }: { readonly task?: string; readonly limit: number }): Promise<readonly Mail[]> {
    return this.database.read([], (database) => inboxIn(database, member, task, limit));
  }

  messages(conversation: string, page: Page): Promise<readonly Mail[]> {
    return this.database.read<readonly Mail[]>([], (database) => messagesIn(database, conversation, page));
  }

  cursor(reader: string, conversation: string): Promise<number> {
    const sql = 'SELECT last_seq FROM cursors WHERE recipient = ? AND conversation_id = ?';
    return this.database.read(0, (database) => Number(database.all(sql, reader, conversation)[0]?.['last_seq'] ?? 0));
  }

  async show(task: string, fence: number, messages: readonly string[]): Promise<void> {
    if (messages.length === 0) return;
    const marks = messages.map(() => '?').join(', ');
    await this.database.write((database) =>
      database.run(
        `UPDATE recipients SET shown_to = ? WHERE task_id = ? AND message_id IN (${marks})`,
        ...[fence, task, ...messages],
      ),
    );
  }

  async commitTurn(task: string, fence: number): Promise<void> {
    if (!this.database.exists()) return;
    await this.database.write((database) => commitTurn(database, task, fence, this.database.now()));
  }

  taskMail(): Promise<readonly TaskMail[]> {
    return this.database.read([], (database) => this.taskMailNow.of(stateOf(database), () => taskMailIn(database)));
  }

  unreadTalk(most: number, task?: string): Promise<readonly UnreadTalk[]> {
    return this.database.read([], (database) =>
      this.unreadNow.of(stateOf(database, most, task), () => unreadTalkIn(database, most, task)),
    );
  }

  undelivered(limit: number): Promise<readonly Undelivered[]> {
    return this.database.read([], (database) => undeliveredIn(database, limit));
  }

  close(): Promise<void> {
    return this.database.close();
  }

  private decided<Result>(database: Database, decide: (view: MailView) => Queried<MailPlan<Result>>): Result {
    const plan = answered(decide(MAIL_VIEW), mailAnswersIn(database));
    writeMailPlan(database, plan, this.database.now());
    return plan.result;
  }
}

/** The last answer, for as long as the state it was worked out from stays the same. */
class Latest<Answer> {
  private kept: { readonly state: string; readonly answer: Answer } | undefined;

  of(state: string, answer: () => Answer): Answer {
    if (this.kept?.state !== state) this.kept = { state, answer: answer() };
    return this.kept.answer;
  }
}

/** Another text whenever a process has changed the database. */
function stateOf(database: Database, ...asked: readonly unknown[]): string {
  return JSON.stringify([database.all('PRAGMA data_version'), database.all('SELECT total_changes()'), asked]);
}

function taskMailIn(database: Database): TaskMail[] {
  const mail = new Map<string, { open: number; unread: UnreadMail[] }>();
  const of = (task: unknown) => {
    const entry = mail.get(String(task)) ?? { open: 0, unread: [] };
    mail.set(String(task), entry);
    return entry;
  };
  const open = `SELECT opened_by, count(*) AS open FROM conversations WHERE ${OPEN} AND kind IN ('work', 'question') AND opened_by IS NOT NULL GROUP BY opened_by`;
  for (const row of database.all(open)) of(row['opened_by']).open = Number(row['open']);
  const unread = `SELECT r.task_id, r.shown_to, m.type = 'message' AND m.seq + (c.kind = 'question') > 1 AS asked FROM recipients r JOIN messages m ON m.id = r.message_id JOIN conversations c ON c.id = m.conversation_id WHERE r.read_at IS NULL AND r.task_id IS NOT NULL AND ${DELIVERABLE}`;
  for (const { task_id: task, shown_to: shown, asked } of database.all(unread))
    of(task).unread.push({ shownTo: shown === null ? null : Number(shown), asked: Number(asked) === 1 });
  return [...mail].map(([task, entry]) => ({ task, ...entry }));
}
