/** Files through which people and agents read the memory of a team; paths are relative to the project. */
export const INBOX_FOLDER = '.squad/decisions/inbox';
export const DECISIONS_ARCHIVE = '.squad/decisions-archive';
export const BOUNDARIES_MD = '.agentweaver/context/boundaries.md';
export const PATTERNS_MD = '.agentweaver/context/patterns.md';

/** Path of the memory of a team: one line per state of a record, in order of creation. Every clone appends to it. */
export const MEMORY_EVENTS = '.squad/memory.events.jsonl';
/** Path of the attributes file that makes git keep the added lines of both branches in a merge. */
export const SQUAD_ATTRIBUTES = '.squad/.gitattributes';
export const SQUAD_ATTRIBUTE_LINES = ['memory.events.jsonl merge=union', 'identity/now.md merge=union'] as const;

export const inboxPath = (storedSlug: string) => `${INBOX_FOLDER}/${storedSlug}.md`;

/** An existing file: its text, or the reason for not touching it (a link, not text, too large). */
export type LedgerFile =
  | { readonly path: string; readonly text: string; readonly sha256: string }
  | { readonly path: string; readonly problem: string };

export interface Inbox {
  /** Ordered by name. */
  readonly files: readonly LedgerFile[];
  /** Whether the folder has more files than were read. */
  readonly more: boolean;
}

/** A file that was left unchanged or copied aside, and the reason. */
export interface SkippedFile {
  readonly file: string;
  readonly reason: string;
}
