import type { EntryStatus, InboxEntry, NewEntry } from '#core/memory/memory.js';
import type { Filed, Settlement } from '#core/memory/memory-entries.js';

/** A file as it lay in the ledger: the place it counts for, and the hash of its bytes. */
export interface LedgerMark {
  readonly place: string;
  readonly sha256: string;
}

/**
 * Proposals of one clone that wait for a person, numbered from 1, and lines of the memory that wait until its file can be written.
 * Lists hold the latest `limit`, the oldest of them first; looking makes no store where nothing was ever kept. Errors:
 * `memory_full`, `memory_settled`, `not_found`, and those of a data base: `data_corrupt`, `schema_newer`, `migration_changed`,
 * `locked`, `disk_full`, `read_only`, `unsafe_path`, `sqlite_missing`.
 */
export interface TeamInbox {
  /** Takes an entry in, by its agent and slug, as `filedAs` says. */
  file(entry: NewEntry): Promise<{ readonly entry: InboxEntry; readonly filed: Filed }>;
  /** Errors: `not_found`. */
  entry(number: number): Promise<InboxEntry>;
  entries(filter: {
    readonly status?: EntryStatus | undefined;
    readonly limit: number;
  }): Promise<readonly InboxEntry[]>;
  /** Settles a pending entry. Errors: `not_found`, `memory_settled`. */
  settle(number: number, settlement: Settlement): Promise<InboxEntry>;
  /** Those of the marks that were kept before. */
  storedMarks(marks: readonly LedgerMark[]): Promise<readonly LedgerMark[]>;
  /** Keeps marks; such that are known count once. */
  mark(marks: readonly LedgerMark[]): Promise<void>;
  /** Lines of the memory that no file has yet, in the order in which they came. */
  waiting(): Promise<readonly string[]>;
  /** Keeps lines until they can be written. */
  wait(lines: readonly string[]): Promise<void>;
  /** Lets go of lines that were written. */
  release(lines: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
