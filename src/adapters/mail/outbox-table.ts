import { pendingOutbox, settleOutbox } from '#adapters/teams-database/outbox-rows.js';
import type { Tables } from '#adapters/teams-database/tables.js';
import type { OutboxRow } from '#core/mail/outbox.js';
import type { Outbox } from '#ports/outbox.js';

/** Outbox of changes to the graph, written by messages, conversations and teams. */
export class OutboxTable implements Outbox {
  private readonly tables: Tables;

  constructor(tables: Tables) {
    this.tables = tables;
  }

  pending(limit: number): Promise<readonly OutboxRow[]> {
    return this.tables.read([], () => pendingOutbox(limit));
  }

  settle(id: string, how: 'done' | 'refused'): Promise<void> {
    return this.tables.write(() => settleOutbox(id, how));
  }

  close(): Promise<void> {
    return this.tables.close();
  }
}
