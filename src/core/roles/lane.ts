/**
 * Role files of a repository (`.claude/roles/`): their content, byte-exact edits, promotion and retirement of rows of a
 * lane. Pure: text in, text out.
 * @packageDocumentation
 */
import * as z from 'zod/mini';

/** The three contexts in which roles work besides solo runs; each has one file and one writer. */
export const LANES = ['crew', 'panel', 'research'] as const;
export type Lane = (typeof LANES)[number];

/** One lesson: a line `- 2026-03-01 — text`, or one without a date. */
export interface Lesson {
  /** Date as written; undefined if the line has none. */
  readonly date: string | undefined;
  readonly text: string;
  /** Line of the file, from 1. */
  readonly line: number;
}

export const ROW_STATUSES = ['probationary', 'stable', 'retired'] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

/** Counts of `runs:`. `thin` counts consecutive runs: a clean run resets it. */
export interface RunCounts {
  readonly clean: number;
  readonly thin: number;
  readonly cuts: number;
}

/** A role in one lane. Only valid rows: problems of others are reported as `RoleProblem`. */
export interface LaneRow {
  readonly lane: Lane;
  readonly name: string;
  /** Line of its heading. */
  readonly line: number;
  /** Linked core role, as written; it may not exist. */
  readonly role: string | undefined;
  readonly status: RowStatus;
  readonly runs: RunCounts;
  /** All keys as written, with their values; for a duplicate key, the first. */
  readonly fields: ReadonlyMap<string, string>;
  readonly lessons: readonly Lesson[];
}

/** A role in every context: `.claude/roles/<name>.md`. */
export interface CoreRole {
  readonly name: string;
  /** One sentence; empty if the section is missing. */
  readonly charter: string;
  readonly whenToUse: readonly string[];
  readonly body: string;
  /** Lessons for every context, in file order, oldest first. */
  readonly core: readonly Lesson[];
  /** Lessons of solo runs, used in solo runs only. */
  readonly solo: readonly Lesson[];
}

/** A problem of a role file, shown as FILE:LINE. */
export const roleProblemShape = z.object({
  /** Path from the root of the repository, such as `.claude/roles/crew.md`. */
  file: z.string(),
  line: z.number(),
  /** Content with an error is not used; a warning has no effect. */
  severity: z.enum(['error', 'warning']),
  text: z.string(),
});
export type RoleProblem = z.infer<typeof roleProblemShape>;

export interface RoleRegistry {
  readonly cores: ReadonlyMap<string, CoreRole>;
  readonly rows: Readonly<Record<Lane, readonly LaneRow[]>>;
  readonly problems: readonly RoleProblem[];
}

/** Registry of a repository without roles. */
export const NO_ROLES: RoleRegistry = {
  cores: new Map(),
  rows: { crew: [], panel: [], research: [] },
  problems: [],
};
