import type { EntryStatus, InboxEntry, NewEntry } from '#core/squad/memory.js';
import type { Filed, Settlement } from '#core/squad/memory-entries.js';

/** A file of the ledger as it was read: the path it counts for, and the hash of its bytes. */
export interface LedgerMark {
  readonly place: string;
  readonly sha256: string;
}

/**
 * Proposals of one clone that wait for a person, numbered from 1, and memory lines that wait until their file can be
 * written. Lists contain the latest `limit` entries, in ascending order. Reading does not create a store. Errors:
 * `memory_full`, `memory_settled`, `not_found`, and those of a database: `data_corrupt`, `schema_newer`,
 * `migration_changed`, `locked`, `disk_full`, `read_only`, `unsafe_path`, `sqlite_missing`.
 */
export interface TeamInbox {
  /** Files an entry under its agent and slug, by the rules of `filedAs`. */
  file(entry: NewEntry): Promise<{ readonly entry: InboxEntry; readonly filed: Filed }>;
  /** Errors: `not_found`. */
  entry(number: number): Promise<InboxEntry>;
  entries(filter: {
    readonly status?: EntryStatus | undefined;
    readonly limit: number;
  }): Promise<readonly InboxEntry[]>;
  /** Settles a pending entry. Errors: `not_found`, `memory_settled`. */
  settle(number: number, settlement: Settlement): Promise<InboxEntry>;
  /** Returns the marks that were stored before. */
  storedMarks(marks: readonly LedgerMark[]): Promise<readonly LedgerMark[]>;
  /** Stores marks. Known ones are not stored again. */
  mark(marks: readonly LedgerMark[]): Promise<void>;
  /** Memory lines that are in no file yet, in the order in which they were added. */
  waiting(): Promise<readonly string[]>;
  /** Stores lines until they can be written. */
  wait(lines: readonly string[]): Promise<void>;
  /** Removes lines that were written. */
  release(lines: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
