import { pendingOutbox } from '#adapters/teams-database/outbox-rows.js';
import type { Tables } from '#adapters/teams-database/tables.js';
import type { OutboxRow } from '#core/mail/outbox.js';
import type { Outbox } from '#ports/outbox.js';

/** What messages, conversations and teams in `.workgraph/teams.db` left for the graph. */
export class SqliteOutbox implements Outbox {
  private readonly database: Tables;

  constructor(database: Tables) {
    this.database = database;
  }

  async pending(limit: number): Promise<readonly OutboxRow[]> {
    return await this.database.read([], (database) => pendingOutbox(database, limit));
  }

  settle(id: string, how: 'done' | 'refused'): Promise<void> {
    return this.database.write((database) => database.run('UPDATE outbox SET state = ? WHERE id = ?', how, id));
  }

  close(): Promise<void> {
    return this.database.close();
  }
}
