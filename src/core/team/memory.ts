export const MEMORY_TYPES = ['core_context', 'learning', 'pattern', 'update'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

export const IMPORTANCES = ['high', 'medium', 'low'] as const;
export type Importance = (typeof IMPORTANCES)[number];

export const ENTRY_TYPES = ['architectural', 'scope', 'process', 'pattern', 'learning', 'update'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

export const ENTRY_STATUSES = ['pending', 'merged', 'rejected'] as const;
export type EntryStatus = (typeof ENTRY_STATUSES)[number];

export const DECISION_TYPES = ['architectural', 'scope', 'process'] as const;
export type DecisionType = (typeof DECISION_TYPES)[number];

export const DECISION_STATUSES = ['active', 'superseded', 'archived'] as const;
export type DecisionStatus = (typeof DECISION_STATUSES)[number];

/** Who wrote a row, and when, in milliseconds since 1970. */
interface Made {
  readonly created_by: string;
  readonly created_at: number;
}

/** What one member remembers. */
export interface NewMemory extends Made {
  /** What it was made from; of two with the same source only the first is kept. */
  readonly source?: string;
  /** The slug of the member. */
  readonly agent: string;
  readonly type: MemoryType;
  readonly importance: Importance;
  readonly content: string;
}
export interface Memory extends NewMemory {
  readonly number: number;
}

/** What an entry of the inbox says, as a file holds it. */
export interface EntryText {
  readonly agent: string;
  readonly slug: string;
  readonly type: EntryType;
  readonly title: string;
  readonly content: string;
  /** Empty where none is given. */
  readonly rationale: string;
}

/** What a member proposes to remember; a person merges or rejects it. One for each agent and slug. */
export interface NewEntry extends EntryText, Made {}
export interface InboxEntry extends NewEntry {
  readonly number: number;
  /** Names its file; like `slug`, unless another agent has that one. */
  readonly stored_slug: string;
  readonly status: EntryStatus;
  readonly settled_by?: string;
  readonly settled_at?: number;
  /** Why it was rejected. */
  readonly reason?: string;
}

/** What the team has agreed on. */
export interface NewDecision extends Made {
  readonly source?: string;
  readonly type: DecisionType;
  readonly title: string;
  readonly content: string;
  readonly rationale: string;
  /** The slug of the member who proposed it. */
  readonly agent?: string;
  /** The number of the one that no longer holds because of this one. */
  readonly supersedes?: number;
}
export interface Decision extends Omit<NewDecision, 'supersedes'> {
  readonly number: number;
  readonly status: DecisionStatus;
  readonly superseded_by?: number;
}

/** What the team is working on at present, from a beginning to an end. At most one is open. */
export interface NewWorkSession {
  readonly source?: string;
  readonly focus: string;
  readonly context: string;
  readonly started_by: string;
  readonly started_at: number;
}
export interface WorkSession extends NewWorkSession {
  readonly number: number;
  readonly ended_at?: number;
}
