/** The files in which people and agents read what the team remembers; paths are relative to the project. */
export const INBOX_FOLDER = '.squad/decisions/inbox';
export const DECISIONS_ARCHIVE = '.squad/decisions-archive';
export const BOUNDARIES_MD = '.agentweaver/context/boundaries.md';
export const PATTERNS_MD = '.agentweaver/context/patterns.md';

/** Path of the memory of a team: one line per state of a record, in order of creation. Every clone appends to it. */
export const MEMORY_EVENTS = '.squad/memory.events.jsonl';
/** Says to git that lines which two branches added are both to stand. */
export const SQUAD_ATTRIBUTES = '.squad/.gitattributes';
export const SQUAD_ATTRIBUTE_LINES = ['memory.events.jsonl merge=union', 'identity/now.md merge=union'] as const;

export const inboxPath = (storedSlug: string) => `${INBOX_FOLDER}/${storedSlug}.md`;

/** A file that is there: its text, or why it is not to be touched (a link, no text, too large). */
export type LedgerFile =
  | { readonly path: string; readonly text: string; readonly sha256: string }
  | { readonly path: string; readonly problem: string };

export interface Inbox {
  /** Ordered by name. */
  readonly files: readonly LedgerFile[];
  /** Whether there are more than were looked at. */
  readonly more: boolean;
}

/** A file that was left as it is or put aside, and why. */
export interface SkippedFile {
  readonly file: string;
  readonly reason: string;
}
