import type { SquadPlan } from '#core/team/file-change.js';
import type { Inbox, LedgerFile } from '#core/team/memory-ledger.js';

/** What a change of the ledger looks at first. */
export interface LedgerReader {
  /** Tells one state of the files that are shared from another; empty where there are none. */
  stamp(): Promise<string>;
  /** The file that every clone adds to. */
  events(): Promise<LedgerFile | undefined>;
  inbox(): Promise<Inbox>;
  /** Undefined when there is none. */
  file(path: string): Promise<LedgerFile | undefined>;
  /** Slugs that have a folder among the agents. */
  members(): Promise<ReadonlySet<string>>;
  /** Paths of what was put aside. */
  archived(): Promise<ReadonlySet<string>>;
}

/**
 * The files of the squad that tell what the team remembers. What is no plain text of ours to read (a link, other bytes, too
 * large) is said to be so and never written. Errors: `unsafe_path` where a folder is a link, `locked`, `read_only`,
 * `disk_full`, `unreadable`.
 */
export interface LedgerFiles {
  /** As of a reader, for those who only look. */
  stamp(): Promise<string>;
  /** Looks, while others may write. */
  look<Result>(work: (read: LedgerReader) => Promise<Result>): Promise<Result>;
  /**
   * Alone among all who write files of the squad: looks, decides, and writes what is wanted, all or nothing. The decision may ask
   * what is remembered, and asks no model.
   */
  change<Result>(decide: (read: LedgerReader) => Promise<SquadPlan<Result>>): Promise<Result>;
}
