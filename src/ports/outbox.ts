import type { OutboxRow } from '#core/mail/outbox.js';

/**
 * What was written beside a change in `teams.db` for the graph to be told. Makes no store where nothing was ever kept. Errors:
 * `data_corrupt`, `schema_newer`, `migration_changed`, `locked`, `disk_full`, `read_only`, `unsafe_path`, `sqlite_missing`.
 */
export interface Outbox {
  /** The oldest the graph has not been told of, in the order in which they were written, at most `limit`. */
  pending(limit: number): Promise<readonly OutboxRow[]>;
  /** `refused`: the graph will never take it, as its task is gone. */
  settle(id: string, how: 'done' | 'refused'): Promise<void>;
  close(): Promise<void>;
}
