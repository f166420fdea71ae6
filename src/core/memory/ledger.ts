/** The files in which people and agents read what the team remembers; paths are relative to the project. */
export const INBOX_FOLDER = '.squad/decisions/inbox';
export const DECISIONS_ARCHIVE = '.squad/decisions-archive';
export const BOUNDARIES_MD = '.agentweaver/context/boundaries.md';
export const PATTERNS_MD = '.agentweaver/context/patterns.md';

export const inboxPath = (storedSlug: string) => `${INBOX_FOLDER}/${storedSlug}.md`;

/** A file that is there: its text, or why it is not to be touched (a link, no text, too large). */
export type LedgerFile =
  | { readonly path: string; readonly text: string; readonly sha256: string }
  | { readonly path: string; readonly problem: string };

export interface Inbox {
  /** By name. */
  readonly files: readonly LedgerFile[];
  /** Whether there are more than were looked at. */
  readonly more: boolean;
}

/** A file that was left as it is or put aside, and why. */
export interface LeftAlone {
  readonly file: string;
  readonly reason: string;
}
