/**
 * Conversations in `teams.db`.
 * @packageDocumentation
 */
import type { Database } from '#adapters/teams-database/database.js';
import { DELIVERABLE } from '#adapters/teams-database/message-rows.js';
import { type Tables, writeOnce } from '#adapters/teams-database/tables.js';
import { BUS_VIEW, type BusPlan, type BusView, type Conversation } from '#core/bus/conversation.js';
import { answered, type Queried } from '#kernel/query.js';
import type { KnownRequest } from '#kernel/request.js';
import type { BusStore, Mail, TaskMail, Undelivered, UnreadMail } from '#ports/bus-store.js';
import {
  busAnswersIn,
  commitTurn,
  conversationsIn,
  inboxIn,
  messagesIn,
  OPEN,
  undeliveredIn,
  writeBusPlan,
} from './bus-rows.js';

/** Conversations in `.workgraph/teams.db`. */
export class SqliteBusStore implements BusStore {
  private readonly database: Tables;
  /** How the tasks stood when the database was last another one. */
  private cached: { readonly state: string; readonly mail: readonly TaskMail[] } | undefined;

  constructor(database: Tables) {
    this.database = database;
  }

  change<Result>(decide: (view: BusView) => Queried<BusPlan<Result>>): Promise<Result> {
    return this.database.write((database) => this.decided(database, decide));
  }

  changeOnce<Result>(request: KnownRequest, decide: (view: BusView) => Queried<BusPlan<Result>>): Promise<Result> {
    return writeOnce(this.database, request, (database) => this.decided(database, decide));
  }

  conversation(id: string): Promise<Conversation | undefined> {
    return this.database.read(undefined, (database) => busAnswersIn(database).conversation(id));
  }

  ofTask(task: string): Promise<Conversation | undefined> {
    return this.database.read(undefined, (database) => busAnswersIn(database).ofTask(task));
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

  messages(conversation: string, { after, limit }: { readonly after: number; readonly limit: number }) {
    return this.database.read<readonly Mail[]>([], (database) => messagesIn(database, conversation, after, limit));
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
    return this.database.read([], (database) => {
      const state = JSON.stringify([database.all('PRAGMA data_version'), database.all('SELECT total_changes()')]);
      if (this.cached?.state !== state) this.cached = { state, mail: taskMailIn(database) };
      return this.cached.mail;
    });
  }

  undelivered(limit: number): Promise<readonly Undelivered[]> {
    return this.database.read([], (database) => undeliveredIn(database, limit));
  }

  close(): Promise<void> {
    return this.database.close();
  }

  private decided<Result>(database: Database, decide: (view: BusView) => Queried<BusPlan<Result>>): Result {
    const plan = answered(decide(BUS_VIEW), busAnswersIn(database));
    writeBusPlan(database, plan, this.database.now());
    return plan.result;
  }
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
