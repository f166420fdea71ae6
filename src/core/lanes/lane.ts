/**
 * Role files of a repository (`.claude/roles/`): their content, byte-exact edits, promotion and retirement of rows of a
 * lane. Pure: text in, text out.
 * @packageDocumentation
 */

/** The three contexts a role works in besides alone; each has one file, and one writer. */
export const LANES = ['crew', 'panel', 'research'] as const;
export type Lane = (typeof LANES)[number];

/** One thing learned: a line `- 2026-03-01 — text`, or one without a date. */
export interface Lesson {
  /** As it is written; undefined where the line has none. */
  readonly date: string | undefined;
  readonly text: string;
  /** Of the file, from 1. */
  readonly line: number;
}

export const ROW_STATUSES = ['probationary', 'stable', 'retired'] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

/** What `runs:` says. `thin` counts those in a row: a clean run sets it back. */
export interface RunCounts {
  readonly clean: number;
  readonly thin: number;
  readonly cuts: number;
}

/** A role as one lane has it. Only rows that may be used: what is wrong with the others is a `RoleProblem`. */
export interface LaneRow {
  readonly lane: Lane;
  readonly name: string;
  /** Of its heading. */
  readonly line: number;
  /** The core role it is linked to, as it is written; whether that exists is not looked at here. */
  readonly role: string | undefined;
  readonly status: RowStatus;
  readonly runs: RunCounts;
  /** Every key as it is written, with what stands behind it; of a key that is there twice, the first. */
  readonly fields: ReadonlyMap<string, string>;
  readonly lessons: readonly Lesson[];
}

/** What a role is everywhere: `.claude/roles/<name>.md`. */
export interface CoreRole {
  readonly name: string;
  /** One sentence; empty where the section is missing. */
  readonly charter: string;
  readonly whenToUse: readonly string[];
  readonly body: string;
  /** Lessons that hold in every context, oldest first as they stand. */
  readonly core: readonly Lesson[];
  /** Lessons of solo runs, for solo runs. */
  readonly solo: readonly Lesson[];
}

/** What is wrong with a role file; people read it as FILE:LINE. */
export interface RoleProblem {
  /** From the root of the repository, e.g. `.claude/roles/crew.md`. */
  readonly file: string;
  readonly line: number;
  /** What an error concerns is not used; a warning changes nothing. */
  readonly severity: 'error' | 'warning';
  readonly text: string;
}

export interface RoleRegistry {
  readonly cores: ReadonlyMap<string, CoreRole>;
  readonly rows: Readonly<Record<Lane, readonly LaneRow[]>>;
  readonly problems: readonly RoleProblem[];
}

/** Of a repository without roles. */
export const NO_ROLES: RoleRegistry = {
  cores: new Map(),
  rows: { crew: [], panel: [], research: [] },
  problems: [],
};
