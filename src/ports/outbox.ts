import type { OutboxRow } from '#core/mail/outbox.js';

/**
 * Outbox of `teams.db`: notifications to the graph, written in the same transaction as the change they describe.
 * Reading does not create a store. Errors: `data_corrupt`, `schema_newer`, `migration_changed`, `locked`, `disk_full`,
 * `read_only`, `unsafe_path`, `sqlite_missing`.
 */
export interface Outbox {
  /** Oldest pending rows, in the order in which they were written, at most `limit`. */
  pending(limit: number): Promise<readonly OutboxRow[]>;
  /** Marks a row as delivered, or as `refused` if the graph can never accept it because its task is gone. */
  settle(id: string, how: 'done' | 'refused'): Promise<void>;
  close(): Promise<void>;
}
