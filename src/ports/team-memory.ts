import type {
  Decision,
  DecisionStatus,
  EntryStatus,
  InboxEntry,
  Memory,
  MemoryType,
  NewDecision,
  NewEntry,
  NewMemory,
  NewWorkSession,
  WorkSession,
} from '#core/team/memory.js';
import type { Filed, Settlement } from '#core/team/memory-entries.js';
import type { Exchange } from '#core/team/memory-exchange.js';
import type { StandingRows } from '#core/team/standing-rows.js';

/** A file as it lay in the ledger: the place it counts for, and the hash of its bytes. */
export interface LedgerMark {
  readonly place: string;
  readonly sha256: string;
}

/** What became of an entry: itself, and what it turned into. */
export interface SettledEntry {
  readonly entry: InboxEntry;
  readonly decision?: Decision;
  readonly memory?: Memory;
}

/** What of the open session is to be otherwise; `ended_at` closes it. */
export type SessionChange = Partial<Pick<WorkSession, 'focus' | 'context' | 'ended_at'>>;

/**
 * What a team remembers: memories of its members, the inbox, decisions and sessions, each numbered from 1. Rows leave only by an exchange with the shared files.
 * A row is kept once for its source; one of a request that asked for something else before is `request_id_reused`. Lists hold the latest `limit`, the oldest of them first; looking makes no store where nothing was ever kept. Errors: `memory_full`, `memory_settled`, `session_open`, `not_found`, and
 * those of a data base: `data_corrupt`, `schema_newer`, `migration_changed`, `locked`, `disk_full`, `read_only`, `unsafe_path`,
 * `sqlite_missing`.
 */
export interface TeamMemory {
  /** Keeps a memory. One with a known source is answered as it is kept. */
  remember(memory: NewMemory): Promise<Memory>;
  memories(filter: {
    readonly agents?: readonly string[] | undefined;
    readonly types?: readonly MemoryType[] | undefined;
    readonly limit: number;
  }): Promise<readonly Memory[]>;
  /** Takes an entry in, by its agent and slug, as `filedAs` says. */
  file(entry: NewEntry): Promise<{ readonly entry: InboxEntry; readonly filed: Filed }>;
  entries(filter: {
    readonly status?: EntryStatus | undefined;
    readonly limit: number;
  }): Promise<readonly InboxEntry[]>;
  /** Settles a pending entry and keeps what it becomes, in one step. Errors: `not_found`, `memory_settled`. */
  settle(number: number, settlement: Settlement): Promise<SettledEntry>;
  /** Keeps a decision, and that the one it supersedes no longer holds. One with a known source is answered as it is kept. */
  decide(decision: NewDecision): Promise<Decision>;
  decisions(filter: {
    readonly status?: DecisionStatus | undefined;
    readonly limit: number;
  }): Promise<readonly Decision[]>;
  /** Puts an active decision aside. Errors: `not_found`, `memory_settled`. */
  archive(number: number): Promise<Decision>;
  /** Opens a session. One with a known source is answered as it is kept, open or ended. Errors: `session_open`. */
  openSession(session: NewWorkSession): Promise<WorkSession>;
  /** Keeps memories and opens a session unless one is open, in one step. What has a known source stays as it is kept. */
  seed(memories: readonly NewMemory[], session: NewWorkSession): Promise<void>;
  currentSession(): Promise<WorkSession | undefined>;
  sessions(limit: number): Promise<readonly WorkSession[]>;
  /** Errors: `not_found` when none is open. */
  changeSession(change: SessionChange): Promise<WorkSession>;
  /** The state of the shared files that the rows were last brought together with; undefined where they never were. */
  stamp(): Promise<string | undefined>;
  /** Puts in the place of the rows (the inbox apart) what a decision makes of them, in one step, and keeps the stamp. */
  exchange(decide: (rows: StandingRows) => Exchange, stamp: string): Promise<Exchange>;
  /** Those of the marks that were kept before. */
  storedMarks(marks: readonly LedgerMark[]): Promise<readonly LedgerMark[]>;
  /** Keeps marks; such that are known count once. */
  mark(marks: readonly LedgerMark[]): Promise<void>;
  close(): Promise<void>;
}
